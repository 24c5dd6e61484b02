# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Programs in the virtual time of a fabric of this process."""
import errno
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

import umadrig
from umadrig import Mad


def has_sanitizers():
    with open(os.path.join(os.environ["UMADRIG_BUILD"], "Makefile"), encoding="utf-8") as file:
        return re.search(r"^(SANITIZE_)?CFLAGS = .*-fsanitize", file.read(), re.M)


pytestmark = pytest.mark.skipif(
    bool(has_sanitizers()), reason="a library with sanitizers cannot be put in front of programs")


@pytest.fixture(name="pair")
def _pair():
    with umadrig.Fabric(clock="virtual") as fabric:
        yield fabric


def test_an_hour(pair):
    began = time.monotonic()
    done = pair.run(["sh", "-c", "sleep 3600; date +%T; echo word >&2"], timeout=None,
                    environment={"TZ": "UTC", "PATH": os.environ["PATH"]})
    assert (done.returncode, done.stdout, done.stderr) == (0, "23:13:20\n", "word\n")
    assert 3600 <= pair.now < 3601
    assert time.monotonic() - began < 60


def test_it_runs_while_time_passes(pair, tmp_path):
    program = pair.program(["sh", "-c", "pwd; while sleep 1; do echo tick; done"], cwd=tmp_path)
    assert program.stdout == ""
    pair.advance(0)
    pair.advance(2.5)
    assert program.stdout == "%s\ntick\ntick\n" % tmp_path
    with pair.open("H2") as port, pytest.raises(umadrig.TimedOut):
        port.register(0x32, oui=1)
        port.recv(2)
    assert pair.now == 4.5
    assert program.stdout.count("tick") == 4
    with pytest.raises(subprocess.TimeoutExpired):
        program.wait(timeout=1)
    assert pair.now == 5.5
    assert program.returncode is None
    assert program.stop() == -signal.SIGTERM == program.returncode
    assert program.stop() == -signal.SIGTERM
    assert program.stdout.count("tick") == 5


def test_ends(pair):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        pair.run(["sh", "-c", "echo so; exit 3"])
    assert (failed.value.returncode, failed.value.stdout) == (3, "so\n")
    assert pair.run(["false"], check=False).returncode == 1
    before = pair.now
    with pytest.raises(subprocess.TimeoutExpired) as expired:
        pair.run(["sh", "-c", "echo so; sleep 1000"], timeout=30)
    assert expired.value.stdout == "so\n"
    assert pair.now == before + 30
    assert pair.next_ns is None
    with pair.program(["sleep", "1000"]) as program:
        pair.advance(1)
    assert program.returncode == -signal.SIGKILL
    with pytest.raises(umadrig.Error) as caught:
        pair.program(["sleep", "1"]).send_signal(signal.SIGSTOP)
    assert caught.value.errno == errno.EINVAL


def test_one_that_waits_for_ever(pair, tmp_path):
    program = pair.program(["sh", "-c", "mkfifo f; read x <>f"], cwd=tmp_path)
    with pytest.raises(umadrig.Error) as caught:
        program.wait()
    assert caught.value.errno == errno.EDEADLK


def test_refusals(pair):
    for program, host, number in ((["no-such-program"], None, errno.ENOENT),
                                  (["true"], "H9", errno.ENOENT), ([], None, errno.EINVAL)):
        with pytest.raises(umadrig.FabricError) as caught:
            pair.program(program, host=host)
        assert caught.value.errno == number


def test_output_outlives_the_fabric():
    with umadrig.Fabric(clock="virtual") as fabric:
        program = fabric.program(["sh", "-c", "echo begun; sleep 100; echo done"])
        fabric.advance(1)
    assert program.stdout == "begun\n"
    with pytest.raises(umadrig.FabricError):
        program.wait()


def test_nothing_is_left():
    def count():
        return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))

    def use():
        with umadrig.Fabric(clock="virtual") as fabric:
            fabric.program(["sleep", "100"])
            assert fabric.run(["echo", "word"]).stdout == "word\n"

    use()
    before = count()
    for _ in range(5):
        use()
    assert count() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def sweep(path):
    """OpenSM brings a fabric up, and notices that a link goes down."""
    with umadrig.Fabric("generate:fat-tree:8,4", state="cold", clock="virtual",
                        capture=path) as fabric:
        log = os.path.join(os.path.dirname(path), "log")
        sm = fabric.program(["opensm", "-f", log, "-s", "10"])
        fabric.advance(20)
        assert fabric.port("host-7").lid > 0
        with fabric.open("host-1") as port:
            answer = port.request(Mad("SubnGet(NodeDescription)"), fabric.port("host-7").lid)
            assert answer["NodeDesc"] == "host-7 HCA-1"
        fabric.link_down("host-7")
        fabric.advance(20)
        assert sm.stop() == 0
        return fabric.now_ns


@pytest.mark.skipif(not shutil.which("opensm"), reason="there is no opensm")
def test_opensm_twice_the_same(tmp_path):
    path = tmp_path / "wire.pcapng"
    ends, captures = [], []
    for _ in range(2):
        ends.append(sweep(str(path)))
        captures.append(path.read_bytes())
    assert ends[0] == ends[1]
    assert len(captures[0]) == len(captures[1]) > 10000
    if subprocess.run(["setarch", "-R", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode == 0:
        assert captures[0] == captures[1]
