"""Running a learner over a recorded log of losses; turning a log into reports, and running a learner over those."""

from discreet.replay.estimates import Estimates
from discreet.replay.from_reports import replay_reports
from discreet.replay.log import Log, open_log
from discreet.replay.opened import BadLog
from discreet.replay.privatized import save_reports
from discreet.replay.promise import Promise, promise_of
from discreet.replay.release import save_release
from discreet.replay.reports import Reports, open_reports
from discreet.replay.result import Curve, Result, Timeline
from discreet.replay.run import Replay, replay

__all__ = [
    "BadLog",
    "Curve",
    "Estimates",
    "Log",
    "Promise",
    "Replay",
    "Reports",
    "Result",
    "Timeline",
    "open_log",
    "open_reports",
    "promise_of",
    "replay",
    "replay_reports",
    "save_release",
    "save_reports",
]
