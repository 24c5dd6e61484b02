# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The module is typed."""
import os
import shutil
import subprocess

import pytest

import umadrig


@pytest.mark.skipif(not shutil.which("mypy"), reason="no mypy")
def test_mypy_finds_nothing():
    module = os.path.dirname(umadrig.__file__)
    # With the plugin mypy would read all of pytest, which takes longer than all other tests.
    result = subprocess.run(["mypy", "--strict", "--cache-dir", os.devnull, "--exclude",
                             "pytest_plugin", module],
                            stdout=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_it_says_so():
    assert os.path.exists(os.path.join(os.path.dirname(umadrig.__file__), "py.typed"))
