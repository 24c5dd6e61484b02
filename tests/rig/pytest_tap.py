# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A plugin of pytest that writes TAP to descriptor 3: see pytest-run."""
import os

import pytest

_count = 0


def _write(text):
    os.write(3, (text + "\n").encode())


def pytest_runtest_logreport(report):
    global _count
    if report.when != "call" and report.outcome == "passed":
        return
    _count += 1
    name = report.nodeid.split("::", 1)[-1]
    if report.when != "call":
        name += " (%s)" % report.when
    if report.outcome == "skipped":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        _write("ok %d - %s # SKIP %s" % (_count, name, reason))
        return
    _write("%s %d - %s" % ("ok" if report.outcome == "passed" else "not ok", _count, name))
    if report.outcome == "failed":
        _write("\n".join("# " + line for line in report.longreprtext.splitlines()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and _count:
        _write("1..%d" % _count)
    else:
        _write("Bail out! pytest ended with status %d after %d tests" % (exitstatus, _count))
