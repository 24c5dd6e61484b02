# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A plugin of pytest: fixtures `fabric`, `umad`, `capture` and `program`.

    @pytest.mark.umadrig("generate:fat-tree:20,8", state="cold", clock="virtual")
    def test_sweep(fabric, umad, capture): ...

    @pytest.mark.umadrig("generate:fat-tree:20,8", state="cold", clock="virtual")
    def test_opensm(fabric, program, capture):
        sm = program(["opensm", "-f", "osm.log"])
        fabric.advance(60)

The marker has the arguments of umadrig.Fabric; of several markers the nearest counts alone. Without
one, the ini option umadrig_fabric is the fabric with its options, as in `umadrig exec --fabric`.
Everything that passes in the fabric is captured; when the test fails, its report gets a section
with the path of the capture, which is kept, and its ladder, and one for each program that was
started, with how it ended and the end of what it printed; reports of --junitxml have them, too.
Tracebacks have the test's own lines, and those of umadrig with --full-trace alone. A program in
virtual time that was ended by its own error (SIGSEGV, SIGABRT, ...) fails the test, unless that has
waited for it. So does a property (fabric.always("all-active")) that has not held, and what the
checks of a built kernel find in it, and when its fabric closes, which pytest calls an error at the
test's teardown.
"""
from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import Any, Callable, Iterator, Optional, Sequence

import pytest

from .capture import CapturedMad, Path, ladder, safe_name
from .errors import Error, KernelFault
from .fabric import Fabric
from .program import Program
from .umad import UmadPort

LADDER_LINES = 200
OUTPUT_LINES = 50       # of each output of a program
PROGRAMS = 10           # in a report
_CRASHES = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE,
            signal.SIGSEGV, signal.SIGSYS)
_RECORD = pytest.StashKey["CapturedTest"]()


class CapturedTest:
    """The fixture `capture`: the MADs that have passed so far, in order; a sequence of
    CapturedMad. `path` is the capture's file, which is complete after the test."""

    def __init__(self, path: str, fabric: Fabric) -> None:
        self.path = path
        self._fabric = fabric
        self._mads: list[CapturedMad] = []

    @property
    def mads(self) -> list[CapturedMad]:
        """A list of them."""
        return list(self._mads)

    def clear(self) -> None:
        """Forgets those so far; the file keeps them."""
        self._mads.clear()

    def named(self, name: str) -> list[CapturedMad]:
        """Those of a method and attribute, "SubnGet(NodeInfo)"; one that is lost on its way counts
        once, where it left its source."""
        return [seen for seen in self.mads if seen.mad.name == name and not seen.dropped]

    def __iter__(self) -> Iterator[CapturedMad]:
        return iter(self.mads)

    def __len__(self) -> int:
        return len(self._mads)

    def __getitem__(self, index: int) -> CapturedMad:
        return self._mads[index]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    parser.addini("umadrig_fabric", "the fabric of tests without a marker, with its options "
                  "(default: ',clock=virtual': two hosts on one cable)", default=",clock=virtual")
    parser.addini("umadrig_captures", "the directory for captures of failed tests "
                  "(default: a new one in TMPDIR)", default="")
    parser.getgroup("umadrig").addoption(
        "--umadrig-captures", metavar="DIR", default="",
        help="keep the captures of all tests there, not only of those that fail")
    parser.getgroup("umadrig").addoption(
        "--umadrig-schedules", metavar="N", type=int, default=0,
        help="run each test with a virtual clock N times, each time with another order of programs")
    parser.getgroup("umadrig").addoption(
        "--umadrig-kernel", metavar="KERNEL", default="",
        help="the hosts of tests that name no kernel run this one, which 'umadrig kernel build' "
        "has made: 6.12, or a file with its directory")


def pytest_configure(config: pytest.Config) -> None:
    """The marker; and tracebacks without the lines of this package."""
    package = __name__.split(".", maxsplit=1)[0]
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            setattr(module, "__tracebackhide__", True)
    config.addinivalue_line("markers", "umadrig(spec, **options): the fabric of this test; the "
                            "arguments of umadrig.Fabric")


def _directory(config: pytest.Config) -> str:
    chosen = config.getoption("--umadrig-captures") or config.getini("umadrig_captures")
    if chosen:
        path = os.path.join(config.rootpath, str(chosen))
        os.makedirs(path, exist_ok=True)
        return path
    return tempfile.mkdtemp(prefix="umadrig-pytest-")


def _arguments(node: pytest.Item, config: pytest.Config) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Those of umadrig.Fabric for a test."""
    marker = node.get_closest_marker("umadrig")
    if marker is None:
        return (str(config.getini("umadrig_fabric")),), {}
    return marker.args, dict(marker.kwargs)


def _add_kernel(args: tuple[Any, ...], options: dict[str, Any], config: pytest.Config) -> None:
    """--umadrig-kernel: not for tests that say on which kernel, or on which profile, they run."""
    kernel = config.getoption("--umadrig-kernel")
    words = str(args[0]).split(",")[1:] if args else []
    said = [word.split("=")[0] for word in words] + list(options)
    if kernel and "kernel" not in said and "profile" not in said:
        options["kernel"] = os.path.abspath(kernel) if "/" in kernel else kernel


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """--umadrig-schedules: not for tests in real time, or that say their schedule themselves."""
    count = metafunc.config.getoption("--umadrig-schedules")
    if not count or "umadrig_schedule" not in metafunc.fixturenames:
        return
    args, options = _arguments(metafunc.definition, metafunc.config)
    words = str(args[0]).split(",")[1:] if args else []
    if "schedule" in options or any(word.startswith("schedule=") for word in words):
        return
    if options.get("clock") == "virtual" or "clock=virtual" in words:
        metafunc.parametrize("umadrig_schedule", range(count), indirect=True,
                             ids="schedule={}".format)


@pytest.fixture
def umadrig_schedule(request: pytest.FixtureRequest) -> Optional[int]:
    """Which order programs run in: the parameter of --umadrig-schedules; None: the fabric's."""
    number: Optional[int] = getattr(request, "param", None)
    return number


@pytest.fixture
def fabric(request: pytest.FixtureRequest, umadrig_schedule: Optional[int]) -> Iterator[Fabric]:
    """The fabric of the marker `umadrig` or of the ini option umadrig_fabric, captured."""
    args, options = _arguments(request.node, request.config)
    if umadrig_schedule is not None:
        options["schedule"] = umadrig_schedule
    _add_kernel(args, options, request.config)
    faults: list[str] = []
    try:
        yield from _captured(Fabric(*args, **options), request)
    except KernelFault as error:
        faults = error.faults
    if faults:
        pytest.fail(_faults(faults), pytrace=False)


def _captured(new: Fabric, request: pytest.FixtureRequest) -> Iterator[Fabric]:
    with new as made:
        directory = _directory(request.config)
        path = os.path.join(directory, safe_name(request.node.name) + ".pcapng")
        record = CapturedTest(path, made)
        request.node.stash[_RECORD] = record
        try:
            made.watch(record._mads.append)
            with made.capture(path, comment=request.node.nodeid):
                yield made
        finally:
            if not made.closed:
                made.watch(None)
    _tidy(request, record)


def _faults(faults: Sequence[str]) -> str:
    return "the kernel has a fault: " + "\n".join(faults)


def _tidy(request: pytest.FixtureRequest, record: CapturedTest) -> None:
    """Removes the capture of a test that passed."""
    failed = getattr(request.node, "umadrig_failed", False)
    if failed or request.config.getoption("--umadrig-captures"):
        return
    if os.path.exists(record.path):
        os.unlink(record.path)
    if not request.config.getini("umadrig_captures"):
        shutil.rmtree(os.path.dirname(record.path), ignore_errors=True)


@pytest.fixture
def capture(fabric: Fabric, request: pytest.FixtureRequest) -> CapturedTest:
    """The MADs of the fabric so far."""
    record: CapturedTest = request.node.stash[_RECORD]
    return record


@pytest.fixture
def umad(fabric: Fabric) -> Iterator[UmadPort]:
    """An open umad port of the fabric's first host (or of the option host=)."""
    with fabric.open() as port:
        yield port


@pytest.fixture
def program(fabric: Fabric, tmp_path: pathlib.Path) -> Callable[..., Program]:
    """Starts a program in the fabric's virtual time, as Fabric.program() does, but in the test's
    own directory tmp_path: program(["opensm", "-f", "osm.log"], host="host-1")."""
    def start(arguments: Sequence[Path], **options: Any) -> Program:
        options.setdefault("cwd", tmp_path)
        return fabric.program(arguments, **options)
    return start


# ---- what became of programs ----

def _ended(program: Program) -> Optional[int]:
    """Its status, if it has ended at this instant."""
    if program.returncode is None and not program._fabric.closed:
        try:
            program.wait(0)
        except (subprocess.TimeoutExpired, Error):
            pass
    return program.returncode


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:      # those of real time
        return "signal %d" % number


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """After a test that has passed: no program has crashed without its notice, what must hold of
    its fabric has held, and no check of its kernel has found anything so far."""
    record = item.stash.get(_RECORD, None)
    faults = [] if record is None else record._fabric.take_kernel_faults()
    if faults:
        pytest.fail(_faults(faults), pytrace=False)
    broken = [] if record is None or record._fabric.closed else [
        str(one) for one in record._fabric.properties(end=True) if one.broken]
    if broken:
        pytest.fail("\n".join(broken), pytrace=False)
    unseen = [] if record is None else [
        program for program in record._fabric._programs if program.returncode is None]
    for program in unseen:
        status = _ended(program)
        if status is not None and -status in _CRASHES:
            pytest.fail("%s was ended by %s" % (" ".join(program.args), _signal(-status)),
                        pytrace=False)


def _tail(name: str, text: str) -> list[str]:
    lines = text.splitlines()
    left = len(lines) - OUTPUT_LINES
    if left > 0:
        lines[:left] = ["... (%d more lines)" % left]
    return ["%s:" % name, *lines] if lines else []


def _story(program: Program) -> str:
    status = _ended(program)
    end = "it runs" if status is None else "its status is %d" % status
    if status is not None and status < 0:
        end = "%s has ended it" % _signal(-status)
    return "\n".join([end, *_tail("it printed", program.stdout),
                      *_tail("and on standard error", program.stderr)])


def _stories(record: CapturedTest) -> Iterator[tuple[str, str]]:
    programs = record._fabric._programs
    if len(programs) > PROGRAMS:
        yield "umadrig: programs", "%d were started; the last of them:" % len(programs)
    for program in programs[-PROGRAMS:]:
        yield "umadrig: " + " ".join(program.args), _story(program)


def _drawing(record: CapturedTest) -> str:
    if not record._fabric.closed:
        try:
            record._fabric.console("capture stop")
        except Error:
            pass    # the test has stopped it itself
    try:
        lines = ladder(record.path).splitlines()
    except Error as error:
        lines = ["no ladder: %s" % error]
    if len(lines) > LADDER_LINES:
        lines[LADDER_LINES:] = ["... (%d more lines: umadrig show --ladder %s)" % (
            len(lines) - LADDER_LINES, record.path)]
    return "\n".join(["capture: " + record.path, *lines])


def _attach(report: Any, name: str, text: str) -> None:
    """Adds a section to what is said of a failure, which JUnit's reports have as well; what stands
    in report.sections they leave out."""
    if hasattr(report.longrepr, "addsection"):
        report.longrepr.addsection(name, text)
    elif isinstance(report.longrepr, str):
        report.longrepr += "\n\n---- %s ----\n%s" % (name, text)
    else:
        report.sections.append((name, text))


def _report(item: pytest.Item, call: Any) -> Iterator[None]:
    """Attaches the capture of a failed test to its report."""
    outcome: Any = yield
    report = outcome.get_result()
    record = item.stash.get(_RECORD, None)
    if record is None or not report.failed or getattr(item, "umadrig_failed", False):
        return
    setattr(item, "umadrig_failed", True)
    stories = list(_stories(record))
    for name, text in [("umadrig", _drawing(record)), *stories]:
        _attach(report, name, text)


pytest_runtest_makereport = pytest.hookimpl(hookwrapper=True)(_report)
