# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin of pytest: fixtures, marker, options, and what a failure's report has."""
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

with open(os.path.join(os.environ["UMADRIG_BUILD"], "Makefile"), encoding="utf-8") as makefile:
    without_sanitizers = pytest.mark.skipif(
        bool(re.search(r"^(SANITIZE_)?CFLAGS = .*-fsanitize", makefile.read(), re.M)),
        reason="a library with sanitizers cannot be put in front of programs")

SUITE = """
import pytest
from umadrig import Mad

def test_default(fabric, umad, capture):
    assert fabric.nodes == ["H1", "H2"] and fabric.is_virtual
    umad.request(Mad("SubnGet(NodeInfo)"), 2)
    assert len(capture) == 2 and capture[0].mad.name == "SubnGet(NodeInfo)"
    assert [seen.mad.name for seen in capture.named("SubnGetResp(NodeInfo)")] == [
        "SubnGetResp(NodeInfo)"]
    capture.clear()
    assert list(capture) == []

@pytest.mark.umadrig("generate:fat-tree:4,4", state="cold", clock="virtual")
def test_marker(fabric):
    assert len(fabric.nodes) == 8 and fabric.port("host-1").lid == 0
"""
FAILING = """
from umadrig import Mad

def test_fails(fabric, umad):
    umad.request(Mad("SubnGet(NodeInfo)"), 2)
    assert fabric.now == 17

def test_passes(fabric, umad):
    umad.request(Mad("SubnGet(PortInfo)"), 2)
"""
PROGRAMS = """
import signal
import subprocess

def test_passes(fabric, program, tmp_path):
    one = program(["sh", "-c", "echo here >file; sleep 60; echo there"])
    fabric.advance(59)
    assert (tmp_path / "file").read_text() == "here\\n" and one.stdout == ""
    assert one.wait() == 0 and one.stdout == "there\\n"
    assert 60 <= fabric.now < 60.001       # glibc 2.41's sleep() takes a nanosecond more
    assert program(["pwd"], cwd="/").wait() == 0

def test_fails(fabric, umad, program):
    program(["sh", "-c", "echo begun; sleep 60; echo more"])
    fabric.run(["sh", "-c", "seq 60; echo trouble >&2; exit 3"], check=False)
    program(["sh", "-c", "kill -INT $$"])
    assert fabric.now == 17

def test_crash(fabric, program):
    program(["sh", "-c", "echo so far; kill -SEGV $$"])
    fabric.advance(1)

def test_expected_crash(fabric, program):
    assert program(["sh", "-c", "kill -SEGV $$"]).wait() == -signal.SIGSEGV

def test_own_end(fabric, program):
    assert program(["false"]).wait() == 1
    program(["sleep", "60"])
    program(["false"])
"""
PROPERTIES = """
import pytest

pytestmark = pytest.mark.umadrig("generate:fat-tree:4,4", clock="virtual")

def test_kept(fabric):
    fabric.always("all-active", within=1)
    fabric.sometimes("report = links 77")
    fabric.advance(5)

def test_broken(fabric):
    fabric.always("all-active", within=1)
    fabric.link_down("host-1", 1)
    fabric.heal()
    fabric.advance(5)

def test_at_the_end(fabric):
    fabric.finally_("report = links 9")
    fabric.advance(5)
"""
RACE = """
import pytest

def order(fabric, program):
    both = [program(["sh", "-c", "for i in 1 2 3 4 5 6; do sleep 1; printf %s >>f; done" % name])
            for name in "ab"]
    fabric.advance(10)
    assert [one.returncode or one.wait() for one in both] == [0, 0]

def test_race(fabric, program, tmp_path, request):
    order(fabric, program)
    with open(request.config.rootpath / "orders", "a") as file:
        print(request.node.name, (tmp_path / "f").read_text(), file=file)

@pytest.mark.umadrig(clock="virtual", schedule=3)
def test_own_schedule(fabric, program):
    order(fabric, program)

@pytest.mark.umadrig()
def test_real(fabric):
    assert not fabric.is_virtual

def test_no_fabric():
    pass
"""


def run(folder, suite, *arguments, plugin="umadrig.pytest_plugin", ini="", **environment):
    (folder / "test_it.py").write_text(suite)
    (folder / "pytest.ini").write_text("[pytest]\n" + ini)
    (folder / "tmp").mkdir(exist_ok=True)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *(["-p", plugin] if plugin else []), "-p",
         "no:cacheprovider", "--rootdir", folder, "-W", "error", *arguments, "test_it.py"],
        cwd=folder, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(folder / "tmp"), **environment})
    return result.returncode, result.stdout


def test_fixtures_and_marker(tmp_path):
    status, output = run(tmp_path, SUITE)
    assert status == 0, output
    assert "2 passed" in output
    assert os.listdir(tmp_path / "tmp") == []       # nothing is left of tests that pass


KERNELS = """
import pytest

def test_kernel(fabric):
    assert fabric.spec.endswith("kernel-6-12.so")

@pytest.mark.umadrig(profile="linux-5.10")
def test_own_profile(fabric):
    assert "kernel" not in fabric.spec

@pytest.mark.umadrig(",kernel=kmod-stub")
def test_own_kernel(fabric):
    assert fabric.spec == ",kernel=kmod-stub"
"""


def test_a_kernel_for_all(tmp_path):
    built = os.path.join(os.environ["UMADRIG_BUILD"], ".libs", "kernel-6-12.so")
    status, output = run(tmp_path, KERNELS, "--umadrig-kernel", built)
    assert status == 0, output
    status, output = run(tmp_path, KERNELS, "--umadrig-kernel", "6.99")
    assert status == 1 and "no kernel '6.99' has been built" in output


def test_a_failure_has_its_capture_and_ladder(tmp_path):
    status, output = run(tmp_path, FAILING)
    assert status == 1 and "1 failed, 1 passed" in output
    section = output[output.index("--- umadrig ---"):]
    path = re.search(r"^capture: (.*/test_fails\.pcapng)$", section, re.M)[1]
    assert os.path.getsize(path) > 0
    assert "|----SubnGet(NodeInfo)---->|" in section
    assert "PortInfo" not in output
    folder = os.path.dirname(path)
    assert os.listdir(folder) == ["test_fails.pcapng"]
    assert os.listdir(tmp_path / "tmp") == [os.path.basename(folder)]


NO_ANSWER = """
import pytest
from umadrig import Mad

def ask(umad):
    umad.request(Mad("SubnGet(NodeInfo)"), 77, timeout=1, retries=0)

def test_it(fabric, umad):
    ask(umad)

def test_said(fabric, umad):
    pytest.fail("in words", pytrace=False)
"""


def test_a_failure_shows_the_lines_of_the_test(tmp_path):
    status, output = run(tmp_path, NO_ANSWER, "-k", "test_it")
    assert status == 1, output
    shown = output[:output.index("--- umadrig ---")]
    assert ">       ask(umad)" in shown and ">       umad.request(" in shown
    assert "umadrig/umad.py" not in shown and "test_it.py:6: NoAnswer" in shown
    status, output = run(tmp_path, NO_ANSWER, "-k", "test_it", "--full-trace")
    assert "umadrig/umad.py" in output


def test_reports_of_junit_have_the_ladder(tmp_path):
    status, output = run(tmp_path, NO_ANSWER, "--junitxml", "junit.xml")
    assert status == 1 and "2 failed" in output
    failures = ElementTree.parse(tmp_path / "junit.xml").findall(".//failure")
    assert "test_it.pcapng" in failures[0].text
    assert re.search(r"SubnGet\(NodeInfo\)-+[>x]", failures[0].text), failures[0].text
    assert "in words" in failures[1].text and "test_said.pcapng" in failures[1].text
    assert output.count("test_said.pcapng") == 1    # and once in what pytest prints


def test_properties(tmp_path):
    status, output = run(tmp_path, PROPERTIES)
    assert status == 1 and "2 failed, 1 passed" in output, output
    assert "always all-active: " in output and " is not Active, for 1s (at 1s)" in output
    assert "finally report = links 9: the answer is 'ends 8" in output
    assert "/test_broken.pcapng" in output


@without_sanitizers
def test_programs(tmp_path):
    status, output = run(tmp_path, PROGRAMS)
    assert status == 1 and "2 failed, 3 passed" in output, output
    fails = output[output.index(" test_fails "):output.index(" test_crash ")]
    assert "-- umadrig ---" in fails and "/test_fails.pcapng" in fails
    numbers = "\n".join(str(n) for n in range(11, 61))
    assert section(fails, "begun; sleep 60; echo more") == "it runs\nit printed:\nbegun\n"
    assert section(fails, "seq 60") == (
        "its status is 3\nit printed:\n... (10 more lines)\n%s\n"
        "and on standard error:\ntrouble\n" % numbers)
    assert section(fails, "kill -INT") == "SIGINT has ended it\n"
    crash = output[output.index(" test_crash "):]
    assert "sh -c echo so far; kill -SEGV $$ was ended by SIGSEGV" in crash
    assert "/test_crash.pcapng" in crash
    assert section(crash, "so far; kill") == "SIGSEGV has ended it\nit printed:\nso far\n"


def section(report, word):
    """The text of the report's section of a program with this word."""
    return re.search(r"^-+ umadrig: [^\n]*%s[^\n]* -+\n(.*?)(?=^[-=_]{3})" % re.escape(word),
                     report, re.M | re.S)[1]


@without_sanitizers
def test_schedules(tmp_path):
    seen = []
    for _ in range(2):
        status, output = run(tmp_path, RACE, "--umadrig-schedules=8")
        assert status == 0 and "11 passed" in output, output
        seen.append((tmp_path / "orders").read_text().splitlines())
        os.unlink(tmp_path / "orders")
    assert seen[0] == seen[1]
    assert [line.split()[0] for line in seen[0]] == [
        "test_race[schedule=%d]" % n for n in range(8)]
    orders = [line.split()[1] for line in seen[0]]
    assert orders[0] == "abababababab" and len(set(orders)) > 3
    status, output = run(tmp_path, RACE)
    assert status == 0 and "4 passed" in output, output


def test_the_ini_options(tmp_path):
    suite = ("def test_it(fabric):\n    assert len(fabric.nodes) == 8 and not fabric.is_virtual\n"
             "def test_fails(fabric):\n    assert False\n")
    status, output = run(tmp_path, suite, ini="umadrig_fabric = generate:fat-tree:4,4\n"
                         "umadrig_captures = kept\n")
    assert status == 1 and "1 failed, 1 passed" in output
    assert os.listdir(tmp_path / "kept") == ["test_fails.pcapng"]


def test_captures_of_all_tests(tmp_path):
    status, output = run(tmp_path, SUITE, "--umadrig-captures=all")
    assert status == 0, output
    assert sorted(os.listdir(tmp_path / "all")) == ["test_default.pcapng", "test_marker.pcapng"]


def test_a_fabric_that_cannot_be_made_is_an_error_of_the_test(tmp_path):
    status, output = run(tmp_path, SUITE, ini="umadrig_fabric = ,state=warm\n")
    assert status == 1 and "1 passed, 1 error" in output
    assert "FabricError: [Errno 22] state=warm: expected active or cold" in output


@pytest.mark.skipif(not os.path.exists(os.path.join(os.environ["UMADRIG_BUILD"], "python")),
                    reason="configured without Python")
def test_pytest_finds_it_by_its_entry_point(tmp_path):
    built = os.path.join(os.environ["UMADRIG_BUILD"], "python")
    folder = tmp_path / "path" / "umadrig-0.dist-info"
    folder.mkdir(parents=True)
    for name in ("METADATA", "entry_points.txt"):
        with open(os.path.join(built, name), encoding="utf-8") as file:
            (folder / name).write_text(file.read())
    status, output = run(tmp_path, SUITE, plugin=None, PYTEST_DISABLE_PLUGIN_AUTOLOAD="",
                         PYTHONPATH="%s:%s" % (folder.parent, os.environ["PYTHONPATH"]))
    assert status == 0 and "2 passed" in output, output
    assert re.search(r"^plugins:.*\bumadrig-[0-9]", output, re.M)
