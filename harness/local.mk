# harness: the umadrig command.

# -- commands (main, run, exec, replay, show)

# -- scenario language (lex, parse, check, run, TAP)

# -- show and ladder
