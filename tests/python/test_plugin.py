# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin of pytest: fixtures, marker, options, and what a failure's report has."""
import os
import re
import subprocess
import sys

import pytest

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
