# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What a program of a session may ask of a guest, wrongly: each line says what came of it.

Run in a session whose host H1 is a guest, and H2 is none. "ended": the server ends the connection.
"""
import array
import errno
import os
import re
import socket
import struct

HELLO, STREAM, RUN, SIGNAL = 1, 22, 23, 24
MAGIC = 0x64616D75
PROTOCOL = os.path.join(os.path.dirname(__file__), "../../lib/attach/protocol.h")
with open(PROTOCOL, encoding="utf-8") as header:
    VERSION = int(re.search(r"define ATTACH_VERSION (\d+)", header.read()).group(1))
INPUT, OUTPUT, ERRORS, END = range(4)
path = os.environ["UMAD_BACKEND"].split(":", 1)[1].split(",")[0]
null = os.open("/dev/null", os.O_RDWR)
words = struct.pack("<I", 1) + b"/\0echo\0A=b\0"


def call(server, op, argument=0, payload=b"", fd=-1):
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))] if fd >= 0 else []
    try:
        server.sendmsg([struct.pack("<IIQ", op, argument, 0) + payload], rights)
        reply = server.recv(65536)
    except (BrokenPipeError, ConnectionResetError):
        reply = b""
    if not reply:
        return "ended"
    result = struct.unpack_from("<q", reply)[0]
    return errno.errorcode[-result] if result < 0 else str(result)


def connect(host):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.connect(path)
    call(server, HELLO, 0, struct.pack("<II256s40s", MAGIC, VERSION, host.encode(), b""))
    return server


def equipped(*streams):
    server = connect("H1")
    for stream in streams or (OUTPUT, ERRORS, END):
        call(server, STREAM, stream, b"", null)
    return server


def say(what, server, *arguments, **more):
    print(f"{what}: {call(server, *arguments, **more)}", flush=True)


def file_of(size):
    fd = os.memfd_create("words")
    os.truncate(fd, size)
    return fd


say("no guest", connect("H2"), STREAM, OUTPUT, fd=null)
say("no descriptor", connect("H1"), STREAM, OUTPUT)
say("no such stream", connect("H1"), STREAM, 4, fd=null)
say("a stream twice", equipped(OUTPUT), STREAM, OUTPUT, fd=null)
say("nothing to write to", connect("H1"), RUN, 0, words)
say("no end", equipped(OUTPUT, ERRORS), RUN, 0, words)
say("no words", equipped(), RUN, 0, b"")
say("no argument", equipped(), RUN, 0, struct.pack("<I", 0) + words[4:])
say("more arguments than texts", equipped(), RUN, 0, struct.pack("<I", 4) + words[4:])
say("very many", equipped(), RUN, 0, struct.pack("<I", 2**32 - 1) + words[4:])
say("a text without its end", equipped(), RUN, 0, words[:-1])
say("a file that is longer than its text", equipped(), RUN, 100, fd=file_of(10))
say("too long", equipped(), RUN, 2 << 20, fd=file_of(2 << 20))
say("a pipe", equipped(), RUN, 10, fd=os.pipe()[0])
say("a signal for none", connect("H1"), SIGNAL, 15)
running = equipped()
say("it runs", running, RUN, 0, struct.pack("<I", 2) + b"/\0sleep\000100\0")
say("no signal", running, SIGNAL, 0)
say("no such signal", running, SIGNAL, 65)
say("another program", running, RUN, 0, words)
many = []
while len(many) < 300:
    many.append(equipped())
    result = call(many[-1], RUN, 0, struct.pack("<I", 2) + b"/\0sleep\000100\0")
    if result != "0":
        break
print("as many as a guest has room for:", result)
