/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The pages of a server's handles: what programs must know to send without asking. See
 * lib/attach/protocol.h (sends) and sim/server/parts.h.
 *
 * What is in a page is written here and, but for a counter and the mailbox, never read: programs
 * can write there, and what they make of their own mailbox is their own loss.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/api/device.h"
#include "sim/server/parts.h"

void *server_share(size_t size, int *ret_fd)
{
	int fd = memfd_create("umadrig", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *at = MAP_FAILED;

	/* A program that could make it smaller would end us by SIGBUS. */
	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED) {
		*ret_fd = fd;
		return at;
	}
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return NULL;
}

void server_page_open(struct server_file *file)
{
	const struct kmod_port_attr *attr = &file->end->attr;
	struct attach_page *page;

	/* Linux: on Ethernet every send needs a GRH, and those are calls. */
	if (attr->link_is_ethernet)
		return;
	page = server_share(sizeof(*page), &file->page_fd);
	if (!page)
		return;
	page->first_port = attr->is_switch ? 1 : attr->port_num;
	page->last_port = attr->is_switch ? attr->port_count : attr->port_num;
	file->page = page;
	server_page_update(file);
}

/* ---- mailbox ---- */

static void wake(struct attach_page *page)
{
	syscall(SYS_futex, &page->mailbox, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Closes an open mailbox. False: nobody waits there. */
static bool close_mailbox(struct attach_page *page, enum attach_mailbox to)
{
	if (attach_mailbox_turn(page, ATTACH_MAILBOX_OPEN, to))
		return true;
	if (!attach_mailbox_turn(page, ATTACH_MAILBOX_ASLEEP, to))
		return false;
	wake(page);
	return true;
}

bool server_page_post(struct server_file *file, const struct attach_record *record)
{
	struct attach_page *page = file->page;
	uint32_t state = page ? atomic_load(&page->mailbox) : ATTACH_MAILBOX_IDLE;

	if (state != ATTACH_MAILBOX_OPEN && state != ATTACH_MAILBOX_ASLEEP)
		return false;
	copy_bytes(&page->letter, record, sizeof(page->letter));
	return close_mailbox(page, ATTACH_MAILBOX_FULL);
}

void server_page_written(struct server_file *file)
{
	struct attach_page *page = file->page;

	if (!page)
		return;
	/* Counted first, then looked at who waits: who waits does it the other way about. */
	atomic_fetch_add(&page->written, 1);
	if (!attach_mailbox_turn(page, ATTACH_MAILBOX_TAKEN, ATTACH_MAILBOX_SHUT))
		close_mailbox(page, ATTACH_MAILBOX_SHUT);
}

bool server_page_take_back(struct server_file *file, uint64_t serial,
			   struct attach_record *ret_record)
{
	struct attach_page *page = file->page;
	bool is_full;

	if (!page || atomic_load(&page->owner) != serial)
		return false;
	is_full = atomic_exchange(&page->mailbox, ATTACH_MAILBOX_IDLE) == ATTACH_MAILBOX_FULL;
	if (is_full) {
		*ret_record = page->letter;
		ret_record->handle = file->cookie;
		ret_record->size = MIN(ret_record->size, sizeof(ret_record->bytes));
		ret_record->is_large = 0;
	}
	return is_full;
}

/* ---- what senders must know ---- */

void server_page_set_closed(struct server_file *file)
{
	if (!file->page)
		return;
	atomic_store(&file->page->is_closed, 1);
	server_page_written(file);
}

void server_page_close(struct server_file *file)
{
	if (!file->page)
		return;
	server_page_set_closed(file);
	munmap(file->page, sizeof(*file->page));
	close(file->page_fd);
	file->page = NULL;
}

void server_page_update(struct server_file *file)
{
	if (file->page)
		atomic_store(&file->page->is_guarded, file->end->m_key != 0);
}

void server_page_set_agent(struct server_file *file, uint32_t id, enum attach_agent agent)
{
	if (file->page && id < ATTACH_PAGE_AGENTS)
		atomic_store(&file->page->agents[id], (uint8_t)agent);
}

static void count_over(struct server_file *file, uint32_t slot)
{
	file->over_count++;
	if (file->page)
		atomic_fetch_add_explicit(&file->page->over[slot], 1, memory_order_release);
}

void server_page_send_over(struct handle *handle, uint64_t tid, uint8_t mgmt_class)
{
	count_over(container_of(handle, struct server_file, handle),
		   attach_slot((uint32_t)tid, mgmt_class));
}

long server_page_send(struct server_file *file, const uint8_t *umad, size_t size, bool is_counted)
{
	const uint8_t *mad = umad + ATTACH_HEADER_SIZE;
	uint64_t over_before = file->over_count;
	uint32_t slot;
	long n;

	if (size < ATTACH_HEADER_SIZE + MAD_HDR_SIZE)
		return kmod_file_write(file->handle.file, umad, size);
	slot = attach_slot(get_be32(mad + MAD_TID + 4), mad[MAD_CLASS]);
	if (!is_counted && file->page)
		atomic_fetch_add(&file->page->sent[slot], 1);
	n = kmod_file_write(file->handle.file, umad, size);
	/* One that was refused before it was filed is over as well. */
	if (n < 0 && file->over_count == over_before)
		count_over(file, slot);
	return n;
}
