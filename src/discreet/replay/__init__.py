"""Running a learner over a recorded log of losses."""

from discreet.replay.log import Log, open_log
from discreet.replay.opened import BadLog
from discreet.replay.release import save_release
from discreet.replay.result import Curve, Result, Timeline
from discreet.replay.run import Replay, replay

__all__ = ["BadLog", "Curve", "Log", "Replay", "Result", "Timeline", "open_log", "replay", "save_release"]
