# kmod-stub: the kernel behind /dev/infiniband/umadN, as a hidden convenience library.
noinst_LTLIBRARIES += libkmod-stub.la
libkmod_stub_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
libkmod_stub_la_SOURCES = \
	kmod-stub/event.h \
	kmod-stub/kmod.h \
	kmod-stub/packet.c kmod-stub/packet.h \
	kmod-stub/wire-crc.c kmod-stub/wire-crc.h
