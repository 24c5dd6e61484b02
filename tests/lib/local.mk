# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/lib: libibumad.
check_PROGRAMS += tests/lib/attach-distrust tests/lib/guest tests/lib/json-writer \
	tests/lib/socket-message tests/lib/umad-backend \
	tests/lib/umad-device tests/lib/umad-faults tests/lib/umad-io tests/lib/umad-kernel \
	tests/lib/umad-layout tests/lib/umad-pairs tests/lib/umad-sim tests/lib/umad-strings \
	tests/lib/umad-tap tests/lib/umad-unload tests/lib/words
TESTS += tests/lib/calls.sh \
	tests/lib/umad-layout tests/lib/umad-strings tests/lib/umad-symbols.sh \
	tests/lib/umad-ibsim.sh tests/lib/umad-manual.sh tests/lib/umad-abi.sh \
	tests/lib/umad-usual.sh tests/lib/umad-drop-in.sh tests/lib/umad-valgrind.sh \
	tests/lib/hardening.sh tests/lib/umad-device tests/lib/umad-io \
	tests/lib/attach-distrust tests/lib/socket-message tests/lib/umad-unload \
	tests/lib/umad-pairs tests/lib/umad-backend tests/lib/umad-faults tests/lib/umad-sim \
	tests/lib/umad-kernel tests/lib/umad-tap tests/lib/words tests/lib/json-writer \
	tests/lib/guest
EXTRA_DIST += tests/lib/hardening.sh tests/lib/umad-abi.c tests/lib/umad-abi.sh \
	tests/lib/umad-calls.c tests/lib/umad-drop-in.sh tests/lib/umad-ibsim.sh \
	tests/lib/compare-calls.py tests/lib/calls.sh \
	tests/lib/umad-manual.sh tests/lib/umad-symbols.sh tests/lib/umad-symbols.txt \
	tests/lib/umad-usual.sh tests/lib/umad-valgrind.sh

tests_lib_umad_layout_LDADD = $(GLIB_LIBS)
tests_lib_guest_SOURCES = tests/lib/guest.c $(GUEST_SOURCES)
tests_lib_guest_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_guest_LDADD = libbase.la $(GLIB_LIBS)
tests_lib_umad_strings_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_umad_io_SOURCES = tests/lib/umad-io.c tests/lib/umad-io-register.c \
	tests/lib/scripted-backend.c tests/lib/scripted-backend.h
tests_lib_umad_io_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_unload_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_unload_LDADD = libtrees.la $(GLIB_LIBS)
tests_lib_attach_distrust_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_attach_distrust_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_socket_message_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_words_LDADD = libbase.la $(GLIB_LIBS)
tests_lib_json_writer_LDADD = libformats.la $(GLIB_LIBS)
tests_lib_socket_message_LDADD = libbase.la $(GLIB_LIBS)
tests_lib_umad_io_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_umad_device_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_device_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
tests_lib_umad_tap_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_lib_umad_tap_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=write
tests_lib_umad_tap_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
# The two libraries as programs use them; and the internals of both, with a device in between.
tests_lib_umad_sim_SOURCES = tests/lib/umad-sim.c tests/rig/umad-table.c tests/rig/umad-table.h
tests_lib_umad_sim_LDADD = $(UMADRIG_LDADD)
tests_lib_umad_kernel_SOURCES = tests/lib/umad-kernel.c tests/lib/kernel-sysfs.c \
	tests/lib/kernel-sysfs.h tests/lib/tap-world.c tests/lib/tap-world.h \
	tests/rig/umad-table.c tests/rig/umad-table.h tests/rig/filter-rig.c \
	tests/rig/filter-rig.h
tests_lib_umad_kernel_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_lib_umad_kernel_LDADD = libumad-tree.la libfilter.a libumad.la $(UNIT_LDADD)
tests_lib_umad_pairs_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_pairs_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
tests_lib_umad_backend_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_backend_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_lib_umad_backend_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_umad_faults_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_lib_umad_faults_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_lib_umad_faults_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=opendir
tests_lib_umad_faults_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
