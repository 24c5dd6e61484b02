# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""transcript.py [OPTION...] PAGE: runs the commands of a page, and compares what they print.

    --rewrite    writes what they print into the page, where it differs
    --silent-ok  a command without output in the page may print anything
    --setup N    runs the Nth block of the language 'sh' first, where it was called
    --work DIR   goes to that directory then
    --first TEXT runs the commands of the section with TEXT before all others
    --skip WHY   runs nothing that needs a program of the distribution on a fabric

Prints TAP. Commands are run by one shell, from the first to the last. They
are in fenced blocks of the language 'console', or, in pages that are no Markdown, in indented text;
a line that begins with '$ ' is a command, and goes on in lines that begin with '> ' or after a
backslash. What follows is its output, in which '...' stands for any text, and as a whole line for
any lines. A command that fails has 'echo $?' for the next one. A block of another language with a
file's name after it (```c file.c) is that file.

A command with a program that is not installed is skipped, and so are all others up to the next
heading.
"""
import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

# What pages use and a machine need not have. Those on a fabric use umadrig's library.
ON_FABRIC = {"ibnetdiscover", "ibping", "iblinkinfo", "ibstat", "opensm", "saquery", "smpquery",
             "perfquery", "ibtracert", "ibportstate", "ibdiagnet"}
OTHERS = {"cc", "pkg-config", "pytest-3", "python3", "tshark", "xmllint"}
# What the examples in the tree, and options of umadrig, need.
EXAMPLES = {"./my-tests": "ibnetdiscover", "--with-sm": "opensm"}
LIMIT_S = 300   # of a whole page; it takes seconds


class Command:
    """A command, where it is in the page, and the output that the page shows."""

    def __init__(self, line, section, text):
        self.line = line            # of its '$', from 0
        self.section = section
        self.text = text
        self.output = []            # lines
        self.output_at = 0          # the first line of the output
        self.skip = None
        self.status = None
        self.actual = None

    def __str__(self):
        text = self.text.split("\n")[0]
        # TAP would read it.
        return "line %d: %s" % (self.line + 1, text.replace("#", " "))


class Page:
    """The commands and the files of a page, in order."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.steps = []             # Commands, and (name, text) of files
        self.setups = []            # texts of blocks of 'sh'
        self.section = 0
        self.indent = "" if path.endswith(".md") else "    "
        (self.read_fences if path.endswith(".md") else self.read_indented)()

    def commands(self):
        return [step for step in self.steps if isinstance(step, Command)]

    def read_fences(self):
        fence = None
        for number, line in enumerate(self.lines):
            if fence is None and line.startswith("```"):
                words = line[3:].split()
                fence = (number, words)
            elif fence is not None and line == "```":
                begin, words = fence
                fence = None
                if words[:1] == ["console"]:
                    self.read_block(begin + 1, number)
                elif words == ["sh"]:
                    self.setups.append("\n".join(self.lines[begin + 1:number]) + "\n")
                elif len(words) == 2:
                    self.steps.append((words[1], "\n".join(self.lines[begin + 1:number]) + "\n"))
            elif fence is None and line.startswith("#"):
                self.section += 1
        if fence is not None:
            sys.exit("%s:%d: the block does not end" % (self.path, fence[0] + 1))

    def read_indented(self):
        begin = None
        for number, line in enumerate(self.lines + ["end"]):
            if line.startswith(self.indent):
                begin = number if begin is None else begin
            elif line and begin is not None:
                end = number
                while not self.lines[end - 1]:
                    end -= 1
                if any(text.startswith(self.indent + "$ ") for text in self.lines[begin:end]):
                    self.read_block(begin, end)
                begin = None
            if re.fullmatch(r"[-=]{3,}", line):
                self.section += 1

    def read_block(self, begin, end):
        command = None
        unfinished = False
        for number in range(begin, end):
            line = self.lines[number][len(self.indent):]
            if line.startswith("$ "):
                command = Command(number, self.section, line[2:])
                self.steps.append(command)
            elif command is None:
                sys.exit("%s:%d: output without a command" % (self.path, number + 1))
            elif unfinished or (not command.output and line.startswith("> ")):
                command.text += "\n" + (line if unfinished else line[2:])
            else:
                command.output.append(line)
                continue
            command.output_at = number + 1
            unfinished = command.text.endswith("\\")
        for command in self.steps:
            while isinstance(command, Command) and command.output and not command.output[-1]:
                command.output.pop()

    def begin_with(self, text):
        """Moves a section, for pages that show first what they explain later."""
        section = [step.section for step in self.commands() if text in step.text]
        if len(section) != 1:
            sys.exit("%s: %d commands have '%s'" % (self.path, len(section), text))
        self.steps.sort(key=lambda step: isinstance(step, Command) and
                        step.section != section[0])

    def rewrite(self, silent_ok):
        """Puts what was printed into the page."""
        for command in sorted(self.commands(), key=lambda command: -command.line):
            if command.actual is None or fits(command.output, command.actual) or \
                    (silent_ok and not command.output):
                continue
            new = keep_placeholders(command.output, command.actual)
            at = command.output_at
            self.lines[at:at + len(command.output)] = [(self.indent + line).rstrip()
                                                       for line in new]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines))


def line_fits(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("..."))
    return re.fullmatch(pattern, actual) is not None


def fits(expected, actual):
    """Whether lines are as a page shows them. Both are short."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(fits(expected[1:], actual[at:]) for at in range(len(actual) + 1))
    return bool(actual) and line_fits(expected[0], actual[0]) and fits(expected[1:], actual[1:])


def keep_placeholders(expected, actual):
    """What is printed, with the lines of the page that still fit it."""
    cut = [at for at, line in enumerate(expected) if line == "..."]
    if cut:
        head, tail = cut[0], len(expected) - cut[-1] - 1
        if head + tail < len(actual):
            return (keep_placeholders(expected[:head], actual[:head]) + ["..."] +
                    keep_placeholders(expected[len(expected) - tail:],
                                      actual[len(actual) - tail:]))
    kept = [old for old in expected if "..." in old and old.replace("...", "").strip()]
    return [next((old for old in kept if line_fits(old, line)), line) for line in actual]


def choose(commands, no_fabric):
    """Skips what needs a program that is not there."""
    skipped = {}
    for command in commands:
        try:
            words = set(shlex.split(command.text.replace(";", " "), comments=True))
        except ValueError as error:
            sys.exit("line %d: %s" % (command.line + 1, error))
        words |= {word for text in words if " " in text for word in text.split()}
        words |= {EXAMPLES[word] for word in words & EXAMPLES.keys()}
        missing = sorted(word for word in words & (ON_FABRIC | OTHERS) if not shutil.which(word))
        if missing:
            skipped[command.section] = "%s is not installed" % missing[0]
        elif no_fabric and words & (ON_FABRIC | OTHERS):
            skipped[command.section] = no_fabric
        command.skip = skipped.get(command.section)


def script(steps, folder):
    """What the shell runs: each command with the status of the one before, as the reader has it."""
    parts = []
    for number, step in enumerate(steps):
        if not isinstance(step, Command):
            parts.append("cp %s/file.%d '%s'\n" % (folder, number, step[0]))
        if not isinstance(step, Command) or step.skip:
            continue
        parts.append("(exit $status)\n{ %s\n} >%s/out.%d 2>&1 </dev/null\nstatus=$?\n"
                     "echo $status >%s/status.%d\n" %
                     (step.text, folder, number, folder, number))
    return "".join(parts)


def run(page, folder, args):
    setup = page.setups[args.setup - 1] if args.setup else ""
    setup += "cd %s || exit\nstatus=0\n" % shlex.quote(os.path.abspath(args.work))
    for number, step in enumerate(page.steps):
        if not isinstance(step, Command):
            with open("%s/file.%d" % (folder, number), "w", encoding="utf-8") as file:
                file.write(step[1])
    setup += script(page.steps, folder)
    with subprocess.Popen(["sh", "-c", setup], stdin=subprocess.DEVNULL,
                          start_new_session=True) as shell:
        try:
            shell.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            print("# it takes more than %d s" % LIMIT_S)
        try:
            os.killpg(shell.pid, signal.SIGKILL)    # what commands have left behind
        except ProcessLookupError:
            pass
    for number, step in enumerate(page.steps):
        if not isinstance(step, Command):
            continue
        try:
            with open("%s/status.%d" % (folder, number), encoding="utf-8") as file:
                step.status = int(file.read())
            with open("%s/out.%d" % (folder, number), encoding="utf-8", errors="replace") as file:
                step.actual = [line.rstrip() for line in file.read().rstrip("\n").split("\n")]
        except FileNotFoundError:
            continue
        if step.actual == [""]:
            step.actual = []


def judge(command, following, silent_ok):
    """Lines that say what is wrong."""
    wrong = []
    if command.status is None:
        return ["it did not come to its end"]
    if command.status and (not following or following.text != "echo $?"):
        wrong += ["its status is %d, and no 'echo $?' shows that" % command.status]
    if not (silent_ok and not command.output) and not fits(command.output, command.actual):
        wrong += ["expected:"] + command.output + ["actual:"] + command.actual
    elif wrong:
        wrong += command.actual[-10:]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rewrite", action="store_true")
    parser.add_argument("--silent-ok", action="store_true")
    parser.add_argument("--setup", type=int, default=0)
    parser.add_argument("--work", default=".")
    parser.add_argument("--first", metavar="TEXT")
    parser.add_argument("--skip", metavar="WHY")
    parser.add_argument("page")
    args = parser.parse_args()
    # Debian installs some where only root's PATH looks.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    page = Page(args.page)
    if args.first:
        page.begin_with(args.first)
    commands = page.commands()
    choose(commands, args.skip)
    with tempfile.TemporaryDirectory() as folder:
        run(page, folder, args)
    if args.rewrite:
        page.rewrite(args.silent_ok)
    failed = not commands
    for number, command in enumerate(commands, 1):
        if command.skip:
            print("ok %d - %s # SKIP %s" % (number, command, command.skip))
            continue
        wrong = judge(command, commands[number] if number < len(commands) else None,
                      args.silent_ok)
        print("%sok %d - %s" % ("not " if wrong else "", number, command))
        for line in wrong:
            print("#  " + line)
        failed = failed or bool(wrong)
    print("1..%d" % len(commands))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
