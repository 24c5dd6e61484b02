# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""umadrig.Fabric: options, errors, the virtual clock, nodes and links."""
import errno
import gc
import os
import subprocess
import sys
import threading
import warnings

import pytest

import umadrig
from umadrig.options import fabric_options


def test_default_fabric():
    with umadrig.Fabric() as fabric:
        assert fabric.nodes == ["H1", "H2"]
        assert fabric.node_ports("H1") == 1
        assert not fabric.is_virtual
    assert fabric.closed


def test_every_option_by_keyword(tmp_path):
    capture, report = tmp_path / "a.pcapng", tmp_path / "report"
    with umadrig.Fabric("generate:fat-tree:4,4", state="cold", clock="virtual", seed=7,
                        latency=1e-6, host="host-1", capture=capture, report=report,
                        fault=["drop 5%", "delay 3 by 2ms"], profile="linux-5.10", hi_tid=3,
                        partial=True, order="any") as fabric:
        assert fabric.spec == (
            "generate:fat-tree:4,4,state=cold,clock=virtual,seed=7,latency=1000ns,host=host-1,"
            "capture=%s,report=%s,profile=linux-5.10,hi-tid=3,partial=yes,order=any,"
            "fault=drop 5%%,fault=delay 3 by 2ms" % (capture, report))
        assert fabric.is_virtual
        assert fabric.port("host-1").lid == 0
        assert fabric.port("host-1").state == umadrig.PortState.INIT
        assert fabric.console("fault list").count("\n") == 2
    assert capture.stat().st_size and report.stat().st_size


def test_options_of_captures(tmp_path):
    capture = tmp_path / "a.pcapng"
    with umadrig.Fabric(clock="virtual", capture=capture) as fabric, fabric.open() as port:
        port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)
    with umadrig.Fabric(capture_file(capture), clock="virtual", as_of="last",
                        unmatched="status=0x000c", summary=False) as fabric, \
            fabric.open() as port:
        assert port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)["NumPorts"] == 1
        assert port.request(umadrig.Mad("SubnGet(PortInfo)"), 2).status == 0x000c


def capture_file(path):
    return os.fspath(path)


def test_options_follow_the_name():
    with umadrig.Fabric("generate:fat-tree:4,4,clock=virtual") as fabric:
        assert fabric.is_virtual
    with pytest.raises(ValueError, match="comma"):
        fabric_options(capture="a,b")
    assert fabric_options("drop 5%", partial=False) == "partial=no,fault=drop 5%"


def test_kernels():
    built = os.path.join(os.environ["UMADRIG_BUILD"], ".libs", "kernel-%s.so")
    with umadrig.Fabric(clock="virtual", kernel=built % "6-12") as fabric, fabric.open() as port:
        assert fabric.spec == ",clock=virtual,kernel=" + built % "6-12"
        assert port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)["NumPorts"] == 1
    assert fabric_options(kernel=["6.12", "H1:7.2"]) == "kernel=6.12,kernel=H1:7.2"
    with pytest.raises(umadrig.FabricError, match="kernel=H2:/no.so: .*umadrig kernel build"):
        umadrig.Fabric(kernel="H2:/no.so")


def test_wrong_options_name_the_cure():
    with pytest.raises(umadrig.FabricError, match="state=warm: expected active or cold") as caught:
        umadrig.Fabric(state="warm")
    assert caught.value.errno == errno.EINVAL
    assert isinstance(caught.value, OSError)
    with pytest.raises(umadrig.FabricError, match="net: No such file or directory$"):
        umadrig.Fabric("/no/such/file.net")
    with pytest.raises(umadrig.FabricError, match="there is no host 'H9'"):
        umadrig.Fabric(host="H9")
    with pytest.raises(umadrig.FabricError, match="expected one of"):
        umadrig.Fabric(",colour=red")
    with pytest.raises(ValueError, match="zero byte"):
        umadrig.Fabric("a\0b")
    with pytest.raises(ValueError, match="not both"):
        umadrig.Fabric("a.net", text="b")


def test_a_syntax_error_has_file_and_line(tmp_path):
    file = tmp_path / "broken.net"
    file.write_text('Switch 4 "S1"\n[1] "H1"\n[2 "H2"\nHca 1 "H1"\n[1 "S1"\n')
    with pytest.raises(umadrig.FabricSyntaxError) as caught:
        umadrig.Fabric(file)
    assert caught.value.file == str(file)
    assert caught.value.line == 3
    assert caught.value.errno == errno.EINVAL
    assert "lost" in caught.value.reason
    with pytest.raises(umadrig.FabricSyntaxError) as caught:
        umadrig.Fabric(text=file.read_text())
    assert caught.value.file == "text" and caught.value.line == 3


def test_a_fabric_of_text():
    with umadrig.Fabric(text='Hca 1 "A"\n[1] "B"[1]\n\nHca 1 "B"\n[1] "A"[1]\n',
                        clock="virtual") as fabric:
        assert fabric.nodes == ["A", "B"]


def test_virtual_time():
    with umadrig.Fabric(clock="virtual") as fabric:
        assert fabric.now_ns == 0
        fabric.advance(1.5)
        assert fabric.now_ns == 1_500_000_000
        fabric.run_until(3)
        assert fabric.now == 3.0
        assert fabric.next_ns is None
        assert not fabric.step()
        fabric.link_down("H1", 1)
        fabric.link_up("H1", 1)
        assert fabric.next_ns > fabric.now_ns
        fabric.run_until(lambda: fabric.port_state("H1", 1) == umadrig.PortState.INIT)
        assert 3.0 < fabric.now < 4.0
        assert fabric.run_idle(60)
        with pytest.raises(TimeoutError, match="nothing is left that could happen"):
            fabric.run_until(lambda: False)
        with pytest.raises(ValueError, match="does not go back"):
            fabric.advance(-1)


def test_a_condition_that_comes_too_late():
    with umadrig.Fabric(clock="virtual") as fabric, fabric.open() as port:
        fabric.drop()
        port.send(umadrig.Mad("SubnGet(NodeInfo)"), 2, agent=port.register(1), timeout=100)
        with pytest.raises(TimeoutError, match="the next event is after the timeout of 5 s"):
            fabric.run_until(port.poll, timeout=5)
        fabric.run_until(port.poll)
        assert fabric.now == 100.0


def test_the_real_clock_moves_by_itself():
    with umadrig.Fabric() as fabric:
        for call in (lambda: fabric.advance(1), fabric.step, fabric.run_idle,
                     lambda: fabric.run_until(1)):
            with pytest.raises(umadrig.FabricError, match='clock="virtual"') as caught:
                call()
            assert caught.value.errno == errno.EOPNOTSUPP
        before = fabric.now_ns
        while fabric.now_ns == before:
            pass


def test_threads_take_part_in_virtual_time():
    with umadrig.Fabric(clock="virtual") as fabric, fabric.open() as port:
        found = []
        fabric.thread_enter()

        def wait():
            try:
                port.recv(10)
            except umadrig.TimedOut:
                found.append(fabric.now)

        thread = threading.Thread(target=wait)
        thread.start()
        fabric.thread_leave()
        thread.join()
        assert found == [10.0]


def test_nodes_and_ports():
    with umadrig.Fabric(clock="virtual") as fabric:
        port = fabric.port("H1", 1)
        assert (port.lid, port.lmc, port.device) == (1, 0, "H1")
        assert port.gid().hex() == "fe800000000000000002c90300000001"
        port.set_lid(8, 3)
        assert (port.lid, port.lmc) == (8, 3)
        assert port.state == umadrig.PortState.ACTIVE
        for call, number in ((lambda: port.set_lid(0xc000), errno.EINVAL),
                             (lambda: port.gid(99), errno.EINVAL),
                             (lambda: fabric.port("H1", 2), errno.ENOENT),
                             (lambda: fabric.node_ports("H9"), errno.ENOENT),
                             (lambda: fabric.port_state("H1", 9), errno.ENOENT)):
            with pytest.raises(umadrig.Error) as caught:
                call()
            assert caught.value.errno == number
        for wrong, cure in (
                (lambda: fabric.open("H3"), "there is no host 'H3'; there are H1, H2"),
                (lambda: fabric.open("nobody"), "there is no host 'nobody'; there are H1, H2"),
                (lambda: fabric.link_down("H1[33]"),
                 "there is no node 'H1[33]': the port is an argument of its own, 'H1', 33; H1 has "
                 "ports 1 to 1"),
                (lambda: fabric.link_up("H1", 33),
                 "there is no port H1[33]: H1 has ports 1 to 1"),
                (lambda: fabric.node_off("S1"), "there is no node 'S1'; there are H1, H2"),
                (lambda: fabric.node_on("H11"), "there is no node 'H11'; did you mean 'H1'?")):
            with pytest.raises(umadrig.Error) as caught:
                wrong()
            assert (caught.value.errno, caught.value.strerror) == (errno.ENOENT, cure)
        fabric.set_description("H2", "renamed")
        fabric.set_system_guid("H2", 0x1234)
        with fabric.open() as umad:
            description = umad.request(umadrig.Mad("SubnGet(NodeDescription)"), 2)
            assert description["NodeDesc"] == "renamed"
            assert umad.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)["SystemGuid"] == 0x1234
            port.remove()
            with pytest.raises(umadrig.UmadError) as caught:
                umad.recv(1)
            assert caught.value.errno == errno.EIO


def test_links_and_power():
    with umadrig.Fabric("generate:fat-tree:4,4", clock="virtual") as fabric:
        host = fabric.port("host-1")
        fabric.link_down("host-1")
        assert host.state == umadrig.PortState.DOWN
        fabric.link_up("host-1")
        fabric.advance(1)
        assert host.state == umadrig.PortState.INIT
        fabric.node_off("host-2")
        assert fabric.port_state("host-2", 1) == umadrig.PortState.DOWN
        fabric.node_on("host-2")
        fabric.advance(1)
        assert fabric.port_state("host-2", 1) == umadrig.PortState.INIT
        fabric.link_error("host-1", 1, umadrig.LinkError.INTEGRITY)
        assert fabric.counter("host-1", 1, "LocalLinkIntegrityErrors") == 1
        assert fabric.sm_off() == 0
        with pytest.raises(umadrig.Error) as caught:
            fabric.node_off("nobody")
        assert caught.value.errno == errno.ENOENT


def test_the_console():
    with umadrig.Fabric(clock="virtual") as fabric:
        assert '"H2"' in fabric.console("Dump")
        with pytest.raises(umadrig.ConsoleError, match="there is no node 'H9'") as caught:
            fabric.console("Unlink H9[1]")
        assert caught.value.errno == errno.ENOENT


def test_properties():
    with umadrig.Fabric("generate:fat-tree:4,4", clock="virtual") as fabric:
        assert fabric.always("all-active", within=0.5) == 1
        assert fabric.never("report = links 7", within="1ms") == 2
        assert fabric.sometimes("every-way-leads") == 3
        assert fabric.finally_("unique-lids") == 4
        fabric.advance(1)
        assert [one.state for one in fabric.properties()] == ["holds", "holds", "met", "holds"]
        fabric.link_down("host-1", 1)
        fabric.advance(1)
        assert not fabric.properties()[0].broken
        assert str(fabric.properties()[1]) == (
            "never report = links 7: it is so, for 0.001s (at 1.001s)")
        fabric.heal()
        fabric.advance(1)
        always = fabric.properties()[0]
        assert always.broken and always.kind == "always" and always.at_ns == 2_510_000_000
        assert always.why.endswith(" is not Active, for 0.5s")
        assert fabric.properties(end=True)[3].state == "met"
        with pytest.raises(umadrig.ConsoleError, match="expected all-active, unique-lids"):
            fabric.always("all-inactive")


def test_a_closed_fabric_says_so():
    fabric = umadrig.Fabric(clock="virtual")
    port = fabric.port("H1")
    fabric.close()
    fabric.close()
    for call in (lambda: fabric.now, lambda: port.lid, fabric.__enter__, fabric.open):
        with pytest.raises(umadrig.FabricError, match="closed") as caught:
            call()
        assert caught.value.errno == errno.EBADF


def test_one_that_is_forgotten_warns():
    fabric = umadrig.Fabric(clock="virtual")
    handle = fabric._handle
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        del fabric
        gc.collect()
    assert [w.category for w in found] == [ResourceWarning]
    umadrig.library.umadrig().umadrig_fabric_close(handle)


def test_200_fabrics_leak_no_descriptor():
    def count():
        return len(os.listdir("/proc/self/fd"))

    def use(clock):
        with umadrig.Fabric(clock=clock) as fabric:
            with fabric.open() as port:
                port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)
            fabric.open()       # the fabric closes it

    use("virtual")
    use("real")
    before, threads = count(), len(os.listdir("/proc/self/task"))
    for number in range(200):
        use("virtual" if number % 4 else "real")
    assert count() == before
    assert len(os.listdir("/proc/self/task")) == threads


def python(program, **environment):
    return subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, **environment})


def test_a_missing_library_names_the_cure():
    result = python("import umadrig; umadrig.Fabric()", UMADRIG_BUILD="/nowhere")
    assert result.returncode == 1
    assert "LibraryMissing: there is no /nowhere/.libs/libumadrig.so.0: UMADRIG_BUILD=/nowhere " \
        "is to name a directory where 'make' has run" in result.stdout
    result = python("import os; del os.environ['UMADRIG_BUILD']\n"
                    "import umadrig; umadrig.Fabric()")
    assert "set UMADRIG_BUILD" in result.stdout


def test_a_forked_child_does_not_reach_the_fabric():
    result = python("""
import os, umadrig
fabric = umadrig.Fabric(clock="virtual")
if os.fork() == 0:
    try:
        fabric.port_state("H1", 1)
    except umadrig.Error as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
fabric.close()
""")
    assert "[Errno 5]" in result.stdout
    assert result.returncode == 0


def test_attributes():
    with umadrig.Fabric("generate:fat-tree:4,4", clock="virtual") as fabric:
        info = fabric.attribute("PortInfo", "host-1", 1)
        assert info["LinkState"] == "Active" and info["Lid"] == fabric.port("host-1").lid
        fabric.link_down("host-1")
        assert fabric.attribute("PortInfo", "host-1")["LinkState"] == "Down"
        assert fabric.attribute("NodeInfo", "leaf-1")["NodeType"] == "Switch"
        with fabric.open("host-2") as port:
            lid = fabric.port("host-3").lid
            asked = port.request(umadrig.Mad("SubnGet(NodeInfo)"), lid)
            assert fabric.attribute("NodeInfo", "host-3", 1).data[64:128] == asked.data[64:128]
        for wrong, number in ((("PortInfo", "nowhere"), errno.ENOENT),
                              (("SwitchInfo", "host-1"), errno.EOPNOTSUPP)):
            with pytest.raises(umadrig.Error) as caught:
                fabric.attribute(*wrong)
            assert caught.value.errno == number
        with pytest.raises(umadrig.UnknownName, match="PortInfo"):
            fabric.attribute("PortInf", "host-1")
