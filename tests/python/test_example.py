# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The suite that users may copy passes, and fails where the program is wrong."""
import os
import re
import shutil
import subprocess
import sys

EXAMPLE = os.path.join(os.environ["top_srcdir"], "doc", "examples", "fabric-manager")


def pytest(directory):
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "umadrig.pytest_plugin", "-p", "no:cacheprovider",
         "-c", "pytest.ini", "--rootdir", ".", "-q"], cwd=directory, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def test_it_passes(tmp_path):
    copied = shutil.copytree(EXAMPLE, tmp_path / "copy")
    status, output = pytest(copied)
    assert status == 0, output
    with open(os.path.join(EXAMPLE, "test_fabric_manager.py"), encoding="utf-8") as file:
        count = len(re.findall(r"^def test_", file.read(), re.M))
    assert "%d passed" % count in output


def test_it_finds_a_program_that_does_not_ask_again(tmp_path):
    copied = shutil.copytree(EXAMPLE, tmp_path / "copy")
    program = copied / "fabric_manager.py"
    os.chmod(program, 0o644)
    program.write_text(program.read_text().replace("retries=retries", "retries=0"))
    status, output = pytest(copied)
    assert status == 1
    assert "FAILED test_fabric_manager.py::test_lost_answers_are_asked_for_again" in output
    assert " umadrig ---" in output and "test_lost_answers_are_asked_for_again.pcapng" in output
