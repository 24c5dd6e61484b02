/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that asks netlink for RDMA by system calls alone: what it may ask, and what becomes of
 * messages that are cut short, or that nobody knows. Prints a line of each.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TYPE(command) ((RDMA_NL_NLDEV << 10) | (command))

static int fd;
static char message[8192];

static void put(size_t *size, uint16_t type, const void *data, size_t length)
{
	const struct nlattr head = { (uint16_t)(NLA_HDRLEN + length), type };

	memcpy(message + *size, &head, sizeof(head));
	memcpy(message + *size + NLA_HDRLEN, data, length);
	*size += NLA_ALIGN(NLA_HDRLEN + length);
}

/* Sends a message with an index and a port, each unless it is negative, and prints what comes. */
static void ask(const char *name, uint16_t type, uint16_t flags, int index, int port)
{
	size_t size = NLMSG_HDRLEN;
	struct nlmsghdr head = { .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | flags,
				 .nlmsg_seq = 7 };

	if (index >= 0)
		put(&size, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	if (port >= 0)
		put(&size, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
	if (type == TYPE(RDMA_NLDEV_CMD_GET_CHARDEV))
		put(&size, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs", 7);
	head.nlmsg_len = (uint32_t)size;
	memcpy(message, &head, sizeof(head));
	printf("%s:", name);
	if (send(fd, message, size, 0) != (ssize_t)size)
		printf(" send: %s", strerror(errno));
	while (poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, 0) == 1) {
		char bytes[4096];
		struct sockaddr_nl from;
		socklen_t length = sizeof(from);
		ssize_t n = recvfrom(fd, bytes, sizeof(bytes), 0, (struct sockaddr *)&from,
				     &length);
		const struct nlmsghdr *told = (const void *)bytes;
		const struct nlmsgerr *error = (const void *)(told + 1);

		if (n < NLMSG_HDRLEN || told->nlmsg_seq != 7 || length != sizeof(from))
			printf(" strange");
		else if (told->nlmsg_type == NLMSG_ERROR)
			printf(" error %s", strerror(-error->error));
		else if (told->nlmsg_type == NLMSG_DONE)
			printf(" done");
		else
			printf(" %s%u", told->nlmsg_flags & NLM_F_MULTI ? "one of " : "",
			       told->nlmsg_type & 1023);
	}
	printf("\n");
}

/* Sends bytes as they are: how many answers come. */
static void send_raw(const char *name, const void *bytes, size_t size)
{
	unsigned int count = 0;

	printf("%s:", name);
	if (send(fd, bytes, size, 0) < 0)
		printf(" %s,", strerror(errno));
	while (recv(fd, message, sizeof(message), MSG_DONTWAIT) >= 0)
		count++;
	printf(" %u\n", count);
}

static void send_wrongly(void)
{
	struct nlmsghdr head = { .nlmsg_len = 5000, .nlmsg_type = TYPE(RDMA_NLDEV_CMD_GET),
				 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP };
	struct {
		struct nlmsghdr head;
		struct nlattr attribute;
	} one = { { sizeof(one), TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST, 0, 0 },
		  { 2000, RDMA_NLDEV_ATTR_DEV_INDEX } };
	struct nlmsghdr many[100];

	send_raw("longer than it is", &head, sizeof(head));
	head.nlmsg_len = 3;
	send_raw("shorter than a header", &head, sizeof(head));
	send_raw("less than a header", &head, 7);
	send_raw("nothing", &head, 0);
	send_raw("too much", message, sizeof(message));
	send_raw("nowhere", (const void *)(uintptr_t)4096, 64);
	send_raw("an attribute that is too long", &one, sizeof(one));
	one.attribute.nla_len = 0;
	send_raw("and one of no length", &one, sizeof(one));
	head.nlmsg_len = sizeof(head);
	head.nlmsg_flags = NLM_F_DUMP;
	send_raw("no request", &head, sizeof(head));
	head.nlmsg_flags |= NLM_F_REQUEST;
	for (unsigned int i = 0; i < 100; i++)
		many[i] = head;
	send_raw("a hundred lists: the first, and refusals", many, sizeof(many));
}

int main(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	if (fd < 0) {
		perror("socket");
		return 1;
	}
	ask("before bind", TYPE(RDMA_NLDEV_CMD_GET), NLM_F_DUMP, -1, -1);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		perror("bind");
	ask("devices", TYPE(RDMA_NLDEV_CMD_GET), NLM_F_DUMP, -1, -1);
	ask("a device", TYPE(RDMA_NLDEV_CMD_GET), 0, 0, -1);
	ask("with an acknowledgement", TYPE(RDMA_NLDEV_CMD_GET), NLM_F_ACK, 0, -1);
	ask("no device", TYPE(RDMA_NLDEV_CMD_GET), 0, 9, -1);
	ask("which?", TYPE(RDMA_NLDEV_CMD_GET), 0, -1, -1);
	ask("ports", TYPE(RDMA_NLDEV_CMD_PORT_GET), NLM_F_DUMP, 0, -1);
	ask("a port", TYPE(RDMA_NLDEV_CMD_PORT_GET), 0, 0, 2);
	ask("no port", TYPE(RDMA_NLDEV_CMD_PORT_GET), 0, 0, 3);
	ask("the system", TYPE(RDMA_NLDEV_CMD_SYS_GET), 0, -1, -1);
	ask("uverbs", TYPE(RDMA_NLDEV_CMD_GET_CHARDEV), 0, 0, -1);
	ask("a change", TYPE(RDMA_NLDEV_CMD_SET), 0, 0, -1);
	ask("resources", TYPE(RDMA_NLDEV_CMD_RES_GET), NLM_F_DUMP, -1, -1);
	ask("no command", TYPE(900), 0, -1, -1);
	ask("another client", 2 << 10 | 1, 0, -1, -1);
	send_wrongly();
	return 0;
}
