"""What is kept of a run: write, read, plot.

Arrays, names and dictionaries flow in tick by tick (Recorder) and come out over all ticks (Recording). Knows only
such plain data: nothing of worlds, scripts or experiments.
"""

from pybuzz.recording.description import ArenaMark, ObstacleMark, RobotMark, RunDescription, ViewMark
from pybuzz.recording.messages import LOST_BY_LOSS, LOST_BY_OCCLUSION, RECEIVED, MessageRows, Messages
from pybuzz.recording.recorder import Recorder
from pybuzz.recording.recording import Event, LightStay, LogLine, ObjectWays, Recording
from pybuzz.recording.rows import NO_ROBOT
from pybuzz.recording.views import Picture

__all__ = [
    "LOST_BY_LOSS", "LOST_BY_OCCLUSION", "NO_ROBOT", "RECEIVED", "ArenaMark", "Event", "LightStay", "LogLine",
    "MessageRows", "Messages", "ObjectWays", "ObstacleMark", "Picture", "Recorder", "Recording", "RobotMark",
    "RunDescription", "ViewMark",
]  # fmt: skip
