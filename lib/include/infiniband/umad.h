/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad.h: InfiniBand management datagrams from user space.
 *
 * The interface of libibumad.so.3 as every distribution ships it: same names, same numbers, same
 * layout. umad(7) is an overview; each call has a manual page of its own.
 *
 * A handle ("portid") is a real file descriptor: a program may pass it to poll, select or epoll.
 * Unless a comment says otherwise a call returns a negative errno value on failure and sets errno.
 */
#ifndef _UMAD_H
#define _UMAD_H

#include <arpa/inet.h>
#include <endian.h>
#include <linux/types.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Older names of the kernel's big-endian types. */
typedef __be16 __attribute__((deprecated)) be16_t;
typedef __be32 __attribute__((deprecated)) be32_t;
typedef __be64 __attribute__((deprecated)) be64_t;

#define UMAD_MAX_DEVICES 128
#define UMAD_ANY_PORT 0

/* The kernel's side: ABI version and ioctls of /dev/infiniband/umadN. */
#define IB_UMAD_ABI_VERSION 5
#define IB_UMAD_ABI_DIR "/sys/class/infiniband_mad"
#define IB_UMAD_ABI_FILE "abi_version"

#define IB_IOCTL_MAGIC 0x1b

/*
 * For programs that make the ioctls themselves, with <sys/ioctl.h> and their own request structs.
 */
#define IB_USER_MAD_REGISTER_AGENT _IOWR(IB_IOCTL_MAGIC, 1, struct ib_user_mad_reg_req)
#define IB_USER_MAD_UNREGISTER_AGENT _IOW(IB_IOCTL_MAGIC, 2, uint32_t)
#define IB_USER_MAD_ENABLE_PKEY _IO(IB_IOCTL_MAGIC, 3)
#define IB_USER_MAD_REGISTER_AGENT2 _IOWR(IB_IOCTL_MAGIC, 4, struct ib_user_mad_reg_req2)

/* Sizes of the fixed arrays below. */
#define UMAD_CA_NAME_LEN 20
#define UMAD_CA_MAX_PORTS 10
#define UMAD_CA_MAX_AGENTS 32
#define UMAD_MAX_PORTS 192

/* Names in sysfs. */
#define SYS_INFINIBAND_MAD "/sys/class/infiniband_mad"
#define SYS_IB_MAD_PORT "port"
#define SYS_IB_MAD_DEV "ibdev"

#define SYS_INFINIBAND "/sys/class/infiniband"
#define SYS_CA_PORTS_DIR "ports"
#define SYS_NODE_TYPE "node_type"
#define SYS_CA_FW_VERS "fw_ver"
#define SYS_CA_HW_VERS "hw_rev"
#define SYS_CA_TYPE "hca_type"
#define SYS_CA_NODE_GUID "node_guid"
#define SYS_CA_SYS_GUID "sys_image_guid"

#define SYS_PORT_LMC "lid_mask_count"
#define SYS_PORT_SMLID "sm_lid"
#define SYS_PORT_SMSL "sm_sl"
#define SYS_PORT_LID "lid"
#define SYS_PORT_STATE "state"
#define SYS_PORT_PHY_STATE "phys_state"
#define SYS_PORT_CAPMASK "cap_mask"
#define SYS_PORT_RATE "rate"
#define SYS_PORT_GUID "port_guid"
#define SYS_PORT_GID "gids/0"
#define SYS_PORT_LINK_LAYER "link_layer"

/* A GID: 16 bytes, or prefix and interface id. Aligned to 4 bytes. */
union umad_gid {
	uint8_t raw[16];
	__be16 raw_be16[8];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} global;
} __attribute__((packed)) __attribute__((aligned(4)));

/* The other end of a MAD: where it goes, or where it came from. */
typedef struct ib_mad_addr {
	__be32 qpn;
	__be32 qkey;
	__be16 lid;
	uint8_t sl;
	uint8_t path_bits;
	uint8_t grh_present;	/* not 0: the five fields up to flow_label are used */
	uint8_t gid_index;
	uint8_t hop_limit;
	uint8_t traffic_class;
	union {
		uint8_t gid[16];
		union umad_gid ib_gid;
	};
	__be32 flow_label;
	uint16_t pkey_index;	/* host order */
	uint8_t reserved[6];
} ib_mad_addr_t;

/* The header before every MAD, in host order except 'addr'. */
typedef struct ib_user_mad {
	uint32_t agent_id;
	uint32_t status;	/* received: 0, or ETIMEDOUT for an own request without answer */
	uint32_t timeout_ms;
	uint32_t retries;
	uint32_t length;	/* received: bytes of header and MAD */
	ib_mad_addr_t addr;
	uint8_t data[0];	/* the MAD */
} ib_user_mad_t;

/* A port of this host. Numbers are in host order unless their type says otherwise. */
typedef struct umad_port {
	char ca_name[UMAD_CA_NAME_LEN];
	int portnum;
	unsigned base_lid;
	unsigned lmc;
	unsigned sm_lid;
	unsigned sm_sl;
	unsigned state;		/* 1 Down, 2 Initialize, 3 Armed, 4 Active */
	unsigned phys_state;	/* 1 Sleep, 2 Polling, 3 Disabled, 4 Training, 5 LinkUp, ... */
	unsigned rate;		/* Gb/s, rounded down; 0 if the port has none */
	__be32 capmask;
	__be64 gid_prefix;
	__be64 port_guid;
	unsigned pkeys_size;
	uint16_t *pkeys;	/* host order; umad_release_port() frees it */
	char link_layer[UMAD_CA_NAME_LEN];
} umad_port_t;

/* A channel adapter (or a switch, or a router) of this host. */
typedef struct umad_ca {
	char ca_name[UMAD_CA_NAME_LEN];
	unsigned node_type;	/* 1 CA, 2 switch, 3 router */
	int numports;		/* the highest port number in 'ports', not a count */
	char fw_ver[20];
	char ca_type[40];
	char hw_ver[20];
	__be64 node_guid;
	__be64 system_guid;
	umad_port_t *ports[UMAD_CA_MAX_PORTS];	/* by port number; NULL: no such port */
} umad_ca_t;

/* Both halves of a port whose SMI and GSI are on different devices; usually they are the same. */
struct umad_ca_pair {
	char smi_name[UMAD_CA_NAME_LEN];	/* "": the port has no SMI */
	uint32_t smi_preferred_port;
	char gsi_name[UMAD_CA_NAME_LEN];
	uint32_t gsi_preferred_port;
};

/* A list of devices. */
struct umad_device_node {
	struct umad_device_node *next;
	const char *ca_name;
};

/* Flags of struct umad_reg_attr. */
enum {
	UMAD_USER_RMPP = (1 << 0),	/* the program does RMPP itself, segment by segment */
};

/* What umad_register2() registers. */
struct umad_reg_attr {
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint32_t flags;
	uint64_t method_mask[2];	/* bit m % 64 of word m / 64: requests of method m */
	uint32_t oui;			/* host order; classes 0x30 to 0x4f only */
	uint8_t rmpp_version;
};

/*
 * Chooses the backend that UMAD_BACKEND names, unless an earlier call did. 0, or -1 with errno
 * and a message on stderr if it is not available. Every other call does the same if it is the
 * first.
 */
int umad_init(void);
/*
 * In a simulation: lets the calling thread see the devices of node 'host'; NULL: those of its first
 * host. Handles stay with their host, and every thread may use them. 0; -ENOENT: there is no such
 * host; -EOPNOTSUPP: the devices are real.
 */
int umad_host_enter(const char *host);
/* Does nothing; open handles stay open. 0. */
int umad_done(void);

/*
 * Writes the names of up to 'max' CAs, switches and routers to 'cas', sorted; one that does not fit
 * into UMAD_CA_NAME_LEN is omitted. Returns their number, -1 if they cannot be read.
 */
int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max);

/*
 * Writes up to 'max' port GUIDs to 'portguids', that of port N to entry N (0: no such port).
 * Returns the number of entries written. 'ca_name' NULL: the default CA. 'portguids' NULL: writes
 * nothing, 0.
 */
int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max);

/*
 * Opens port 'portnum' of 'ca_name'. NULL leaves the CA, 0 the port to the library: the first by
 * name, InfiniBand before Ethernet, active before the others. Returns the handle; -ENODEV none
 * matches, -EINVAL no such port or it has no umad device, -EIO it cannot be opened (errno says
 * why), -EOPNOTSUPP ib_umad is not loaded or has another ABI.
 */
int umad_open_port(const char *ca_name, int portnum);
/* The same, but only for a port with a subnet management interface; -EINVAL: the port has none. */
int umad_open_smi_port(const char *ca_name, int portnum);

/* Reads a CA, NULL: the default one; umad_release_ca() frees the result. */
int umad_get_ca(const char *ca_name, umad_ca_t *ca);
int umad_release_ca(umad_ca_t *ca);
/* Reads a port, chosen as by umad_open_port(); umad_release_port() frees the result. */
int umad_get_port(const char *ca_name, int portnum, umad_port_t *port);
int umad_release_port(umad_port_t *port);

/* Closes; 0, or -EINVAL if 'portid' is not open. */
int umad_close_port(int portid);

/* The MAD after the header, and the size of the header. Never fail. */
void *umad_get_mad(void *umad);
size_t umad_size(void);
/* The header's status: 0, or ETIMEDOUT for a request without answer. */
int umad_status(void *umad);
ib_mad_addr_t *umad_get_mad_addr(void *umad);

/*
 * Set the GRH from an ib_mad_addr_t, all of it except gid_index; NULL: no GRH. umad_set_grh() takes
 * its flow_label in host order, umad_set_grh_net() in network order. Both return 0.
 */
int umad_set_grh_net(void *umad, void *mad_addr);
int umad_set_grh(void *umad, void *mad_addr);
/* Set the destination, from network or from host order. 0. */
int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey);
int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey);
/* The P_Key's index in the port's table. */
int umad_set_pkey(void *umad, int pkey_index);
int umad_get_pkey(void *umad);

/* The path of the port's issm device; while that is open the port has IsSM set. */
int umad_get_issm_path(const char *ca_name, int portnum, char path[], int max);

/*
 * Sends the 'length' bytes of MAD that follow the header 'umad'. timeout_ms 0: no answer is
 * expected; negative: one is awaited for ever; otherwise the MAD is returned with status ETIMEDOUT
 * after (1 + retries) * timeout_ms. 0; -EINVAL bad handle, agent or buffer; -EIO not sent (errno
 * says why).
 */
int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries);

/*
 * Waits up to 'timeout_ms' (negative: for ever; 0: not at all) and reads a message into 'umad',
 * which has room for umad_size() + *length bytes. Returns the agent's id, and the MAD's size in
 * '*length'. -ETIMEDOUT; -EWOULDBLOCK no message; -ENOSPC: the first 256 bytes were read, '*length'
 * is the size needed, and the message can be read again; -EINVAL bad handle, or less than 256
 * bytes; -EIO.
 */
int umad_recv(int portid, void *umad, int *length, int timeout_ms);
/* Waits like umad_recv() without reading: 0 there is a message, -ETIMEDOUT, -EINVAL, -EIO. */
int umad_poll(int portid, int timeout_ms);
/* The descriptor to poll, which is 'portid'; -EINVAL if that is not open. */
int umad_get_fd(int portid);

/*
 * Register an agent for a class: its id (>= 0), -EINVAL bad handle (or, _oui, class not in 0x30 to
 * 0x4f), -EPERM refused (errno says why). 'method_mask' has a bit for each method of requests
 * to receive; NULL: none, answers only.
 */
int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)]);
int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)]);
/*
 * The same with every attribute. Returns 0 or a positive errno; if flags were refused,
 * attr->flags is set to those that are supported.
 */
int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id);
/* 0, -EINVAL bad handle or agent, or another negative errno. */
int umad_unregister(int portid, int agentid);

/* Sets how much is written to stderr, 0 to 2 (negative: unchanged), and returns it. */
int umad_debug(int level);
void umad_addr_dump(ib_mad_addr_t *addr);
void umad_dump(void *umad);

/*
 * All devices, sorted by name; umad_free_ca_device_list() frees the list. NULL with errno 0: there
 * are none; NULL with another errno: they cannot be read.
 */
struct umad_device_node *umad_get_ca_device_list(void);
void umad_free_ca_device_list(struct umad_device_node *head);
/*
 * Sorts a list by name. 'size' is its length, 0: count it. Returns 0, or (positive) EINVAL if
 * 'size' is wrong, ENOMEM.
 */
int umad_sort_ca_device_list(struct umad_device_node **head, size_t size);

/* Writes up to 'max' SMI/GSI pairs, one for each port GUID. Returns their number, -1 on error. */
int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max);
/*
 * The pair that 'devname' (NULL: any) belongs to and that has port 'portnum' (0: any usable).
 * 'enforce_smi': only one with an SMI. 0, or another value on failure (see the manual page).
 */
int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum,
				     struct umad_ca_pair *ca_pair, unsigned enforce_smi);

/* 'num' zeroed buffers of 'size' bytes each; NULL: no memory. */
static inline void *umad_alloc(int num, size_t size)
{
	return calloc(num, size);
}

static inline void umad_free(void *umad)
{
	free(umad);
}

/* Old helpers; <endian.h> has htobe64 and be64toh. */
#ifndef ntohll
static inline uint64_t __attribute__((deprecated)) ntohll(uint64_t x)
{
	return be64toh(x);
}
#define ntohll ntohll
#endif
#ifndef htonll
static inline uint64_t __attribute__((deprecated)) htonll(uint64_t x)
{
	return htobe64(x);
}
#define htonll htonll
#endif

#ifdef __cplusplus
}
#endif
#endif
