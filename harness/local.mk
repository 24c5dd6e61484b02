# harness: the umadrig command.

# -- commands (main, run, exec, replay, show)
bin_PROGRAMS += umadrig
umadrig_SOURCES = \
	harness/main.c harness/command.h \
	harness/attach-client.c harness/attach-client.h \
	harness/cmd-ctl.c harness/cmd-exec.c harness/cmd-replay.c harness/cmd-serve.c \
	harness/exec.h harness/exec-guard.c harness/exec-hide.c harness/exec-run.c \
	harness/exec-mount.c harness/exec-sysfs.c \
	harness/exec-attach.c harness/exec-session.c \
	harness/exec-bridge.c harness/cmd-bridge.c \
	harness/bridge.h harness/bridge-frame.c harness/bridge-socket.c \
	harness/bridge-far.c harness/bridge-near.c
umadrig_LDADD = libumadrig.la libibumad.la libscript.la libformats.la libkmod-stub.la $(GLIB_LIBS) $(PCAP_LIBS)

# -- scenario language (lex, parse, check, run, TAP)
# The language without a world to run in: for unit tests and fuzzing too.
noinst_LTLIBRARIES += libscript.la
libscript_la_SOURCES = \
	harness/diagnostic.c harness/diagnostic.h \
	harness/script.h \
	harness/script-lex.c harness/script-lex.h \
	harness/script-parser.h harness/script-parse.c harness/script-parse-expr.c \
	harness/script-block.c harness/script-directive.c \
	harness/script-value.c harness/script-payload.c \
	harness/script-expand.c harness/script-vary.c harness/script-vary.h \
	harness/script-term.c harness/script-resolve.c harness/script-mad.h \
	harness/script-mad-term.c harness/script-mad-term.h \
	harness/script-mad-build.c harness/script-mad-compare.c \
	harness/script-packet.c harness/script-packet.h \
	harness/script-replay.c \
	harness/script-where.c harness/script-where.h \
	harness/script-wire.c harness/script-wire-capture.c harness/script-wire.h \
	harness/script-calls.c harness/script-calls.h harness/script-call-table.h \
	harness/script-calls-umad.c harness/script-calls-file.c \
	harness/script-check.c harness/script-check-mad.c harness/script-check-time.c harness/script-checker.h \
	harness/script-needs.c \
	harness/script-console.c harness/script-console.h \
	harness/console-word.c harness/console-word.h \
	harness/script-counter.c harness/script-counter.h \
	harness/script-program.c harness/script-program.h \
	harness/script-fault.c harness/script-fault.h \
	harness/script-overlap.c harness/script-overlap.h \
	harness/script-peer.c harness/script-peer.h \
	harness/script-run.c harness/script-run.h \
	harness/script-timeline.c harness/script-timeline.h \
	harness/script-verdict.c harness/script-verdict.h \
	harness/script-words.c harness/script-words.h \
	harness/script-expect.c harness/script-expect.h \
	harness/world.c harness/world-program.c harness/world.h
umadrig_SOURCES += \
	harness/cmd-run.c \
	harness/run-files.c harness/run-files.h \
	harness/run-list.c harness/run-list.h \
	harness/hw-wire.c harness/hw-wire.h \
	harness/tap.c harness/tap.h \
	harness/world-hw.c harness/world-sim.c

# -- show and ladder
umadrig_SOURCES += \
	harness/cmd-show.c \
	harness/ladder.c harness/ladder.h \
	harness/mad-text.c harness/mad-text.h \
	harness/show.c harness/show.h

# -- topology files
umadrig_SOURCES += harness/cmd-topology.c
