/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: the messages between a kernel, whose HCAs are virtual, and the fabric, which is a
 * program. The same on both transports: /dev/umadrig_hca (a character device, read(2) and write(2))
 * and a virtio device. For the kernel and for user space; no function here, only layouts.
 *
 * A message is a header of 48 bytes and a payload, never longer than UMADRIG_HCA_UP_MAX or
 * UMADRIG_HCA_DOWN_MAX together. "Up" is from the kernel to the fabric, "down" from the fabric to
 * the kernel. Numbers are little endian (__le); GUIDs, GIDs and MADs are as on the wire (__be).
 * Fields that a type does not name are zero, and are not looked at. Messages of one direction
 * arrive in the order in which they were sent.
 *
 * A session
 *   1. The transport is there: the character device is opened, or the virtio driver is probed.
 *   2. Up: HELLO for each HCA that there already is (a fabric before this one made it), then
 *      READY, once.
 *   3. Down: ADD for each HCA that is to be. The kernel registers it and says HELLO, with an
 *      errno where that failed. Registering asks: a QUERY of the new HCA may come before its HELLO,
 *      and is to be answered. Nothing else is to be sent for an HCA before its HELLO; it would be
 *      dropped and counted.
 *   4. Down: GIDS, PKEYS, PORT for each port, in this order, then whatever changes. MAD, QUERY and
 *      REPLY, CAPABILITY, NODE_DESCRIPTION as they come.
 *      DATAGRAM is what MAD is for QPs from 2 on (IPoIB's): longer packets, in pieces where one
 *      message is too short. Pieces of two datagrams of a port are not mixed, but a piece may be
 *      lost, and with it all of the datagram.
 *   5. Down: REMOVE. Up: GONE, after which the number may be used again. What is sent for the
 *      HCA in between is dropped.
 *   6. The transport ends (close(2), reset): all ports are down at once, which is as if the cables
 *      were out. HCAs of the character device stay, and have HELLO in the next session; those of a
 *      virtio device go with it.
 *
 * Guests. A kernel that runs as a guest on virtio has /dev/umadrig_guest, which its init opens.
 * What has a type from UMADRIG_HCA_GUEST_FIRST on is passed through between that file and the
 * fabric as it is, one message for each read(2) and write(2), and means:
 *   1. Up: GUEST_READY, once: init has opened the file. What comes down before it waits, as what
 *      init has not read yet: UMADRIG_GUEST_QUEUE_MAX bytes; more is dropped and counted.
 *   2. Down: RUN, in as many pieces as are needed; 'sequence' is the number of the program,
 *      which the fabric chooses. Several programs may run at once. Pieces of two RUNs may not be
 *      mixed.
 *   3. Up: STARTED, with an errno where that failed, and then nothing more for that number.
 *   4. Down: STDIN with bytes, at most as many as the guest has room for: UMADRIG_GUEST_WINDOW, and
 *      what TAKEN gives back. STDIN without bytes is the end of the input. SIGNAL.
 *   5. Up: STDOUT and STDERR with bytes, in the order in which the program wrote into each;
 *      without bytes: closed by all who had it. EXITED, which comes after all that the program
 *      wrote before it ended. A child that it left behind may write on, until the guest is switched
 *      off.
 *   6. Down: FILE_OPEN, then calls on that file, each with one FILE_DONE as its answer; 'sequence'
 *      is the number of the file, which the fabric chooses, apart from those of programs. The file
 *      is not blocking. What init calls is the kernel's, so that the errnos are.
 *   7. Down: POWER_OFF. Up: POWERING_OFF, the last message. The transport ends.
 * Times are those of the instant at which the transport had the message.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_HCA_UMADRIG_HCA_H
#define UMADRIG_KMOD_STUB_LINUX_HCA_UMADRIG_HCA_H

#include <linux/types.h>

/* Changes with every message, and with all that an older kernel or fabric would not know. */
#define UMADRIG_HCA_VERSION		2
#define UMADRIG_HCA_UP_MAX		4096	/* bytes of a message, with its header */
#define UMADRIG_HCA_DOWN_MAX		1024
#define UMADRIG_HCA_GRH_SIZE		40
#define UMADRIG_HCA_MAD_SIZE		256
#define UMADRIG_HCA_DATAGRAM_MAX	4096	/* bytes: the largest MTU's */
#define UMADRIG_HCA_PORTS_MAX		2
#define UMADRIG_HCA_HCAS_MAX		64	/* numbers are 0 to 63 */
#define UMADRIG_HCA_PKEYS_MAX		128
#define UMADRIG_HCA_GIDS_MAX		32
#define UMADRIG_HCA_DESCRIPTION_SIZE	64
#define UMADRIG_HCA_NAME_SIZE		32

/* The virtio device: two queues, and what its configuration space has. */
#define UMADRIG_HCA_VIRTIO_ID		1405	/* of no other device that is assigned */
#define UMADRIG_HCA_VIRTIO_MAGIC	0x48494d55	/* "UMIH" */
#define UMADRIG_HCA_QUEUE_UP		0	/* buffers of up to UP_MAX, one message each */
#define UMADRIG_HCA_QUEUE_DOWN		1	/* buffers of DOWN_MAX, one message each */

struct umadrig_hca_config {
	__le32 magic;
	__le32 version;
	__le32 reserved[2];
};	/* 16 */

/*
 * A device with another magic or version is refused by the driver. The device side should mark a
 * buffer of QUEUE_UP as used before it answers the kick, so that the driver can free it at once; it
 * does not wait for that.
 */

enum umadrig_hca_type {
	/* both ways: a packet. Payload: GRH (40 bytes, if FLAG_GRH), MAD (up to 256). port,
	 * source_qp, destination_qp, qkey, slid, dlid, pkey, sl as on the wire. Up: the Q_Key that
	 * the kernel means, the P_Key of the port's table, the SLID with path bits. Down: with the
	 * DLID that it was sent to.
	 */
	UMADRIG_HCA_MAD = 1,
	/* up: process_mad asks (payload: MAD), under 'sequence'; with FLAG_SYSFS there is no packet
	 * behind it (a counter in sysfs). It waits UMADRIG_HCA_QUERY_MS of the kernel's time, then
	 * fails.
	 */
	UMADRIG_HCA_QUERY = 2,
	/* down: the answer to QUERY 'sequence': value = bits of UMADRIG_HCA_RESULT_*, payload: the
	 * MAD that answers, 256 bytes, if REPLY is among them. 'hca' and 'port' are not looked at.
	 */
	UMADRIG_HCA_REPLY = 3,
	/*
	 * up: value = the port's CapabilityMask, which the kernel has changed (IsSM by issmN, CM)
	 */
	UMADRIG_HCA_CAPABILITY = 4,
	/* up: payload: 64 bytes, the NodeDescription, written by sysfs */
	UMADRIG_HCA_NODE_DESCRIPTION = 5,
	/* down: payload: struct umadrig_hca_port, all of it, which replaces what was. The
	 * difference makes the kernel's events: prefix GID_CHANGE, lid and lmc LID_CHANGE, sm_lid
	 * and sm_sl SM_CHANGE, state PORT_ACTIVE or PORT_ERR, FLAG_REREGISTER CLIENT_REREGISTER; in
	 * this order.
	 */
	UMADRIG_HCA_PORT = 6,
	/*
	 * down: payload: __le16 of each P_Key from index 0 on; the rest of the table is 0.
	 * PKEY_CHANGE.
	 */
	UMADRIG_HCA_PKEYS = 7,
	/* down: payload: __be64 of each GUID from index 0 on (0: the port's own); the rest is 0. A
	 * GID is the port's prefix and the GUID. GID_CHANGE.
	 */
	UMADRIG_HCA_GIDS = 8,
	/*
	 * down: payload: struct umadrig_hca_description: an HCA is to be made, with number 'hca'.
	 * Another node type than a CA's fails with EOPNOTSUPP.
	 */
	UMADRIG_HCA_ADD = 9,
	/* up: payload: struct umadrig_hca_description, as it is now: the name is the kernel's, and
	 * NODE_DESCRIPTION and CAPABILITY have changed it. value = 0, or the errno (positive) that
	 * ADD failed with: there is no such HCA then
	 */
	UMADRIG_HCA_HELLO = 10,
	/* down: the HCA is to go */
	UMADRIG_HCA_REMOVE = 11,
	/* up: it has gone; value = 0, or ENODEV: there was none */
	UMADRIG_HCA_GONE = 12,
	/* up: all HCAs have said HELLO; value = how many there are */
	UMADRIG_HCA_READY = 13,
	/* up: a packet from the fabric was dropped, as its key was wrong: value = one of
	 * UMADRIG_HCA_VIOLATION_*, the header's other fields are the packet's. No payload.
	 */
	UMADRIG_HCA_VIOLATION = 14,
	/* down: no payload. up: payload: struct umadrig_hca_counters, of the port */
	UMADRIG_HCA_COUNTERS = 15,
	/*
	 * both ways: a packet between QPs from 2 on, or to a group (destination_qp 0xffffff), or a
	 * piece of one. Payload of all pieces together: GRH (40 bytes, if FLAG_GRH), datagram (up
	 * to UMADRIG_HCA_DATAGRAM_MAX), 'value' bytes; of this piece: those from 'offset' on. The
	 * first piece's header counts: fields as of MAD, and 'psn'. Pieces come in their order.
	 */
	UMADRIG_HCA_DATAGRAM = 16,

	/* ---- of a guest, see above ---- */
	/* up */
	UMADRIG_GUEST_READY = 64,
	/* down: a piece of: directory, NUL, number of arguments in decimal, NUL, each argument with
	 * its NUL, each NAME=value of the whole environment with its NUL. FLAG_MORE: more pieces
	 * come. At most UMADRIG_GUEST_RUN_MAX bytes together. value, in the last piece:
	 * UMADRIG_GUEST_RUN_* bits
	 */
	UMADRIG_GUEST_RUN = 65,
	/* up: value = 0, or the errno of chdir or execve */
	UMADRIG_GUEST_STARTED = 66,
	/* down */
	UMADRIG_GUEST_STDIN = 67,
	/*
	 * up: value = bytes of its input that the program, or its pipe, has taken since the last
	 * TAKEN
	 */
	UMADRIG_GUEST_TAKEN = 68,
	/* up */
	UMADRIG_GUEST_STDOUT = 69,
	UMADRIG_GUEST_STDERR = 70,
	/*
	 * down: value = the number of the signal; for the program's process group. Nothing, if it
	 * ended.
	 */
	UMADRIG_GUEST_SIGNAL = 71,
	/* up: value = the status as of wait(2) */
	UMADRIG_GUEST_EXITED = 72,
	/* down: programs are killed, and the guest is switched off */
	UMADRIG_GUEST_POWER_OFF = 73,
	/* up */
	UMADRIG_GUEST_POWERING_OFF = 74,
	/*
	 * up: payload: a line of text, not ended: what init cannot do, such as mount a file system
	 */
	UMADRIG_GUEST_MESSAGE = 75,
	/*
	 * down: a device file is to be opened: value = one of UMADRIG_GUEST_FILE_*, of port 'port'
	 * of the HCA whose name is the payload
	 */
	UMADRIG_GUEST_FILE_OPEN = 76,
	/* down: value = the request; payload: what its argument points to, or nothing: NULL */
	UMADRIG_GUEST_FILE_IOCTL = 77,
	/* down: payload: a piece of what is to be written at once; FLAG_MORE: more pieces come */
	UMADRIG_GUEST_FILE_WRITE = 78,
	/* down: value = how many bytes. Up, before FILE_DONE: as many FILE_DATA as are needed */
	UMADRIG_GUEST_FILE_READ = 79,
	UMADRIG_GUEST_FILE_DATA = 80,
	/* down */
	UMADRIG_GUEST_FILE_CLOSE = 81,
	/*
	 * up: value = what the call has returned, a negative errno as two's complement; payload:
	 * __le32 as of poll(2) after it, then what an ioctl's argument points to
	 */
	UMADRIG_GUEST_FILE_DONE = 82,
	/* up: value = as of poll(2), which it was not at the last FILE_DONE or FILE_READY */
	UMADRIG_GUEST_FILE_READY = 83,
};

/* value of FILE_OPEN */
#define UMADRIG_GUEST_FILE_UMAD		0
#define UMADRIG_GUEST_FILE_ISSM		1
/* Bytes of one write at most, and of one read. */
#define UMADRIG_GUEST_FILE_MAX		(32 << 20)

#define UMADRIG_HCA_GUEST_FIRST		64

/* flags */
#define UMADRIG_HCA_FLAG_GRH		0x01	/* MAD, DATAGRAM */
#define UMADRIG_HCA_FLAG_SYSFS		0x02	/* QUERY */
#define UMADRIG_HCA_FLAG_REREGISTER	0x04	/* PORT: SubnSet(PortInfo) had ClientReregister */
#define UMADRIG_HCA_FLAG_MORE		0x08	/* RUN, FILE_WRITE */

#define UMADRIG_HCA_QUERY_MS		2000

/* value of REPLY: as the kernel's IB_MAD_RESULT_* */
#define UMADRIG_HCA_RESULT_SUCCESS	0x1
#define UMADRIG_HCA_RESULT_REPLY	0x2
#define UMADRIG_HCA_RESULT_CONSUMED	0x4

/* value of VIOLATION */
#define UMADRIG_HCA_VIOLATION_PKEY	1
#define UMADRIG_HCA_VIOLATION_QKEY	2

/* value of RUN */
#define UMADRIG_GUEST_RUN_NO_STDIN	0x1	/* the input is /dev/null: no STDIN will come */

#define UMADRIG_GUEST_WINDOW		65536
#define UMADRIG_GUEST_RUN_MAX		(1 << 20)
#define UMADRIG_GUEST_QUEUE_MAX		(4 << 20)

struct umadrig_hca_header {
	__le32 length;		/* of the message, with this header */
	__u8 version;		/* UMADRIG_HCA_VERSION */
	__u8 type;		/* enum umadrig_hca_type */
	__u8 hca;		/* its number, as ADD gave it */
	__u8 port;		/* 1 or 2; 0: the HCA itself */
	__le32 sequence;	/* QUERY, REPLY; of a guest: the program */
	__le32 value;
	__le32 source_qp;
	__le32 destination_qp;
	__le32 qkey;
	__le16 slid;
	__le16 dlid;
	__le16 pkey;
	__u8 sl;
	__u8 flags;
	__le32 offset;
	__le32 psn;
	__le32 reserved;
};	/* 48 */

/* ADD, HELLO */
struct umadrig_hca_description {
	__be64 node_guid;
	__be64 system_guid;
	__be64 port_guids[UMADRIG_HCA_PORTS_MAX];
	__le32 capabilities[UMADRIG_HCA_PORTS_MAX];	/* CapabilityMasks */
	__le16 pkeys;		/* size of each port's P_Key table, 1 to PKEYS_MAX */
	__u8 gids;		/* size of each port's GID table, 1 to GIDS_MAX */
	__u8 ports;		/* 1 or 2 */
	__u8 node_type;		/* as in NodeInfo: 1, a CA */
	__u8 reserved[3];
	__le32 vendor_id;
	__le32 device_id;
	__le32 hardware_revision;
	__le32 reserved2;
	/* "umadrig0": the device's name in sysfs, NUL-ended. Empty: "umadrig%d" */
	char name[UMADRIG_HCA_NAME_SIZE];
	char type_name[UMADRIG_HCA_NAME_SIZE];		/* sysfs' hca_type */
	char firmware[UMADRIG_HCA_NAME_SIZE];		/* sysfs' fw_ver */
	__u8 node_description[UMADRIG_HCA_DESCRIPTION_SIZE];
};	/* 224 */

/* PORT; encodings of PortInfo, unless it is said otherwise */
struct umadrig_hca_port {
	__be64 prefix;
	__le16 lid;
	__le16 sm_lid;
	__u8 lmc;
	__u8 sm_sl;
	__u8 state;		/* 1 down, 2 init, 3 armed, 4 active */
	__u8 physical_state;	/* 2 polling, 3 disabled, 5 link up, ... */
	/* active: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x; never 0, also when it is down */
	__u8 width;
	__u8 mtu;		/* active: 1 256 ... 5 4096 */
	__u8 mtu_max;
	__u8 vls;		/* VLCap: 1 VL0, 2 VL0-1, 3 VL0-3, ... */
	__u8 subnet_timeout;
	__u8 init_type_reply;
	/* as the kernel's enum ib_port_speed: 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR, 32 EDR, 64 HDR,
	 * 128 NDR, 256 XDR; never 0
	 */
	__le16 speed;
	__le32 max_message_size;
	__le32 reserved;
};	/* 32 */

/* COUNTERS: since the HCA was made; of the transport: since the module was loaded */
struct umadrig_hca_counters {
	__le64 sent;			/* packets up */
	__le64 received;		/* packets down, given to the kernel */
	__le64 no_buffer;		/* dropped: the QP has no receive posted */
	__le64 no_qp;			/* dropped: there is no such QP, or it does not receive */
	__le64 bad_pkey;
	__le64 bad_qkey;
	__le64 too_long;		/* dropped: longer than the receive buffer */
	__le64 up_dropped;		/* of all HCAs: no room in the queue, or nobody reads it */
	__le64 down_dropped;		/* of all HCAs: malformed, or for what is not there */
};	/* 72 */

#endif
