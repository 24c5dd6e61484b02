# harness: the umadrig command.

# -- commands (main, run, exec, replay, show)
bin_PROGRAMS += umadrig
umadrig_SOURCES = harness/main.c harness/command.h
umadrig_LDADD = $(GLIB_LIBS)

# -- scenario language (lex, parse, check, run, TAP)

# -- show and ladder
