# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Programs of their own process on a fabric of this one."""
import errno
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time

import pytest

import umadrig
from umadrig import Mad, library

PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
ASK = [sys.executable, "-c", """
import sys, umadrig
from umadrig import umad
with umad.open() as port:
    for lid in sys.argv[1:]:
        answer = port.request(umadrig.Mad("SubnGet(NodeDescription)"), int(lid), timeout=0.2)
        print(answer["NodeDesc"], flush=True)
"""]


@pytest.mark.skipif(not all(shutil.which(name, path=PATH) for name in
                            ("opensm", "ibnetdiscover", "saquery")),
                    reason="opensm and infiniband-diags are not installed")
def test_what_the_manual_shows_ends(tmp_path, monkeypatch, capfd):
    with open(os.path.join(os.environ["top_srcdir"], "doc", "python.md"), encoding="utf-8") as file:
        section = file.read().split("\n## Programs\n")[1].split("\n## ")[0]
    shown = re.findall(r"(?:^(?:    .*)?\n)+", section, re.M)
    blocks = [textwrap.dedent(text) for text in shown if text.strip()]
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", PATH)
    for variable in "OSM_CACHE_DIR", "OSM_TMP_DIR":
        monkeypatch.setenv(variable, str(tmp_path))
    # In real time OpenSM may be asked to end while it begins, which not all releases survive.
    blocks[0] = blocks[0].replace('["opensm"]', '["sleep", "1000"]')
    for block in blocks:
        exec(block, {"umadrig": umadrig})  # pylint: disable=exec-used
    printed = capfd.readouterr().out
    assert "Topology file: generated on" in printed and "NodeRecord dump" in printed


def test_a_program_and_this_process_share_a_fabric():
    with umadrig.Fabric("generate:fat-tree:4,4") as fabric:
        fabric.set_description("host-2", "from here")
        lid = fabric.port("host-2").lid
        assert fabric.run([*ASK, str(lid)]).stdout == "from here\n"
        before = fabric.counter("host-1", 1, "PortXmitPkts")
        fabric.run([*ASK, str(lid)], host="host-1")
        assert fabric.counter("host-1", 1, "PortXmitPkts") > before
        with fabric.open("host-3") as port:
            assert port.request(Mad("SubnGet(NodeDescription)"), lid)["NodeDesc"] == "from here"
        fabric.link_down("host-2")
        with pytest.raises(subprocess.CalledProcessError) as caught:
            fabric.run([*ASK, str(lid)])
        assert "NoAnswer" in caught.value.stderr
        assert fabric.run([*ASK, str(lid)], check=False).returncode == 1


def test_mads_between_a_program_and_this_process():
    program = """
import umadrig
from umadrig import umad
with umad.open() as port:
    port.register(0x32, 1, [3], oui=1)
    print("ready", flush=True)
    print(port.recv(60).mad.tid & 0xffff, flush=True)
"""
    with umadrig.Fabric() as fabric, fabric.open("H1") as port, \
            fabric.start([sys.executable, "-c", program], host="H2", stdout=subprocess.PIPE,
                         text=True) as process:
        assert process.stdout.readline() == "ready\n"
        port.send(Mad("VendSend(0x0010)", mgmt_class=0x32, OUI=1, tid=0x77), 2,
                  agent=port.register(0x32, oui=1))
        assert process.stdout.readline() == "%d\n" % 0x77
        assert process.wait(60) == 0


def test_an_environment_for_other_starters():
    with umadrig.Fabric("generate:fat-tree:4,4") as fabric:
        os.environ["UMADRIG_TEST_KEPT"] = "kept"
        environment = fabric.environment("host-3")
        assert environment.pop("UMADRIG_TEST_KEPT") == os.environ.pop("UMADRIG_TEST_KEPT")
        before = fabric.counter("host-3", 1, "PortXmitPkts")
        subprocess.run([*ASK, str(fabric.port("host-2").lid)], env=environment, check=True,
                       timeout=60, stderr=subprocess.DEVNULL)
        assert fabric.counter("host-3", 1, "PortXmitPkts") > before
        assert environment["UMADRIG_HOST"] == "host-3"
        with pytest.raises(umadrig.FabricError, match="nobody"):
            fabric.environment("nobody")
        assert "UMADRIG_HOST" not in fabric.environment()


def test_ctl_reaches_it():
    with umadrig.Fabric() as fabric:
        socket = fabric.serve()
        assert fabric.serve() == socket

        def ctl(*words):
            subprocess.run([library.place("umadrig"), "ctl", "--socket", socket, *words],
                           check=True)
        fault = fabric.drop()
        ctl("link", "down", "H1[1]")
        assert fabric.port_state("H1", 1) == umadrig.PortState.DOWN
        ctl("fault", "remove", "all")
        with pytest.raises(umadrig.FaultError):
            fault.hits


def needs_mount(fabric):
    """Even root may be without it: in a container, or in a chroot that is no mount point."""
    command = fabric.command(["sh", "-c", "cat /sys/class/infiniband/H1/ports/1/state"])
    command.insert(command.index("--"), "--sysfs")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode == 125 and "mount" in done.stderr:
        pytest.skip("no mount namespace: /sys/class is not shown")
    assert done.returncode == 0, done.stderr


def test_what_other_processes_see_is_up_to_date():
    with umadrig.Fabric() as fabric:
        look = ["sh", "-c", "cat /sys/class/infiniband/H1/ports/1/state; read line; "
                            "cat /sys/class/infiniband/H1/ports/1/state"]
        command = fabric.command(look)
        command.insert(command.index("--"), "--sysfs")
        needs_mount(fabric)
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout.readline() == "4: ACTIVE\n"
            fabric.link_down("H1")
            process.stdin.write("\n")
            process.stdin.close()
            assert process.stdout.readline() == "1: DOWN\n"


def test_refusals(tmp_path):
    with umadrig.Fabric(clock="virtual") as fabric:
        with pytest.raises(umadrig.FabricError, match="clock=virtual") as caught:
            fabric.start(["true"])
        assert caught.value.errno == errno.EOPNOTSUPP
    with umadrig.Fabric() as fabric:
        with pytest.raises(umadrig.FabricError, match="clock=virtual") as caught:
            fabric.program(["true"])
        assert caught.value.errno == errno.EOPNOTSUPP
    with umadrig.Fabric() as one, umadrig.Fabric() as other:
        path = tmp_path / "socket"
        assert one.serve(path) == str(path)
        with pytest.raises(umadrig.FabricError):
            other.serve(path)
        assert other.run([*ASK, "2"]).stdout == "H2\n"
    assert not path.exists()


def test_served_fabrics_leak_nothing():
    def count():
        return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))

    def use():
        with umadrig.Fabric() as fabric:
            return fabric.serve()

    use()
    before = count()
    sockets = {use() for _ in range(20)}
    assert count() == before
    assert not any(os.path.exists(os.path.dirname(socket)) for socket in sockets)


def test_a_program_outlives_the_fabric():
    program = """
import umadrig
from umadrig import umad
port = umad.open()
print("ready", flush=True)
try:
    port.recv(60)
except umadrig.UmadError as error:
    print(error.errno, flush=True)
"""
    with umadrig.Fabric() as fabric:
        process = fabric.start([sys.executable, "-c", program], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        assert process.stdout.readline() == "ready\n"
        began = time.monotonic()
    with process:
        assert process.stdout.readline() == "%d\n" % errno.EIO
        assert time.monotonic() - began < 50


def test_a_static_program_is_in_time_as_well(tmp_path):
    source, program = tmp_path / "hour.c", tmp_path / "hour"
    source.write_text("""#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) { sleep(3600); printf("%ld\\n", (long)time(NULL)); return 7; }
""")
    if subprocess.run(["gcc", "-static", "-o", program, source], check=False,
                      capture_output=True).returncode != 0:
        pytest.skip("gcc links no static program here")
    with umadrig.Fabric("generate:fat-tree:2,4,clock=virtual") as fabric:
        ended = fabric.run([str(program)], timeout=4000, check=False)
    if ended.returncode == 127 and "pidfd_getfd(2) is refused" in ended.stderr:
        pytest.skip("pidfd_getfd(2) is refused, as in containers")
    assert (ended.returncode, ended.stdout) == (7, "1700003600\n")
