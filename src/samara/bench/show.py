# SPDX-License-Identifier: Apache-2.0
"""The results that are there: those that come with the sources, and a user's own."""

from __future__ import annotations

from itertools import islice, starmap
from typing import TYPE_CHECKING, Annotated

from samara import crypto
from samara.bench import added, freshness, overview, requests, store, subjects
from samara.bench.requests import (
    DeviceNames,
    ImplementationNames,
    Optimisations,
    SuiteNames,
)
from samara.bench.result_record import ResultRecord, record_of
from samara.bench.results_csv import csv_of
from samara.bench.results_table import Part, parts_of_programs, parts_of_sorted
from samara.bench.sorting import Sort, sortable, sorted_places
from samara.crypto.names import find
from samara.records import (
    Answer,
    Between,
    Digest,
    Parameter,
    Request,
    Title,
    request_class,
)
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from samara.bench.programs import Program
    from samara.bench.ranking import Rated
    from samara.bench.results import ProgramName


_AT_A_TIME = 512
"""Records whose sources are looked at together: the first are not to come late."""


@request_class
class ShowRequest(Request):
    """Which results, and in which order."""

    devices: DeviceNames = ()
    suites: SuiteNames = ()
    message_bytes: Annotated[
        int | None,
        Parameter(
            name="message",
            help="Size of the message.",
            unit=BYTES,
            values=Between(0),
            default_text="all",
        ),
    ] = None
    ad_bytes: Annotated[
        int | None,
        Parameter(
            name="ad",
            help="Size of the associated data.",
            unit=BYTES,
            values=Between(0),
            default_text="all",
        ),
    ] = None
    opts: Optimisations = ()
    implementations: ImplementationNames = ()
    sort: Annotated[
        Sort | None,
        Parameter(
            help="Sort by this, the least first.",
            default_text="as they were measured",
        ),
    ] = None

    def is_wanted(self, program: ProgramName) -> bool:
        """Tell whether results of a program are asked for."""
        return (
            (not self.suites or program.suite in self.suites)
            and (not self.opts or program.opt in self.opts)
            and (
                not self.implementations
                or program.implementation in self.implementations
            )
        )

    @property
    def wanted_size(self) -> Callable[[int, int], bool] | None:
        """Tells whether results of a size are asked for; None: all sizes are."""
        if self.message_bytes is None and self.ad_bytes is None:
            return None
        return self._is_wanted_size

    def _is_wanted_size(self, message_bytes: int, ad_bytes: int) -> bool:
        return self.message_bytes in (None, message_bytes) and self.ad_bytes in (
            None,
            ad_bytes,
        )

    def as_run_options(self) -> str:
        """Return the options with which `samara bench run` measures the same."""
        pairs = [
            *(("--device", name) for name in self._device_names()),
            *(("--suite", name) for name in self.suites),
            *(("--opt", name) for name in self.opts),
            *(("--implementation", name) for name in self.implementations),
            ("--message", self.message_bytes),
            ("--ad", self.ad_bytes),
        ]
        return " ".join(f"{name} {value}" for name, value in pairs if value is not None)

    def _device_names(self) -> list[str]:
        if not self.devices:
            return []
        return [each.name for each in requests.chosen_devices(self.devices)]


def show(request: ShowRequest) -> Answer[ResultRecord]:
    """Yield results, each with its figures.

    Where all results are asked for, people are shown one row for each device.
    Without suites, a table has those that differ only in the length of their tag in
    one row, with the figures of the longest tag; records are not joined.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a device is not known, or a suite is neither known nor measured.
    MisuseError
        If an implementation is not known.
    """
    yield from requests.notices(request.devices)
    if request == ShowRequest() and (found := overview.measured()):
        yield Digest(_records_of(request), overview.parts_of(found))
    elif programs := _programs_of(request):
        # As many results are made as are shown.
        records = _records_in(programs, request.sort)
        yield Digest(records, _parts_of(programs, request))
    else:
        yield Title("", empty=_why_empty(request))


def _parts_of(programs: Sequence[Program], request: ShowRequest) -> Iterator[Part]:
    fold = not request.suites
    if request.sort is None:
        return parts_of_programs(programs, fold=fold)
    return parts_of_sorted(programs, request.sort, fold=fold)


def _records_of(request: ShowRequest) -> Iterator[ResultRecord]:
    """Yield the records of all results, which are read when the first is asked for."""
    yield from _records_in(_programs_of(request), request.sort)


def _records_in(
    programs: Sequence[Program], sort: Sort | None
) -> Iterator[ResultRecord]:
    """Yield records, for some of which at a time the sources are looked at."""
    found = _results_in(programs, sort)
    while some := list(islice(found, _AT_A_TIME)):
        for _ in freshness.look_up(result for result, _ in some):
            pass
        yield from starmap(record_of, some)


def show_as_csv(request: ShowRequest) -> str:
    """Return the same results as CSV, with a column for each figure."""
    return csv_of(_results_in(_programs_of(request), request.sort))


def _results_in(programs: Sequence[Program], sort: Sort | None) -> Iterator[Rated]:
    """Yield the results, and the figure of merit of each if they are sorted by it."""
    if sort is None:
        yield from ((result, None) for program in programs for result in program)
        return
    for place in sorted_places(programs, sort, programs):
        yield place.result, place.merit


def _programs_of(request: ShowRequest) -> list[Program]:
    """Return the programs, if they are to be sorted those that can be.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a device is not known, or a suite is neither known nor measured.
    MisuseError
        If an implementation is not known.
    """
    if request.implementations:
        requests.chosen_implementations(request.implementations)
    read = _read(request, request.wanted_size)
    found = [program for program in read if request.is_wanted(program.name)]
    return found if request.sort is None else sortable(found, request.sort)


def _read(
    request: ShowRequest, wanted: Callable[[int, int], bool] | None = None
) -> list[Program]:
    """Read the results of the devices, and of the suites if all of these are known."""
    names = dict.fromkeys(
        each.name for each in requests.chosen_devices(request.devices)
    )
    places = [store.committed()]
    if request.devices:
        places = [store.committed_of(name) for name in names]
    found = store.programs(*places, store.own(), suites=request.suites, wanted=wanted)
    for suite in request.suites:
        _check_known(suite, found)
    if not request.devices:
        return found
    return [program for program in found if program.name.device in names]


def _check_known(suite: str, found: Iterable[Program]) -> None:
    try:
        subjects.subject(suite)
    except (crypto.UnknownNameError, added.NotACipherError):
        # A cipher that was added, measured and removed still has its results.
        names = [one.slug for one in subjects.subjects()]
        names += [program.name.suite for program in found]
        find("suite or block cipher", suite, dict.fromkeys(names))


def _why_empty(request: ShowRequest) -> str:
    """Return why there are no results, and the command that measures them."""
    selected = request.as_run_options()
    if not selected:
        return "No results. To measure: samara bench run"
    others = _other_sizes(request)
    return f"No results for {selected}.{others} To measure: samara bench run {selected}"


def _other_sizes(request: ShowRequest) -> str:
    """Return which sizes there are results of, where the sizes are the reason."""
    if not request.suites:
        return ""
    found = {
        size
        for program in _read(request)
        if request.is_wanted(program.name)
        for size in program.sizes
    }
    if not found:
        return ""
    messages = ", ".join(map(str, sorted({size.message for size in found})))
    ads = ", ".join(map(str, sorted({size.ad for size in found})))
    return f" There are results for --message {messages} and --ad {ads}."
