/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ServiceRecord: services that programs register, for a time or for ever (IBA vol 1, 15.2.5.14).
 *
 * A service is known by ServiceID, ServiceGID and ServiceP_Key. Its lease is looked at when
 * somebody asks: there are no timers.
 */
#include <string.h>

#include "kmod-stub/event.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/sa/sa-list.h"
#include "sim/sa/sa-store.h"

enum {
	SERVICES_MAX = 65536,

	ID_COMPONENT = 0,
	GID_COMPONENT = 1,
	P_KEY_COMPONENT = 2,
	LEASE_COMPONENT = 4,

	RECORD_SIZE = 176,		/* in bytes, as the next ones */
	NAME_OF = 26,			/* of ID, GID and P_Key, which come first */
	GID = 8,
	P_KEY = 24,
	LEASE = 28,
	KEY = 32,
	KEY_SIZE = 16,
};

static const uint32_t FOR_EVER = UINT32_MAX;

struct service {
	uint8_t record[RECORD_SIZE];
	int64_t end_ns;			/* of the lease; TIME_NEVER */
};

struct sa_services {
	GPtrArray *all;			/* of struct service *, the oldest first */
	GHashTable *by_name;		/* of the same, by the first NAME_OF bytes */
};

/* FNV-1a: services are found by it, never listed in its order. */
static guint name_hash(gconstpointer name)
{
	const uint8_t *bytes = name;
	guint hash = 2166136261u;

	for (unsigned int i = 0; i < NAME_OF; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

static gboolean name_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, NAME_OF) == 0;
}

static struct sa_services *services_of(const struct sa_request *request)
{
	struct sa_store *store = request->subnet->sa->store;

	if (!store->services) {
		store->services = g_new(struct sa_services, 1);
		store->services->all = g_ptr_array_new_with_free_func(g_free);
		store->services->by_name = g_hash_table_new(name_hash, name_equal);
	}
	return store->services;
}

void sa_services_free(struct sa_services *services)
{
	if (!services)
		return;
	g_hash_table_unref(services->by_name);
	g_ptr_array_unref(services->all);
	g_free(services);
}

/* Removes those whose lease is over. */
static void expire(struct sa_services *services, int64_t now_ns)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < services->all->len; i++) {
		struct service *service = g_ptr_array_index(services->all, i);

		if (service->end_ns > now_ns) {
			services->all->pdata[kept++] = service;
			continue;
		}
		g_hash_table_remove(services->by_name, service);
		g_free(service);
	}
	/* What was moved down must not be freed where it was. */
	for (unsigned int i = kept; i < services->all->len; i++)
		services->all->pdata[i] = NULL;
	g_ptr_array_set_size(services->all, (gint)kept);
}

/* The record as it is returned: the rest of its lease; its key only to those who are trusted. */
static void show(const struct sa_request *request, const struct service *service, uint8_t *record)
{
	int64_t left_ns = service->end_ns - request->subnet->fabric->queue.now_ns;

	memcpy(record, service->record, RECORD_SIZE);
	if (service->end_ns == TIME_NEVER)
		put_be32(record + LEASE, FOR_EVER);
	else if (get_be32(record + LEASE))
		put_be32(record + LEASE, (uint32_t)((left_ns + NS_PER_S - 1) / NS_PER_S));
	if (!request->is_trusted)
		memset(record + KEY, 0, KEY_SIZE);
}

/* Is the end port in the partition of this P_Key? */
static bool has_p_key(const struct end_port *end, uint16_t p_key)
{
	for (size_t i = 0; i < end->attr.pkey_count; i++) {
		if (!((end->pkeys[i] ^ p_key) & 0x7fff))
			return true;
	}
	return false;
}

enum sa_status sa_list_services(const struct sa_request *request, struct sa_table *table)
{
	struct sa_services *services = services_of(request);

	expire(services, request->subnet->fabric->queue.now_ns);
	sa_table_skip(table, SA_COMPONENT(LEASE_COMPONENT));
	for (unsigned int i = 0; i < services->all->len && !sa_table_is_done(table); i++) {
		const struct service *service = g_ptr_array_index(services->all, i);
		uint8_t record[SA_RECORD_MAX] = { 0 };

		if (!has_p_key(request->from, get_be16(service->record + P_KEY)))
			continue;
		/* Who knows the key may ask for it. */
		if (!sa_table_matches(table, service->record))
			continue;
		show(request, service, record);
		sa_table_add(table, record);
	}
	return SA_OK;
}

/* What names the service of a request. Without a P_Key it is in the default partition. */
static void read_name(const struct sa_request *request, uint8_t name[NAME_OF])
{
	memcpy(name, request->data, NAME_OF);
	if (!sa_has(request, P_KEY_COMPONENT))
		put_be16(name + P_KEY, PKEY_DEFAULT);
}

/* A service at a port of the subnet is in a partition of that port, and of the requester. */
static bool may_register(const struct sa_request *request, const uint8_t *name)
{
	uint16_t p_key = get_be16(name + P_KEY);
	const struct end_port *end = sa_end_by_gid(request->subnet, name + GID);
	bool is_multicast = name[GID] == 0xff;

	return has_p_key(request->from, p_key) &&
	       (is_multicast || (end && has_p_key(end, p_key)));
}

enum sa_status sa_set_service(const struct sa_request *request, uint8_t *answer)
{
	struct sa_services *services = services_of(request);
	int64_t now_ns = request->subnet->fabric->queue.now_ns;
	uint32_t lease = sa_has(request, LEASE_COMPONENT) ? get_be32(request->data + LEASE) :
			 FOR_EVER;
	uint8_t name[NAME_OF];
	struct service *service;

	if (!sa_has(request, ID_COMPONENT) || !sa_has(request, GID_COMPONENT))
		return SA_REQ_INVALID;
	read_name(request, name);
	if (!may_register(request, name))
		return SA_REQ_INVALID;
	expire(services, now_ns);
	service = g_hash_table_lookup(services->by_name, name);
	if (!service && services->all->len >= SERVICES_MAX)
		return SA_NO_RESOURCES;
	if (!service) {
		service = g_new0(struct service, 1);
		memcpy(service->record, name, NAME_OF);
		g_ptr_array_add(services->all, service);
		g_hash_table_insert(services->by_name, service, service);
	}
	memcpy(service->record, request->data, RECORD_SIZE);
	memcpy(service->record, name, NAME_OF);
	/* One without a lease is there until OpenSM's timer looks at it: a second. */
	service->end_ns = lease == FOR_EVER ? TIME_NEVER :
			  now_ns + MAX(lease, 1) * (int64_t)NS_PER_S;
	show(request, service, answer);
	return SA_OK;
}

enum sa_status sa_remove_service(const struct sa_request *request, uint8_t *answer)
{
	struct sa_services *services = services_of(request);
	uint8_t name[NAME_OF];
	struct service *service;

	read_name(request, name);
	if (sa_has(request, P_KEY_COMPONENT) && !may_register(request, name))
		return SA_REQ_INVALID;
	expire(services, request->subnet->fabric->queue.now_ns);
	service = g_hash_table_lookup(services->by_name, name);
	if (!service)
		return SA_NO_RECORDS;
	show(request, service, answer);
	g_hash_table_remove(services->by_name, service);
	g_ptr_array_remove(services->all, service);
	return SA_OK;
}
