#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""neighbour.py: what neighbour.c does, in Python, without a library."""
import fcntl
import os
import select
import stat
import struct

CLASS_DIR = "/sys/class/infiniband"
MAD_DIR = "/sys/class/infiniband_mad/umad0"
DEVICE = "/dev/infiniband/umad0"
REGISTER_AGENT2 = 0xC0281B04
HEADER, MAD = 64, 256


def word_of(*path):
    """The first word of a file."""
    with open(os.path.join(*path), encoding="ascii") as file:
        return file.read().split()[0]


def list_devices():
    for name in sorted(os.listdir(CLASS_DIR)):
        print("device %s: GUID %s" % (name, word_of(CLASS_DIR, name, "node_guid")))
    kind = ", a character device" if stat.S_ISCHR(os.stat(DEVICE).st_mode) else ""
    print("umad0: port %s of %s%s" % (word_of(MAD_DIR, "port"), word_of(MAD_DIR, "ibdev"), kind))


def request(agent):
    umad = bytearray(HEADER + MAD)
    struct.pack_into("=III", umad, 0, agent, 0, 1000)  # agent, status, timeout in ms
    umad[28:30] = b"\xff\xff"  # LID: permissive
    # SMP by directed route, Get(NodeInfo), one hop by port 1
    struct.pack_into(">4BHBB4x4sHHI", umad, HEADER, 1, 0x81, 1, 1, 0, 0, 1, b"any!", 0x11, 0, 0)
    umad[HEADER + 32:HEADER + 36] = b"\xff" * 4
    umad[HEADER + 129] = 1
    return umad


def ask(device, agent):
    os.write(device, request(agent))
    if not select.select([device], [], [], 5)[0]:
        print("no answer: errno 0")
        return
    mad = os.read(device, HEADER + MAD)[HEADER:]
    print("neighbour: method 0x%x, TID %s, type %d, %d ports" %
          (mad[3], mad[12:16].decode(), mad[66], mad[67]))


def refused(call, function, *arguments):
    """Prints the error of a call."""
    result, errno = -1, 0
    try:
        result = function(*arguments)
    except OSError as error:
        errno = error.errno
    print("%s: %d, errno %d" % (call, result, errno))


def main():
    list_devices()
    device = os.open(DEVICE, os.O_RDWR)
    asked = bytearray(struct.pack("=IIBBHIQQI4x", 0, 0, 0x81, 1, 0, 0, 0, 0, 0))
    try:
        fcntl.ioctl(device, REGISTER_AGENT2, asked)
        ask(device, struct.unpack_from("=I", asked)[0])
    except OSError as error:
        print("register: errno %d" % error.errno)
    refused("write of 20 bytes", os.write, device, bytes(20))
    refused("write for agent 31", os.write, device, request(31))
    refused("read of 20 bytes", os.read, device, 20)
    refused("unknown ioctl", fcntl.ioctl, device, 0x1B09)
    os.close(device)


main()
