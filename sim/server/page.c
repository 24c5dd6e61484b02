/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The pages of a server's handles: see sim/server/page.h.
 */
#include "config.h"

#include "sim/server/page.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/fabric/end-port.h"
#include "sim/server/shared-memory.h"

void server_page_open(struct server_page *page, const struct end_port *end)
{
	const struct kmod_port_attr *attr = &end->attr;

	*page = (struct server_page){ .end = end };
	/* In Linux every send on Ethernet needs a GRH, and such sends are calls. */
	if (attr->link_is_ethernet)
		return;
	page->shared = shared_memory_new(sizeof(*page->shared), &page->fd);
	if (!page->shared)
		return;
	page->shared->first_port = attr->is_switch ? 1 : attr->port_num;
	page->shared->last_port = attr->is_switch ? attr->port_count : attr->port_num;
	server_page_update(page);
}

/* ---- mailbox ---- */

static void wake(struct attach_page *shared)
{
	syscall(SYS_futex, &shared->mailbox, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Closes an open mailbox. False: no thread waits there. */
static bool close_mailbox(struct attach_page *shared, enum attach_mailbox to)
{
	if (attach_mailbox_turn(shared, ATTACH_MAILBOX_OPEN, to))
		return true;
	if (!attach_mailbox_turn(shared, ATTACH_MAILBOX_ASLEEP, to))
		return false;
	wake(shared);
	return true;
}

bool server_page_post(struct server_page *page, const struct attach_record *record)
{
	struct attach_page *shared = page->shared;
	uint32_t state = shared ? atomic_load(&shared->mailbox) : ATTACH_MAILBOX_IDLE;

	if (state != ATTACH_MAILBOX_OPEN && state != ATTACH_MAILBOX_ASLEEP)
		return false;
	copy_bytes(&shared->letter, record, sizeof(shared->letter));
	return close_mailbox(shared, ATTACH_MAILBOX_FULL);
}

void server_page_written(struct server_page *page)
{
	struct attach_page *shared = page->shared;

	if (!shared)
		return;
	/* Count first, then look for a waiting thread: the thread does it in the reverse order. */
	atomic_fetch_add(&shared->written, 1);
	if (!attach_mailbox_turn(shared, ATTACH_MAILBOX_TAKEN, ATTACH_MAILBOX_SHUT))
		close_mailbox(shared, ATTACH_MAILBOX_SHUT);
}

bool server_page_take_back(struct server_page *page, uint64_t serial,
			   struct attach_record *ret_record)
{
	struct attach_page *shared = page->shared;
	bool is_full;

	if (!shared || atomic_load(&shared->owner) != serial)
		return false;
	is_full = atomic_exchange(&shared->mailbox, ATTACH_MAILBOX_IDLE) == ATTACH_MAILBOX_FULL;
	if (is_full) {
		*ret_record = shared->letter;
		ret_record->size = MIN(ret_record->size, sizeof(ret_record->bytes));
		ret_record->is_large = 0;
	}
	return is_full;
}

/* ---- what senders must know ---- */

void server_page_set_closed(struct server_page *page)
{
	if (!page->shared)
		return;
	atomic_store(&page->shared->is_closed, 1);
	server_page_written(page);
}

void server_page_close(struct server_page *page)
{
	if (!page->shared)
		return;
	server_page_set_closed(page);
	munmap(page->shared, sizeof(*page->shared));
	close(page->fd);
	page->shared = NULL;
}

void server_page_update(struct server_page *page)
{
	if (page->shared)
		atomic_store(&page->shared->is_guarded, page->end->m_key != 0);
}

void server_page_set_near_limit(struct server_page *page, bool is_near)
{
	if (page->shared)
		atomic_store(&page->shared->is_near_limit, is_near);
}

void server_page_set_agent(struct server_page *page, uint32_t id, enum attach_agent agent)
{
	if (page->shared && id < ATTACH_PAGE_AGENTS)
		atomic_store(&page->shared->agents[id], (uint8_t)agent);
}

static void count_over(struct server_page *page, uint32_t slot)
{
	page->over_count++;
	if (page->shared)
		atomic_fetch_add_explicit(&page->shared->over[slot], 1, memory_order_release);
}

void server_page_send_over(struct server_page *page, uint32_t tid_low, uint8_t mgmt_class)
{
	count_over(page, attach_slot(tid_low, mgmt_class));
}

long server_page_send(struct server_page *page, struct kmod_file *file, const uint8_t *umad,
		      size_t size, bool is_counted, struct kmod_loan *loan)
{
	const uint8_t *mad = umad + ATTACH_HEADER_SIZE;
	uint64_t over_before = page->over_count;
	uint32_t slot;
	long n;

	if (size < ATTACH_HEADER_SIZE + MAD_HDR_SIZE)
		return kmod_file_write_lent(file, umad, size, loan);
	slot = attach_slot(get_be32(mad + MAD_TID + 4), mad[MAD_CLASS]);
	if (!is_counted && page->shared)
		atomic_fetch_add(&page->shared->sent[slot], 1);
	n = kmod_file_write_lent(file, umad, size, loan);
	/* A send that was refused before it was filed is over as well. */
	if (n < 0 && page->over_count == over_before)
		count_over(page, slot);
	return n;
}
