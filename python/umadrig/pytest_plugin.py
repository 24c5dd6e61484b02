# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A plugin of pytest: fixtures `fabric`, `umad` and `capture`.

    @pytest.mark.umadrig("generate:fat-tree:20,8", state="cold", clock="virtual")
    def test_sweep(fabric, umad, capture): ...

The marker has the arguments of umadrig.Fabric; of several markers the nearest counts alone. Without
one, the ini option umadrig_fabric is the fabric with its options, as in `umadrig exec --fabric`.
Everything that passes in the fabric is captured; when the test fails, its report gets a section
with the path of the capture, which is kept, and its ladder.
"""
from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Iterator, Optional

import pytest

from .capture import CapturedMad, ladder, safe_name
from .errors import Error
from .fabric import Fabric
from .umad import UmadPort

LADDER_LINES = 200
_RECORD = pytest.StashKey["CapturedTest"]()


class CapturedTest:
    """The fixture `capture`: the MADs that have passed so far, in order; a sequence of
    CapturedMad. `path` is the capture's file, which is complete after the test."""

    def __init__(self, path: str) -> None:
        self.path = path
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


def pytest_configure(config: pytest.Config) -> None:
    """The marker."""
    config.addinivalue_line("markers", "umadrig(spec, **options): the fabric of this test; the "
                            "arguments of umadrig.Fabric")


def _directory(config: pytest.Config) -> str:
    chosen = config.getoption("--umadrig-captures") or config.getini("umadrig_captures")
    if chosen:
        path = os.path.join(config.rootpath, str(chosen))
        os.makedirs(path, exist_ok=True)
        return path
    return tempfile.mkdtemp(prefix="umadrig-pytest-")


def _make(request: pytest.FixtureRequest) -> Fabric:
    marker = request.node.get_closest_marker("umadrig")
    if marker is None:
        return Fabric(str(request.config.getini("umadrig_fabric")))
    options: dict[str, Any] = dict(marker.kwargs)
    return Fabric(*marker.args, **options)


@pytest.fixture
def fabric(request: pytest.FixtureRequest) -> Iterator[Fabric]:
    """The fabric of the marker `umadrig` or of the ini option umadrig_fabric, captured."""
    with _make(request) as made:
        directory = _directory(request.config)
        path = os.path.join(directory, safe_name(request.node.name) + ".pcapng")
        record = CapturedTest(path)
        request.node.stash[_RECORD] = record
        try:
            made.watch(record._mads.append)
            with made.capture(path, comment=request.node.nodeid):
                yield made
        finally:
            if not made.closed:
                made.watch(None)
    _tidy(request, record)


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


def _drawing(record: CapturedTest, node: pytest.Item) -> str:
    made: Optional[Fabric] = getattr(node, "funcargs", {}).get("fabric")
    if made is not None and not made.closed:
        try:
            made.console("capture stop")
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


def _report(item: pytest.Item, call: Any) -> Iterator[None]:
    """Attaches the capture of a failed test to its report."""
    outcome: Any = yield
    report = outcome.get_result()
    record = item.stash.get(_RECORD, None)
    if record is None or not report.failed or getattr(item, "umadrig_failed", False):
        return
    setattr(item, "umadrig_failed", True)
    report.sections.append(("umadrig", _drawing(record, item)))


pytest_runtest_makereport = pytest.hookimpl(hookwrapper=True)(_report)
