/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file that goes to the fabric: see lib/guest/guest-channel.h.
 */
#include "lib/guest/guest-channel.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

int guest_message_parse(struct guest_message *message, const uint8_t *bytes, size_t size)
{
	struct umadrig_hca_header header;

	if (size < sizeof(header) || size > UMADRIG_HCA_DOWN_MAX)
		return -EBADMSG;
	memcpy(&header, bytes, sizeof(header));
	if (le32toh(header.length) != size || header.version != UMADRIG_HCA_VERSION ||
	    header.type < UMADRIG_HCA_GUEST_FIRST)
		return -EBADMSG;
	*message = (struct guest_message){
		.type = header.type, .flags = header.flags, .port = header.port,
		.program = le32toh(header.sequence), .value = le32toh(header.value),
		.content = bytes + sizeof(header), .size = size - sizeof(header),
	};
	return 0;
}

int guest_channel_send(int fd, uint8_t type, uint32_t program, uint32_t value,
		       const void *content, size_t size)
{
	uint8_t bytes[UMADRIG_HCA_UP_MAX];
	struct umadrig_hca_header header = {
		.length = htole32((uint32_t)(sizeof(header) + size)),
		.version = UMADRIG_HCA_VERSION, .type = type,
		.sequence = htole32(program), .value = htole32(value),
	};
	ssize_t written;

	if (size > GUEST_CONTENT_MAX)
		return -EMSGSIZE;
	memcpy(bytes, &header, sizeof(header));
	if (size > 0)
		memcpy(bytes + sizeof(header), content, size);
	do
		written = write(fd, bytes, sizeof(header) + size);
	while (written < 0 && errno == EINTR);
	return written < 0 ? -errno : 0;
}
