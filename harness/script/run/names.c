/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Names while a point runs: what is bound to them, and their values.
 */
#include "harness/script/run/run.h"

#include <string.h>

#include "harness/script/mad/payload.h"
#include "harness/script/run/amend.h"

struct var *run_var(struct run *run, const char *name)
{
	return g_hash_table_lookup(run->vars, name);
}

struct var *run_var_of(struct run *run, const struct expr *expr)
{
	if (expr->kind != EXPR_WORD && expr->kind != EXPR_USE)
		return NULL;
	return run_var(run, expr->text);
}

void run_bind(struct run *run, const char *name, const struct var *value)
{
	struct var *var = g_new(struct var, 1);

	*var = *value;
	g_hash_table_replace(run->vars, g_strdup(name), var);
	if (value->kind == VAR_AGENT)
		g_ptr_array_add(run->agents, g_strdup(name));
}

const char *run_agent_name(struct run *run, const void *owner, int64_t id)
{
	/* The last one that has the number is the one that is registered. */
	for (guint i = run->agents->len; i-- > 0;) {
		const struct var *var = run_var(run, run->agents->pdata[i]);

		if (var && var->kind == VAR_AGENT && var->agent.owner == owner &&
		    var->agent.id == id)
			return run->agents->pdata[i];
	}
	return NULL;
}

/* A number, and which of its bits are known; 'hdr' is the size of the current call's header. */
static bool find_name(void *ctx, const struct expr *name, uint64_t *ret, uint64_t *ret_known)
{
	struct run *run = ctx;
	const struct var *var = run_var(run, name->text);

	if (var && var->kind == VAR_HANDLE) {
		*ret = (uint64_t)var->handle->fd;
		*ret_known = UINT64_MAX;
		return true;
	}
	if (var && (var->kind == VAR_NUMBER || var->kind == VAR_AGENT)) {
		*ret = var->kind == VAR_NUMBER ? var->number : (uint64_t)var->agent.id;
		*ret_known = var->kind == VAR_NUMBER ? var->known : UINT64_MAX;
		return true;
	}
	*ret = run->header_size;
	return expr_is_word(name, "hdr");
}

bool run_number(struct run *run, const struct expr *expr, uint64_t *ret)
{
	uint64_t known;

	return expr_number(expr, &run->names, ret, &known);
}

const char *world_end_name(const struct world *world, const struct expr *port)
{
	if (port->kind != EXPR_WORD)
		return port->text;
	return world->label[strcmp(port->text, "self") == 0 ? WORLD_SELF : WORLD_PEER];
}

static bool env_number(void *ctx, const struct expr *expr, uint64_t *ret, uint64_t *ret_known)
{
	const struct run *run = ctx;

	return expr_number(expr, &run->names, ret, ret_known);
}

static bool env_address(void *ctx, const char *name, struct world_address *ret)
{
	struct run *run = ctx;

	return run->world->kind->address(run->world, name, ret) == 0;
}

const uint8_t *run_data(struct run *run, const char *name, size_t *ret_size)
{
	const struct payload *payload = payload_find(run->point->payloads, name);
	GBytes *bytes = g_hash_table_lookup(run->data, name);
	size_t size;

	if (!bytes) {
		uint8_t *memory;

		if (!payload || !payload_size(run->point->payloads, payload, &size))
			return NULL;
		memory = g_malloc0(size + 1);
		payload_fill(run->point->payloads, payload, memory);
		bytes = g_bytes_new_take(memory, size);
		g_hash_table_insert(run->data, g_strdup(name), bytes);
	}
	/* Even no bytes have an address. */
	*ret_size = g_bytes_get_size(bytes);
	return *ret_size > 0 ? g_bytes_get_data(bytes, NULL) : (const uint8_t *)"";
}

static const uint8_t *env_data(void *ctx, const char *name, size_t *ret_size)
{
	return run_data(ctx, name, ret_size);
}

static void env_capture(void *ctx, const char *name, uint64_t value)
{
	struct run *run = ctx;
	struct var var = { .kind = VAR_NUMBER, .number = value, .known = run->capture_known };

	run_bind(run, name, &var);
}

void run_names_init(struct run *run)
{
	static const char *const ca_names[WORLD_ENDS] = { "CA", "PEER_CA" };
	static const char *const port_names[WORLD_ENDS] = { "PORT", "PEER_PORT" };

	run->names = (struct value_names) { run, find_name, .times_as_ms = true };
	run->env = (struct mad_env) {
		run, env_number, env_address, env_capture, env_data,
		run->amendments ? run_amend_term : NULL,
	};
	run->data = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)g_bytes_unref);
	run->vars = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	run->agents = g_ptr_array_new_with_free_func(g_free);
	for (int end = 0; end < WORLD_ENDS; end++) {
		struct var ca = { .kind = VAR_TEXT, .text = run->world->ca[end] };
		struct var port = { .kind = VAR_NUMBER, .known = UINT64_MAX,
				    .number = (uint64_t)run->world->port[end] };

		run_bind(run, ca_names[end], &ca);
		run_bind(run, port_names[end], &port);
	}
}

void run_names_clear(struct run *run)
{
	g_hash_table_unref(run->vars);
	g_ptr_array_unref(run->agents);
	g_hash_table_unref(run->data);
}
