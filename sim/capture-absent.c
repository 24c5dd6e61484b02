/*
 * Stands where the capture reader and writer will: no capture can be written or replayed yet.
 */
#include <errno.h>
#include <stdio.h>

#include "capture.h"
#include "umadrig.h"

#define WEAK __attribute__((weak))

WEAK struct capture_writer *capture_writer_open(const char *path, const char *comment, char *reterr,
						size_t reterr_size)
{
	(void)comment;
	snprintf(reterr, reterr_size, "%s: captures cannot be written yet", path);
	return NULL;
}

WEAK unsigned int capture_writer_interface(struct capture_writer *writer, const char *name,
					   const char *description)
{
	(void)writer, (void)name, (void)description;
	return 0;
}

WEAK void capture_writer_packet(struct capture_writer *writer, unsigned int interface,
				int64_t at_ns, bool outbound, struct packet *packet,
				const char *comment)
{
	(void)writer, (void)interface, (void)at_ns, (void)outbound, (void)packet, (void)comment;
}

WEAK int capture_writer_close(struct capture_writer *writer)
{
	(void)writer;
	return 0;
}

WEAK bool capture_is_capture(const char *path)
{
	(void)path;
	return false;
}

WEAK size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric)
{
	(void)fabric;
	return 0;
}

WEAK int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			       size_t reterr_size)
{
	(void)fabric;
	snprintf(reterr, reterr_size, "%s: captures cannot be replayed yet", capture);
	return -ENOSYS;
}
