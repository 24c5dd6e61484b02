# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the checks of a built kernel find: an exception, and a test that fails. The kernels are
built of the tree of ours, into which a mistake is planted."""
import errno
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import umadrig

TOP = pathlib.Path(__file__).resolve().parents[2]
CORE = "drivers/infiniband/core"


def _build(folder, old="", new=""):
    """A kernel in which `old` has become `new`."""
    tree = folder / "tree"
    shutil.copytree(TOP / "tests/kmod-stub/fake-tree", tree, copy_function=shutil.copyfile)
    makefile = (tree / "Makefile").read_text()
    makefile = re.sub("^VERSION = .*", "VERSION = 6", makefile, flags=re.M)
    makefile = re.sub("^SUBLEVEL = .*", "SUBLEVEL = 192", makefile, flags=re.M)
    (tree / "Makefile").write_text(makefile)
    file = tree / CORE / "user_mad.c"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1) if old else file.read_text())
    kernel = folder / "k.so"
    subprocess.run([os.path.join(os.environ["UMADRIG_BUILD"], "umadrig"), "kernel", "build", "-o",
                    kernel, tree], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "UMADRIG_KERNEL_FILES": str(TOP)})
    return str(kernel)


@pytest.fixture(scope="module", name="leak")
def _leak(tmp_path_factory):
    return _build(tmp_path_factory.mktemp("leak"), "\tkfree(file);\n", "")


@pytest.fixture(scope="module", name="held")
def _held(tmp_path_factory):
    return _build(tmp_path_factory.mktemp("held"), "\tstream_open(inode, filp);",
                  "\tspin_unlock(&umad->mutex.lock);")


def test_nothing_is_found(tmp_path):
    with umadrig.Fabric(clock="virtual", kernel=_build(tmp_path)) as fabric:
        with fabric.open():
            pass
        assert fabric.take_kernel_faults() == []


def test_a_leak_is_raised_when_all_is_closed(leak):
    fabric = umadrig.Fabric(clock="virtual", kernel=leak)
    fabric.open()
    with pytest.raises(umadrig.KernelFault, match="the kernel has a fault: leak: ") as caught:
        fabric.close()
    assert caught.value.errno == errno.EIO and fabric.closed
    assert "user_mad.c:" in caught.value.faults[0] and len(caught.value.faults) == 1
    fabric.close()
    with pytest.raises(umadrig.KernelFault), umadrig.Fabric(clock="virtual", kernel=leak) as fabric:
        fabric.open()


def test_what_was_taken_is_not_raised(held):
    with umadrig.Fabric(clock="virtual", kernel=held) as fabric:
        fabric.open().close()
        faults = fabric.take_kernel_faults()
        assert len(faults) == 1 and "&umad->mutex.lock is released, but not held" in faults[0]
        assert fabric.take_kernel_faults() == []


def test_the_first_failure_counts(leak):
    with pytest.raises(KeyError) as caught:
        with umadrig.Fabric(clock="virtual", kernel=leak) as fabric:
            fabric.open()
            raise KeyError("mine")
    if sys.version_info >= (3, 11):
        assert "the kernel has a fault: leak: " in caught.value.__notes__[0]
    assert umadrig.Fabric.take_kernel_faults() == []


SUITE = """
def test_here(fabric, umad):
    pass
"""


def _pytest(folder, kernel):
    (folder / "test_it.py").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\n")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "umadrig.pytest_plugin", "-p", "no:cacheprovider",
         "--rootdir", folder, "-W", "error", "--umadrig-kernel", kernel, "test_it.py"],
        cwd=folder, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def test_pytest_has_a_fault_fail_the_test(tmp_path, held):
    status, output = _pytest(tmp_path, held)
    assert status == 1 and "1 failed" in output and "error" not in output.splitlines()[-1], output
    assert re.search("^the kernel has a fault: user_mad.c:.* is released, but not held", output,
                     re.M), output


def test_pytest_has_a_leak_fail_the_test(tmp_path, leak):
    status, output = _pytest(tmp_path, leak)
    assert status == 1 and "1 passed, 1 error" in output, output
    assert "ERROR at teardown of test_here" in output
    assert re.search("^the kernel has a fault: leak: .*user_mad.c:", output, re.M), output
    assert os.path.exists(re.search("^capture: (.*/test_here.pcapng)$", output, re.M)[1])
