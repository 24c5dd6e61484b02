/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that speaks to a verbs device by system calls alone: what it may ask, and what becomes
 * of commands that are cut short, of a wrong size, or that nobody knows. Prints a line of each.
 *
 * "verbs": all of that. "verbs events": waits, and prints the events that come, until the last.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#define DEVICE "/dev/infiniband/uverbs0"
#define FAR ((void *)(uintptr_t)(UINT64_C(1) << 60))	/* no program has it */

static int fd;

static const char *errno_name(void)
{
	static char number[16];

	switch (errno) {
	case EACCES: return "EACCES";
	case EBADF: return "EBADF";
	case EFAULT: return "EFAULT";
	case EINVAL: return "EINVAL";
	case EIO: return "EIO";
	case EMFILE: return "EMFILE";
	case ENODATA: return "ENODATA";
	case ENODEV: return "ENODEV";
	case ENOENT: return "ENOENT";
	case ENOMEM: return "ENOMEM";
	case ENOSPC: return "ENOSPC";
	case ENOTTY: return "ENOTTY";
	case EOPNOTSUPP: return "EOPNOTSUPP";
	case EPROTONOSUPPORT: return "EPROTONOSUPPORT";
	case EAGAIN: return "EAGAIN";
	case ESPIPE: return "ESPIPE";
	}
	snprintf(number, sizeof(number), "errno %d", errno);
	return number;
}

/* Prints what a call has returned: a count, or its errno. */
static void tell(const char *name, long result)
{
	if (result < 0)
		printf("%s: %s\n", name, errno_name());
	else
		printf("%s: %ld\n", name, result);
}

/* ---- write(2) ---- */

static uint32_t command[256], answer[1024];

/* A command of 'size' bytes behind its header, with room for 'room' bytes; the caller's 'in'. */
static long send_command(uint32_t number, const void *in, size_t size, size_t room)
{
	struct ib_uverbs_cmd_hdr head = {
		number, (uint16_t)((sizeof(head) + size) / 4), (uint16_t)(room / 4),
	};

	memcpy(command, &head, sizeof(head));
	memcpy((char *)command + sizeof(head), in, size);
	return write(fd, command, sizeof(head) + size);
}

static long send_extended(uint32_t number, const void *in, size_t size, uint64_t response,
			  size_t room)
{
	struct ib_uverbs_cmd_hdr head = {
		number | IB_USER_VERBS_CMD_FLAG_EXTENDED, (uint16_t)(size / 8),
		(uint16_t)(room / 8),
	};
	struct ib_uverbs_ex_cmd_hdr more = { .response = response };

	memcpy(command, &head, sizeof(head));
	memcpy((char *)command + sizeof(head), &more, sizeof(more));
	memcpy((char *)command + sizeof(head) + sizeof(more), in, size);
	return write(fd, command, sizeof(head) + sizeof(more) + size);
}

static uint64_t at(void *memory)
{
	return (uintptr_t)memory;
}

static struct {
	uint64_t response;
	struct mlx5_ib_alloc_ucontext_req_v2 driver;
} context = {
	.driver = { .total_num_bfregs = 16, .num_low_latency_bfregs = 4, .max_cqe_version = 1,
		    .lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR },
};
enum { CONTEXT_ROOM = sizeof(struct ib_uverbs_get_context_resp) +
		      sizeof(struct mlx5_ib_alloc_ucontext_resp) };

static void write_wrongly(void)
{
	struct ib_uverbs_cmd_hdr head = { IB_USER_VERBS_CMD_QUERY_DEVICE, 4, 44 };
	struct ib_uverbs_query_device ask = { .response = at(answer) };

	tell("short header", write(fd, command, 4));
	tell("nothing", write(fd, command, 0));
	tell("no memory", write(fd, FAR, 16));
	tell("unmapped", write(fd, (void *)(uintptr_t)4096, 16));
	memcpy(command, &head, sizeof(head));
	tell("less than it says", write(fd, command, sizeof(head)));
	tell("no command", send_command(200, &ask, sizeof(ask), 176));
	tell("a gap in the commands", send_command(IB_USER_VERBS_CMD_POLL_CQ, &ask, sizeof(ask),
						   176));
	tell("flags", send_command(1 | 1u << 30, &ask, sizeof(ask), 176));
	tell("no extended command", send_extended(200, &ask, sizeof(ask), at(answer), 176));
	tell("query before context", send_command(IB_USER_VERBS_CMD_QUERY_DEVICE, &ask,
						  sizeof(ask), 176));
	tell("PD before context", send_command(IB_USER_VERBS_CMD_ALLOC_PD, &ask, sizeof(ask), 8));
}

static void get_context(void)
{
	struct ib_uverbs_get_context_resp *told = (void *)answer;
	struct mlx5_ib_alloc_ucontext_resp *driver = (void *)(told + 1);

	context.response = at(answer);
	tell("context, a small request", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context, 12,
						      CONTEXT_ROOM));
	tell("context, little room", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context,
						  sizeof(context), 4));
	context.driver.flags = MLX5_IB_ALLOC_UCTX_DEVX;
	tell("context with DevX", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context,
					       sizeof(context), CONTEXT_ROOM));
	context.driver.flags = 0;
	context.response = at(FAR);
	tell("context to nowhere", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context,
						sizeof(context), CONTEXT_ROOM));
	context.response = at(answer);
	tell("context", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context, sizeof(context),
				     CONTEXT_ROOM));
	printf("ports %u, CQEs %u, doorbells %u, bytes %u\n", driver->num_ports,
	       driver->cqe_version, driver->tot_bfregs, driver->response_length);
	tell("close-on-exec of its events", fcntl((int)told->async_fd, F_GETFD));
	fcntl((int)told->async_fd, F_SETFL, O_NONBLOCK);
	tell("no event", read((int)told->async_fd, command, sizeof(command)));
	tell("a write there", write((int)told->async_fd, command, 16));
	tell("an ioctl there", ioctl((int)told->async_fd, RDMA_VERBS_IOCTL, command));
	tell("context again", send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context,
					   sizeof(context), CONTEXT_ROOM));
}

static void query(void)
{
	struct ib_uverbs_query_device ask = { .response = at(answer) };
	struct ib_uverbs_query_port port = { .response = at(answer), .port_num = 1 };
	struct ib_uverbs_query_device_resp *device = (void *)answer;
	struct ib_uverbs_query_port_resp *told = (void *)answer;

	memset(answer, 0xff, sizeof(answer));
	tell("device", send_command(IB_USER_VERBS_CMD_QUERY_DEVICE, &ask, sizeof(ask), 184));
	printf("ports %u, then %x %x\n", device->phys_port_cnt, answer[44], answer[46]);
	tell("device, little room", send_command(IB_USER_VERBS_CMD_QUERY_DEVICE, &ask,
						 sizeof(ask), 172));
	ask.response = at(FAR);
	tell("device to nowhere", send_command(IB_USER_VERBS_CMD_QUERY_DEVICE, &ask, sizeof(ask),
					       176));
	tell("port", send_command(IB_USER_VERBS_CMD_QUERY_PORT, &port, sizeof(port), 40));
	printf("state %u, LID %u, SM's %u\n", told->state, told->lid, told->sm_lid);
	port.port_num = 0;
	tell("port 0", send_command(IB_USER_VERBS_CMD_QUERY_PORT, &port, sizeof(port), 40));
	port.port_num = 3;
	tell("port 3", send_command(IB_USER_VERBS_CMD_QUERY_PORT, &port, sizeof(port), 40));
	tell("port, a small request", send_command(IB_USER_VERBS_CMD_QUERY_PORT, &port, 8, 40));
}

static void query_extended(void)
{
	struct ib_uverbs_ex_query_device ask[2] = { { 0, 0 } };
	struct ib_uverbs_ex_query_device_resp *told = (void *)answer;
	const uint32_t number = IB_USER_VERBS_EX_CMD_QUERY_DEVICE;

	tell("device_ex", send_extended(number, ask, 8, at(answer), sizeof(*told)));
	printf("ports %u, length %u of %zu\n", told->base.phys_port_cnt, told->response_length,
	       sizeof(*told));
	tell("device_ex, some room", send_extended(number, ask, 8, at(answer), 184));
	printf("length %u\n", told->response_length);
	tell("device_ex, little room", send_extended(number, ask, 8, at(answer), 176));
	tell("device_ex, no room", send_extended(number, ask, 8, 0, 0));
	tell("device_ex, room nowhere", send_extended(number, ask, 8, 0, 184));
	tell("device_ex with a mask", (ask[0].comp_mask = 1,
	     send_extended(number, ask, 8, at(answer), 184)));
	ask[0].comp_mask = 0;
	ask[1].reserved = 7;
	tell("device_ex and more", send_extended(number, ask, 16, at(answer), 184));
}

static void make(void)
{
	uint64_t in[16] = { at(answer) };
	struct ib_uverbs_alloc_pd_resp *told = (void *)answer;
	unsigned int domains = 1;

	tell("PD", send_command(IB_USER_VERBS_CMD_ALLOC_PD, in, 8, 8));
	printf("handle %u\n", told->pd_handle);
	while (send_command(IB_USER_VERBS_CMD_ALLOC_PD, in, 8, 8) >= 0)
		domains++;
	printf("PDs: %u, then %s\n", domains, errno_name());
	memset(command, 0, sizeof(command));
	tell("no PD", send_command(IB_USER_VERBS_CMD_DEALLOC_PD, (uint32_t [1]){ 64 }, 4, 0));
	tell("PD away", send_command(IB_USER_VERBS_CMD_DEALLOC_PD, (uint32_t [1]){ 5 }, 4, 0));
	tell("twice", send_command(IB_USER_VERBS_CMD_DEALLOC_PD, (uint32_t [1]){ 5 }, 4, 0));
	tell("MR", send_command(IB_USER_VERBS_CMD_REG_MR, in, sizeof(struct ib_uverbs_reg_mr),
				sizeof(struct ib_uverbs_reg_mr_resp)));
	tell("MR, a small request", send_command(IB_USER_VERBS_CMD_REG_MR, in, 8, 12));
	tell("CQ", send_command(IB_USER_VERBS_CMD_CREATE_CQ, in,
				sizeof(struct ib_uverbs_create_cq), 8));
	tell("QP", send_command(IB_USER_VERBS_CMD_CREATE_QP, in,
				sizeof(struct ib_uverbs_create_qp),
				sizeof(struct ib_uverbs_create_qp_resp)));
	tell("QP_EX", send_extended(IB_USER_VERBS_EX_CMD_CREATE_QP, in, 64, at(answer), 64));
}

/* ---- ioctl(2) ---- */

static struct {
	/* struct ib_uverbs_ioctl_hdr */
	struct {
		uint16_t length, object_id, method_id, num_attrs;
		uint64_t reserved1;
		uint32_t driver_id, reserved2;
	} head;
	struct ib_uverbs_attr attributes[8];
} method;

static void begin(uint16_t object, uint16_t id)
{
	memset(&method, 0, sizeof(method));
	method.head.object_id = object;
	method.head.method_id = id;
	method.head.driver_id = RDMA_DRIVER_MLX5;
}

static void add(uint16_t id, uint16_t size, uint64_t data)
{
	method.attributes[method.head.num_attrs++] = (struct ib_uverbs_attr){
		.attr_id = id, .len = size, .flags = UVERBS_ATTR_F_MANDATORY, .data = data,
	};
}

static int call(void)
{
	method.head.length = (uint16_t)(sizeof(method.head) +
					method.head.num_attrs * sizeof(*method.attributes));
	return ioctl(fd, RDMA_VERBS_IOCTL, &method);
}

static void ask_gids(void)
{
	struct ib_uverbs_gid_entry entries[8];
	uint64_t count = 0;

	for (uint16_t size = 64; size >= 32; size -= 32) {
		begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE);
		add(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, 8, sizeof(*entries));
		add(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 4, 0);
		add(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, size, at(entries));
		add(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, 8, at(&count));
		tell("GIDs", call());
	}
	printf("%u entries, port %u, GID ending in %x\n", (unsigned int)count,
	       entries[1].port_num, ((uint8_t *)entries[1].gid)[15]);
	method.attributes[0].data = 0;
	tell("GIDs of no size", call());
	method.attributes[0].data = 24;
	tell("GIDs of an odd size", call());
	for (unsigned int i = 0; i < 9; i += i ? 7 : 1) {
		begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY);
		add(UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 8, 1);
		add(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 8, i);
		add(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 4, 0);
		add(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, sizeof(*entries), at(entries));
		tell("GID", call());
	}
}

static void ask_port(void)
{
	struct ib_uverbs_query_port_resp_ex port;

	begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	add(UVERBS_ATTR_QUERY_PORT_PORT_NUM, 8, 2);
	add(UVERBS_ATTR_QUERY_PORT_RESP, sizeof(port), at(&port));
	tell("port by ioctl", call());
	printf("LID %u, %s\n", port.legacy_resp.lid,
	       method.attributes[1].flags & UVERBS_ATTR_F_VALID_OUTPUT ? "valid" : "not valid");
	method.attributes[1].len = 8;
	tell("and little room", call());
	method.attributes[1].len = sizeof(port);
	method.attributes[1].data = at(FAR);
	tell("and room nowhere", call());
	method.head.num_attrs = 1;
	tell("and no room", call());
	add(UVERBS_ATTR_QUERY_PORT_PORT_NUM, 8, 2);
	tell("and twice the same", call());
	method.attributes[1].attr_id = 99;
	tell("and what nobody knows", call());
}

static void call_wrongly(void)
{
	tell("another ioctl", ioctl(fd, _IO(0x1b, 77)));
	tell("no memory", ioctl(fd, RDMA_VERBS_IOCTL, FAR));
	begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	method.head.length = 4;
	tell("a wrong length", ioctl(fd, RDMA_VERBS_IOCTL, &method));
	method.head.length = sizeof(method.head);
	method.head.num_attrs = UINT16_MAX;
	tell("a wrong count", ioctl(fd, RDMA_VERBS_IOCTL, &method));
	begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	method.head.driver_id = RDMA_DRIVER_MLX4;
	tell("another driver", call());
	begin(UVERBS_OBJECT_DEVICE, 99);
	tell("no method", call());
	begin(999, 0);
	tell("no object", call());
	begin(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
	tell("a CQ", call());
	begin(UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG);
	tell("an MR", call());
	begin(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	add(UVERBS_ATTR_WRITE_CMD, 8, IB_USER_VERBS_CMD_QUERY_DEVICE);
	tell("a command by ioctl, cut short", call());
}

/* ---- all ---- */

static void call_others(void)
{
	struct iovec part = { command, 16 };
	struct stat st = { .st_mode = 0 };
	int copy;

	fstat(fd, &st);
	printf("%o %u:%u\n", (unsigned int)st.st_mode, major(st.st_rdev), minor(st.st_rdev));
	tell("read", read(fd, answer, sizeof(answer)));
	tell("writev", writev(fd, &part, 1));
	tell("of nothing", writev(fd, &(struct iovec){ command, 0 }, 1));
	tell("lseek", lseek(fd, 0, SEEK_SET));
	tell("mmap", mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0);
	copy = dup(fd);
	tell("dup", copy < 0 ? -1 : 0);
	close(copy);
	copy = open(DEVICE, O_RDONLY);
	tell("a write of what is open for reading", write(copy, command, 16));
	close(copy);
	copy = dup2(fd, 7);
	tell("a write that no trap sees", write(copy, command, 16));
	close(copy);
}

static void open_many(void)
{
	unsigned int count = 0;
	int one, files[1024];

	while (count < 1024 && (one = open(DEVICE, O_RDWR | O_CLOEXEC)) >= 0)
		files[count++] = one;
	printf("%s, then %s\n", count > 8 && count < 200 ? "many" : "too few or too many",
	       errno_name());
	while (count > 0)
		close(files[--count]);
	tell("and again", (one = open(DEVICE, O_RDWR | O_CLOEXEC)) < 0 ? -1 : 0);
	close(one);
}

static int print_events(void)
{
	struct ib_uverbs_get_context_resp *told = (void *)answer;
	struct ib_uverbs_async_event_desc event;
	ssize_t n;

	context.response = at(answer);
	if (send_command(IB_USER_VERBS_CMD_GET_CONTEXT, &context, sizeof(context),
			 CONTEXT_ROOM) < 0)
		return 1;
	printf("waits\n");
	fflush(stdout);
	if (poll(&(struct pollfd){ (int)told->async_fd, POLLIN, 0 }, 1, 20000) == 1)
		tell("too little room", read((int)told->async_fd, &event, 8));
	while ((n = read((int)told->async_fd, &event, sizeof(event))) == sizeof(event)) {
		printf("event %u of port %u\n", event.event_type, (unsigned int)event.element);
		fflush(stdout);
	}
	tell("the end", n);
	tell("a command then", send_command(IB_USER_VERBS_CMD_QUERY_DEVICE,
					    &(struct ib_uverbs_query_device){ at(answer) }, 8,
					    176));
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror(DEVICE);
		return 1;
	}
	if (argc > 1)
		return print_events();
	call_others();
	write_wrongly();
	get_context();
	query();
	query_extended();
	make();
	ask_port();
	ask_gids();
	call_wrongly();
	open_many();
	return 0;
}
