# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""terminal.py [--when TEXT FILE] COMMAND...

Runs it with a terminal as standard output and error, and writes what comes there, with \\r and the
escape character spelled out, and the status on a line of its own. FILE is made as soon as TEXT has
been seen.
"""
import os
import pty
import subprocess
import sys

wanted, file, command = None, None, sys.argv[1:]
if command[0] == "--when":
    wanted, file, command = command[1].encode(), command[2], command[3:]
ours, theirs = pty.openpty()
run = subprocess.Popen(command, stderr=theirs, stdout=theirs)
os.close(theirs)
seen = b""
try:
    while True:
        part = os.read(ours, 4096)
        if not part:
            break
        seen += part
        if wanted and wanted in seen:
            with open(file, "w", encoding="utf-8"):
                wanted = None
except OSError:
    pass  # nobody has the terminal any more
text = seen.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
print(text.replace("\r", "\\r").replace("\033", "\\e"), end="")
print("status", run.wait())
