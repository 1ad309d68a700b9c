"""What the report says in words, and how it writes numbers and names."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_right
from itertools import accumulate

from discreet.replay.result import Result
from discreet.report.data import Row, promises, rows

NOT_PRIVATE = "NOT PRIVATE: for the data's owner only"
#: Characters that would turn the direction of the text around them.
_TURNING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}


def warning(result: Result) -> str:
    """Why the report must not be passed on, and what may be."""
    made = "All of this is computed from the raw losses and may reveal them; do not pass it on."
    if not promises(result):
        return f"{made} This learner promises nothing, so its actions are not private either."
    if result.released is None:
        return f"{made} Only a file of released actions is private, and this replay has not made one."
    return f"{made} The only private output is the file of released actions."


def number(value: float) -> str:
    """A regret or a total loss.

    >>> number(12345.678), number(-0.01)
    ('12,345.7', '0.0')
    """
    return f"{value:z,.1f}" if math.isfinite(value) else "unlimited"


def between(ends: tuple[float, float] | None) -> str:
    """An interval, or a dash where there is none.

    >>> between((1, 2.5))
    '1.0 to 2.5'
    """
    return "–" if ends is None else f"{number(ends[0])} to {number(ends[1])}"


def count(n: int, thing: str) -> str:
    """A number of things.

    >>> count(1, "round"), count(2000, "action")
    ('1 round', '2,000 actions')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def runs(line: Row) -> str:
    """How the numbers of a row were found."""
    return "exact expectation" if line.exact else count(line.runs, "run")


def privacy(line: Row) -> str:
    """Whether a learner is private."""
    return "private" if line.private else "not private"


def plain(name: str) -> str:
    """A name as one line of printable text, whatever it contained.

    >>> plain("a" + chr(10) + "b"), plain(" ")
    ('a b', '(no name)')
    """
    return " ".join("".join(map(_printable, name)).split()) or "(no name)"


def short(name: str, length: int) -> str:
    """A name of at most so many characters, where wide ones, as of Chinese, count twice.

    >>> short("gradient boosting", 9)
    'gradient…'
    """
    name = plain(name)
    ends = list(accumulate(1 + (unicodedata.east_asian_width(character) in "WF") for character in name))
    if ends[-1] <= length:
        return name
    return name[: bisect_right(ends, length - 1)].rstrip() + "…"


def headline(result: Result) -> tuple[str, str]:
    """What was replayed, and what came of it."""
    line = rows(result)[0]
    kind = "regret" if line.runs == 1 else "mean regret"
    what = (
        f"{count(result.rounds, 'round')} of losses for {count(len(result.actions), 'action')} "
        f"{'was' if result.rounds == 1 else 'were'} replayed with {plain(result.learner)}."
    )
    if result.reading:
        what += f" In this log {result.reading}."
    came = (
        f"Its {kind}, the loss beyond that of the best fixed action, is {number(line.regret)}"
        f"{f', which is {number(line.per_thousand)} for every 1,000 rounds' if result.rounds >= 1000 else ''}. "
        f"The best fixed action is “{plain(result.actions[result.best])}”, "
        f"with a total loss of {number(result.totals[result.best])}."
    )
    return what, came


def bound(result: Result) -> tuple[str, str]:
    """The proved bound and what it is on."""
    if result.bound is None:
        return "No number", plain(result.bound_words)
    return f"At most {number(result.bound)}", plain(result.bound_words)


def origin(result: Result, version: str) -> str:
    """Where the numbers come from and which of them come again."""
    simulated = [curve.runs for curve in result.curves if curve.runs > 1]
    how = f"{count(max(simulated), 'run')} of each simulated learner, " if simulated else ""
    text = (
        f"Made by discreet {version} with {how}seed {result.seed}. "
        f"The same log, version and seed give the same numbers again"
    )
    if result.released is None:
        return f"{text}."
    return f"{text}, except for the released run: its chance comes from the system and is never repeated."


def _printable(character: str) -> str:
    code = ord(character)
    if character.isspace():
        return " "
    unfit = unicodedata.category(character) in ("Cc", "Cs") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return "\ufffd" if unfit or code in _TURNING else character
