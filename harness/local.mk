# harness: the umadrig command.

# -- commands (main, run, exec, replay, show)
bin_PROGRAMS += umadrig
umadrig_SOURCES = \
	harness/main.c harness/command.h \
	harness/cmd-exec.c harness/cmd-replay.c \
	harness/exec.h harness/exec-guard.c harness/exec-hide.c harness/exec-run.c \
	harness/exec-session.c
umadrig_LDADD = libumadrig.la libibumad.la libformats.la libkmod-stub.la $(GLIB_LIBS) $(PCAP_LIBS)

# -- scenario language (lex, parse, check, run, TAP)

# -- show and ladder
umadrig_SOURCES += \
	harness/cmd-show.c \
	harness/ladder.c harness/ladder.h \
	harness/mad-text.c harness/mad-text.h \
	harness/show.c harness/show.h
