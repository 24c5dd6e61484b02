# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about which Python file imports which, at the top, in functions or for types."""
import ast
import os
import re

import circles

MODULE = "python/umadrig"


def near(tree, folder, name):
    """The file of a folder that a name of an import means, or None."""
    path = os.path.join(folder, *name.split("."))
    return next((file for file in (path + ".py", path + "/__init__.py")
                 if name and tree.exists(file)), None)


def imported(tree, path):
    """(line, file) of the tree for each import of a file beside it."""
    for node in ast.walk(ast.parse(tree.text(path), path)):
        folder = os.path.dirname(path)
        if isinstance(node, ast.Import):
            found = [near(tree, folder, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            for _ in range(1, node.level):
                folder = os.path.dirname(folder)
            module = near(tree, folder, node.module or "")
            found = [module] if module else \
                [near(tree, folder, alias.name) for alias in node.names]
        else:
            continue
        for file in found:
            if file:
                yield node.lineno, file


def graph(tree):
    """file -> {file that it imports: line}, of all Python files."""
    return {path: {file: line for line, file in reversed(list(imported(tree, path)))}
            for path in tree.paths if path.endswith(".py")}


def rows(tree):
    """The table of doc/architecture.md: the modules of each row, from the bottom up."""
    for line in tree.text("doc/architecture.md").split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 2 and re.match(r"`\w+\.py`", cells[0]):
            yield [os.path.join(MODULE, name) for name in re.findall(r"`(\w+\.py)`", cells[0])]


def python_circles(tree):
    for part in circles.strong_components(graph(tree)):
        if len(part) > 1:
            yield "%s:1: in a circle of %d files: %s" % (part[0], len(part), " ".join(part))


def python_layers(tree):
    row = {path: number for number, paths in enumerate(rows(tree)) for path in paths}
    arrows = graph(tree)
    for path in sorted(set(row) - set(arrows)):
        yield "doc/architecture.md:1: there is no %s" % path
    for path, targets in sorted(arrows.items()):
        if os.path.dirname(path) != MODULE or os.path.basename(path) == "__init__.py":
            continue
        if path not in row:
            yield "doc/architecture.md:1: no row has %s" % path
            continue
        for target, line in sorted(targets.items()):
            if row.get(target, len(row)) >= row[path]:
                yield "%s:%d: %s is not below it (doc/architecture.md says what is)" % \
                    (path, line, target)
