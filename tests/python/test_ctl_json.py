# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""umadrig ctl --json: each command's answer has the form that doc/ctl-json.md describes."""
import json
import subprocess

import pytest

import umadrig
from umadrig import library

PORT = {"port": int, "guid": str, "peer": (dict, type(None)), "rate": str, "state": str,
        "physical_state": str}
NODE = {"node": str, "description": str, "kind": str, "node_guid": str, "system_guid": str,
        "power": str, "ports": list}
RULE = {"id": int, "rule": str, "matched": int, "acted": int}
END = {"node": str, "port": int, "lid": int}


@pytest.fixture(scope="module")
def fabric():
    with umadrig.Fabric("generate:fat-tree:4,4") as made:
        made.serve()
        yield made


def ctl(fabric, *words, stdin=None):
    result = subprocess.run([library.place("umadrig"), "ctl", "--json", "--socket", fabric.serve(),
                             *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, check=False)
    assert result.stderr == ""
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def ask(fabric, *words):
    status, (answer,) = ctl(fabric, *words)
    assert status == 0, answer
    assert set(answer) == {"command", "result"}
    return answer["result"]


def has(value, form):
    assert {name: type(value[name]) for name in form} == {
        name: type(value[name]) for name in form if isinstance(value[name], form[name])}


def test_dump(fabric):
    nodes = ask(fabric, "Dump")
    assert [node["node"] for node in nodes] == fabric.nodes
    for node in nodes:
        has(node, NODE)
        for port in node["ports"]:
            has(port, PORT)
    assert {node["kind"] for node in nodes} == {"CA", "Switch"}
    (host,) = ask(fabric, "Dump", "host-1")
    assert host["description"] == "host-1 HCA-1" and host["power"] == "on"
    assert host["ports"][0]["lid"] == fabric.port("host-1").lid
    assert host["ports"][0]["state"] == "Active" and host["ports"][0]["physical_state"] == "LinkUp"
    peer = host["ports"][0]["peer"]
    (switch,) = ask(fabric, "Dump", peer["node"])
    assert switch["ports"][peer["port"]]["peer"] == {"node": host["node"], "port": 1}
    assert switch["node_guid"].startswith("0x") and len(switch["node_guid"]) == 18


def test_route(fabric):
    lids = [fabric.port(host).lid for host in ("host-0", "host-3")]
    route = ask(fabric, "Route", *map(str, lids))
    has(route["from"], END)
    has(route["to"], END)
    assert [route["from"]["lid"], route["to"]["lid"]] == lids
    assert len(route["hops"]) == 4
    for hop in route["hops"]:
        has(hop, {"out": int, "node": str, "in": int})


def test_faults(fabric):
    number = ask(fabric, "fault", "add", "drop", "5%", "on", "host-1[1]")["id"]
    (rule,) = ask(fabric, "fault", "list")
    has(rule, RULE)
    assert rule == {"id": number, "rule": "drop 5% on host-1[1]", "matched": 0, "acted": 0}
    assert ask(fabric, "fault", "remove", "all") is None
    assert ask(fabric, "fault", "list") == []
    for words in (("fault drop", "5%"), ("fault delay", "by", "2ms"), ("fault duplicate", "all"),
                  ("fault reorder", "3"), ("fault corrupt", "1"), ("fault lie", "any", "1%")):
        assert ask(fabric, *words[0].split(), *words[1:], "from", "host-1[1]")["id"] > number
    assert len(ask(fabric, "fault", "list")) == 6
    ask(fabric, "fault", "remove", "all")


def test_counters(fabric):
    fabric.set_counter("host-1", 1, "PortCounters.SymbolErrorCounter", 7)
    answer = ask(fabric, "counters", "host-1[1]")
    assert (answer["port"], answer["attribute"]) == (1, "PortCounters")
    assert answer["counters"]["SymbolErrorCounter"] == 7
    assert all(isinstance(value, int) for value in answer["counters"].values())
    assert ask(fabric, "PerformanceSet", "host-1[1]", "PortCounters.SymbolErrorCounter=0") == [
        "%s[1] PortCounters.SymbolErrorCounter has been set to 0" % answer["node"]]


def test_load(fabric):
    assert ask(fabric, "load", "add", "host-1", "host-2", "1G") == {"id": 1}
    (flow,) = ask(fabric, "load", "list")
    has(flow, {"id": int, "from": dict, "to": dict, "wanted": int, "carried": int,
               "packet_size": int, "state": str})
    assert flow["state"] == "goes" and flow["at"] is None and flow["carried"] == 1000000000
    ask(fabric, "counter", "host-1[1]", "SymbolErrorCounter", "+1/s")
    assert ask(fabric, "load", "remove", "1") is None
    assert ask(fabric, "load", "list") == []


def test_functions(fabric):
    assert ask(fabric, "vf", "list") == []
    with umadrig.Fabric("generate:rail:2,1,4,vfs=2:host-1") as made:
        made.serve()
        assert ask(made, "vf", "port", "host-1", "1", "0x77") is None
        assert ask(made, "vf", "node", "host-1", "1", "0") is None
        assert ask(made, "vf", "policy", "host-1", "1", "up") is None
        assert ask(made, "vf", "count", "host-1", "0") is None
        assert ask(made, "vf", "count", "host-1", "2") is None
        first, second = ask(made, "vf", "list")
        assert first == {"node": second["node"], "vf": 0, "device": "mlx5_1",
                         "node_guid": "0x0000000000000000", "port_guid": "0x0000000000000000",
                         "policy": "Down", "state": "Down", "lid": second["lid"]}
        assert (second["vf"], second["port_guid"]) == (1, "0x0000000000000077")
        assert (second["policy"], second["state"]) == ("Up", "Active")


def test_schedule(fabric):
    assert ask(fabric, "link", "flap", "host-1[1]", "down", "5s", "every", "3600s") == {"id": 1}
    assert ask(fabric, "after", "3600s", "link", "degrade", "host-1[1]", "1x") == {"id": 2}
    assert ask(fabric, "every", "3600s", "link", "restore", "host-1[1]") == {"id": 3}
    entries = ask(fabric, "schedule", "list")
    assert [entry["id"] for entry in entries] == [1, 1, 2, 3]
    for entry in entries:
        has(entry, {"id": int, "line": str, "due_ns": int, "every_ns": int, "left": int})
    assert ask(fabric, "schedule", "remove", "all") is None
    assert ask(fabric, "link", "degrade", "host-1[1]", "1x") is None
    assert ask(fabric, "link", "restore", "host-1[1]") is None


def test_properties(fabric):
    for number, words in enumerate((("always", "all-active", "within", "30s"),
                                    ("never", "unique-lids"),
                                    ("sometimes", "report = ends 5"),
                                    ("finally", "one-master")), 1):
        assert ask(fabric, *words) == {"id": number}
    properties = ask(fabric, "property", "list")
    assert [entry["kind"] for entry in properties] == ["always", "never", "sometimes", "finally"]
    for entry in properties:
        has({key: entry[key] for key in ("id", "kind", "condition", "within_ns", "state")},
            {"id": int, "kind": str, "condition": str, "within_ns": int, "state": str})
    ended = ask(fabric, "property", "end")
    assert ended[1]["state"] == "broken" and ended[1]["why"] == "it is so"
    assert ended[3]["state"] == "met" and isinstance(ended[3]["at_ns"], int)
    assert ask(fabric, "property", "remove", "all") is None
    assert ask(fabric, "property", "list") == []
    assert ask(fabric, "heal") is None


def test_triggers(fabric):
    assert ask(fabric, "when", "all", "SubnSet(PortInfo)", "do", "Dump") == {"id": 1}
    assert ask(fabric, "when", "log-has", "/nowhere/log", "x", "do", "Dump") == {"id": 2}
    assert ask(fabric, "when", "list") == [
        {"id": 1, "event": "all SubnSet(PortInfo)", "line": "Dump", "times": 0, "matched": 0},
        {"id": 2, "event": "log-has /nowhere/log x", "line": "Dump", "times": 0}]
    assert ask(fabric, "when", "remove", "all") is None
    _, (answer,) = ctl(fabric, "signal", "opensm", "KILL")
    assert "knows of no programs" in answer["error"]["message"]


def test_clients(fabric):
    with fabric.start(["sh", "-c", "echo; read line"], stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        for client in ask(fabric, "Attached"):
            has(client, {"client": int, "pid": int, "handles": int})
        process.stdin.close()
    assert ask(fabric, "clients") == []


def test_topology_and_reports(fabric):
    assert len(ask(fabric, "topology")["nodes"]) == len(fabric.nodes)
    assert ask(fabric, "topology", "json") == ask(fabric, "topology")
    assert any(line.startswith("lft 0x") for line in ask(fabric, "tables"))
    assert any("Switch" in line for line in ask(fabric, "topology", "ibnetdiscover"))
    assert ask(fabric, "report")[0].startswith("ends ")
    assert ask(fabric, "Start") == ["# generate:fat-tree:4,4: started"]
    assert ask(fabric, "Verbose") == ["simulator verbose level is 0"]
    assert ask(fabric, "multicast", "0xc000")[0].startswith("members ")


def test_commands_that_print_nothing(fabric, tmp_path):
    for words in (["Unlink", "host-2[1]"], ["ReLink", "host-2[1]"], ["link", "down", "host-2"],
                  ["link", "up", "host-2"], ["node", "off", "host-2"], ["node", "on", "host-2"],
                  ["Wait", "1ms"], ["Error", "host-2", "0"],
                  ["capture", "start", str(tmp_path / "a.pcapng")], ["capture", "stop"],
                  ["capability", "set", "host-2[1]", "0x80000"],
                  ["capability", "clear", "host-2[1]", "0x80000"],
                  ["link", "error", "host-2[1]", "integrity"],
                  ["node", "temperature", "host-2", "50"], ["device", "fatal", "host-3"],
                  ["device", "remove", "host-2"]):
        assert ask(fabric, *words) is None


def test_sm_off(fabric):
    status, (answer,) = ctl(fabric, "sm", "off")
    assert status == 1 and "no port says IsSM" in answer["error"]["message"]


def test_sa(fabric):
    port = {"port": "H-0002c90300000040[1]", "lid": 5}
    assert ask(fabric, "sa") == {"sa": "builtin", **port, "subnets": [port]}
    assert ask(fabric, "sa", "none") is None
    assert ask(fabric, "sa") == {"sa": "none", "subnets": []}


def test_errors(fabric):
    status, (answer,) = ctl(fabric, "Unlink", "S9[1]")
    assert status == 1
    assert answer == {"command": "Unlink S9[1]", "error": {
        "status": 1, "message": "there is no node 'S9'; Dump lists them"}}
    status, (answer,) = ctl(fabric, "Unlinc", "S9[1]")
    assert status == 2 and "did you mean" in answer["error"]["message"]
    status, (answer,) = ctl(fabric, "json", "Dump")
    assert status == 2 and answer["error"]["message"] == "'json' is given twice"


def test_lines_of_standard_input(fabric):
    status, answers = ctl(fabric, stdin="# nothing\n\nStart\nDump S9\nfault list\n")
    assert status == 1
    assert [answer["command"] for answer in answers] == ["Start", "Dump S9", "fault list"]
    assert answers[1]["error"]["file"] == "standard input" and answers[1]["error"]["line"] == 4
    assert answers[2]["result"] == []


def test_strings_are_escaped():
    with umadrig.Fabric(text='Hca 1 "A"\t# "a \\\\ tab"\n[1] "B"[1]\n\nHca 1 "B"\n[1] "A"[1]\n'
                        ) as fabric:
        fabric.set_description("B", 'quote " \\ \t \udcff end')
        (node,) = ask(fabric, "Dump", "B")
        assert node["description"] == 'quote " \\ \t \ufffd end'


def test_in_the_process():
    with umadrig.Fabric(clock="virtual") as fabric:
        assert [node["node"] for node in json.loads(fabric.console("json Dump"))] == ["H1", "H2"]
        assert json.loads(fabric.console("json Unlink H1[1]")) is None
        with pytest.raises(umadrig.ConsoleError, match="no node 'H9'"):
            fabric.console("json Unlink H9[1]")


def test_no_command_is_forgotten(fabric):
    """Help lists what there is; each is in this file, or ends the server, or needs one more."""
    with open(__file__, encoding="utf-8") as file:
        here = file.read().replace('", "', " ")
    left = {"Link", "Clear", "Guid", "Baselid", "X", "Quit", "kill", "json"}
    known = ask(fabric, "Help")
    for entry in known:
        has(entry, {"command": str, "arguments": str, "summary": str})
        assert '"%s' % entry["command"] in here or entry["command"] in left, entry
    (end,) = ask(fabric, "Help", "Quit")
    assert end["command"] == "Quit"
