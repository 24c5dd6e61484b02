/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * neighbour: asks for the NodeInfo of the node at the other end of umad0's cable, with system calls
 * alone, and shows how bad calls are refused. The other programs of this folder do and print the
 * same in other languages; each runs on a real device as well.
 *
 * On a port that has no SMPs (RoCE), the registration is refused, and nothing is asked.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLASS_DIR "/sys/class/infiniband"
#define DEVICE "/dev/infiniband/umad0"
#define HEADER 64
#define MAD 256

struct registration {
	uint32_t id, qpn;
	uint8_t mgmt_class, version;
	uint16_t reserved;
	uint32_t flags;
	uint64_t methods[2];
	uint32_t oui;
	uint8_t rmpp_version, reserved2[3];
};
#define REGISTER_AGENT2 _IOWR(0x1b, 4, struct registration)

static int by_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The first word of a file. */
static const char *word_of(const char *path)
{
	static char word[64];
	FILE *file = fopen(path, "r");

	word[0] = 0;
	if (!file || fscanf(file, "%63s", word) != 1)
		perror(path);
	if (file)
		fclose(file);
	return word;
}

static void list_devices(void)
{
	struct dirent **entries = NULL;
	int count = scandir(CLASS_DIR, &entries, by_name, alphasort);
	char path[512];
	struct stat status;

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), CLASS_DIR "/%s/node_guid", entries[i]->d_name);
		printf("device %s: GUID %s\n", entries[i]->d_name, word_of(path));
		free(entries[i]);
	}
	free(entries);
	printf("umad0: port %s of ", word_of("/sys/class/infiniband_mad/umad0/port"));
	printf("%s", word_of("/sys/class/infiniband_mad/umad0/ibdev"));
	if (stat(DEVICE, &status) == 0 && S_ISCHR(status.st_mode))
		printf(", a character device");
	printf("\n");
}

static size_t request(uint8_t *buffer, uint32_t agent)
{
	const uint32_t timeout_ms = 1000;
	uint8_t *mad = buffer + HEADER;

	memset(buffer, 0, HEADER + MAD);
	memcpy(buffer, &agent, 4);
	memcpy(buffer + 8, &timeout_ms, 4);
	memset(buffer + 28, 0xff, 2);		/* LID: permissive */
	memcpy(mad, "\1\x81\1\1", 4);		/* SMP by directed route, Get */
	mad[7] = 1;				/* one hop */
	memcpy(mad + 12, "any!", 4);		/* TID */
	mad[17] = 0x11;				/* NodeInfo */
	memset(mad + 32, 0xff, 4);
	mad[129] = 1;				/* by port 1 */
	return HEADER + MAD;
}

static void ask(int fd, uint32_t agent)
{
	uint8_t buffer[HEADER + MAD], *mad = buffer + HEADER;
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	size_t size = request(buffer, agent);

	if (write(fd, buffer, size) != (ssize_t)size || poll(&readable, 1, 5000) != 1 ||
	    read(fd, buffer, size) != (ssize_t)size)
		printf("no answer: errno %d\n", errno);
	else
		printf("neighbour: method 0x%x, TID %.4s, type %d, %d ports\n", mad[3], mad + 12,
		       mad[66], mad[67]);
}

static void refused(const char *call, long result)
{
	printf("%s: %ld, errno %d\n", call, result, result < 0 ? errno : 0);
}

int main(void)
{
	struct registration asked = { .mgmt_class = 0x81, .version = 1 };
	uint8_t buffer[HEADER + MAD];
	int fd;

	list_devices();
	fd = open(DEVICE, O_RDWR);
	if (fd < 0) {
		perror(DEVICE);
		return 1;
	}
	if (ioctl(fd, REGISTER_AGENT2, &asked) == 0)
		ask(fd, asked.id);
	else
		printf("register: errno %d\n", errno);
	refused("write of 20 bytes", write(fd, buffer, 20));
	refused("write for agent 31", write(fd, buffer, request(buffer, 31)));
	refused("read of 20 bytes", read(fd, buffer, 20));
	refused("unknown ioctl", ioctl(fd, _IO(0x1b, 9), 0));
	close(fd);
	return 0;
}
