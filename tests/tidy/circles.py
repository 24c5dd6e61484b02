# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about who uses whose symbols, as the objects of a build say."""
import collections
import os
import re
import subprocess

import tree as trees

# Files that may use each other in a cycle, and why: at most one cycle, of at most eight files.
ALLOWED = [
    # kmod-stub's MAD core: a received MAD ends a send, the end of a send makes room for the next,
    # and RMPP is both at once, as in Linux's mad.c and mad_rmpp.c.
    ("kmod-stub/", 8),
]
# Of a library that is put in front of libc, with libc's names, and that no other one links with:
# who calls libc from elsewhere does not take it from there.
IN_FRONT = "lib/lockstep/"
# They define functions of libc, which programs call.
LIBC = ("lib/lockstep/", "lib/raw/")
ROOMS = ("lib", "kmod-stub", "sim", "harness")


def source_of(path):
    """lib/attach/.libs/libumad_la-ring.o is made of lib/attach/ring.c."""
    path = path.replace("/.libs/", "/")
    name = re.sub(r"^[A-Za-z0-9_]*?(?:_la|_a)-", "", os.path.basename(path)[:-2])
    return os.path.join(os.path.dirname(path), re.sub(r"^umadrig-", "", name))


def graph(tree):
    if not tree.build:
        raise trees.Skip("no build to look at")
    if hasattr(tree, "graph"):
        return tree.graph
    objects = []
    for room in ROOMS:
        for folder, below, names in os.walk(os.path.join(tree.build, room)):
            objects += [os.path.join(folder, name) for name in names if name.endswith(".o")]
    # Ignore objects built from files that no longer exist, and those of archives where shared
    # libraries have the same.
    objects = {source_of(o): o for o in sorted(objects, key=lambda o: ".libs" in o)
               if tree.exists(source_of(os.path.relpath(o, tree.build)) + ".c")}.values()
    if not objects:
        raise trees.Skip("no objects below %s" % tree.build)
    defined, used = collections.defaultdict(set), collections.defaultdict(set)
    functions = collections.defaultdict(set)
    said = subprocess.run(["nm", "-A", "-g"] + sorted(objects), check=True, capture_output=True,
                          text=True)
    for line in said.stdout.splitlines():
        path, rest = line.split(":", 1)
        source = source_of(os.path.relpath(path, tree.build))
        word = rest.split()
        if word[-2] == "U":
            used[source].add(word[-1])
        else:
            defined[word[-1]].add(source)
            if word[-2] == "T":
                functions[word[-1]].add(source)
    tree.functions = functions
    tree.graph = {source: collections.defaultdict(set) for source in sorted(used)}
    for source, symbols in used.items():
        for symbol in symbols:
            for target in defined.get(symbol, ()):
                if target != source and (source.startswith(IN_FRONT) or
                                         not target.startswith(IN_FRONT)):
                    tree.graph[source][target].add(symbol)
    return tree.graph


def strong_components(arrows):
    """Tarjan's, without recursion: lists of nodes that reach each other."""
    index, low, stack, found = {}, {}, [], []
    for root in sorted(arrows):
        if root in index:
            continue
        work = [(root, iter(sorted(arrows.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    work.append((target, iter(sorted(arrows.get(target, ())))))
                    break
                if target in stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    del stack[at:]
    return found


def circles(tree):
    for part in strong_components(graph(tree)):
        if len(part) > 1 and not any(len(part) <= most and all(p.startswith(room) for p in part)
                                     for room, most in ALLOWED):
            yield "%s.c:1: in a circle of %d files: %s" % (part[0], len(part), " ".join(part))


def rooms(tree):
    """Of lib, kmod-stub uses lib/base and lib/words; the others use all of it."""
    level = {"lib": 0, "kmod-stub": 1, "sim": 2, "harness": 3}
    for source, targets in graph(tree).items():
        room = source.split("/")[0]
        for target, symbols in sorted(targets.items()):
            above = level[target.split("/")[0]] > level[room]
            if above or (room == "kmod-stub" and target.startswith("lib/")
                         and not target.startswith(("lib/base/", "lib/words/"))):
                yield "%s.c:1: takes %s from %s.c" % (source, " ".join(sorted(symbols)), target)


def callers(tree):
    """Functions that are there for other files, and that neither the product nor a test uses."""
    graph(tree)
    words = collections.Counter()
    for path in tree.sources:
        # Of a header only what is more than its declaration: a macro, an inline function.
        found = collections.Counter(re.findall(r"\w+", tree.code(path)))
        words.update({w: n - path.endswith(".h") for w, n in found.items()})
    for path in tree.paths:
        if path.endswith(".map"):
            words.update(re.findall(r"\w+(?=;)", tree.text(path)))
    for symbol, sources in sorted(tree.functions.items()):
        source = min(sources) + ".c"
        if words[symbol] == 1 and tree.exists(source) and not source.startswith(LIBC):
            yield "%s:1: nobody calls %s()" % (source, symbol)
