"""One line about each name that scripts find: what its arguments are called, and what it does."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DESCRIPTIONS", "Name"]


@dataclass(frozen=True, slots=True)
class Name:
    """kind: function, table or value. detail: a function's arguments, a table's fields, a value's range or unit."""

    name: str
    kind: str
    detail: str = ""
    info: str = ""


def _function(name: str, arguments: str, info: str) -> Name:
    return Name(name, "function", f"({arguments})", info)


def _table(name: str, info: str, detail: str = "") -> Name:
    return Name(name, "table", detail, info)


def _value(name: str, info: str, detail: str = "") -> Name:
    return Name(name, "value", detail, info)


_LANGUAGE = (
    _function("log", "value, ...", "One line of the values, without separators."),
    _function("type", "value", "The type as a string: nil, integer, float, string, table, closure, userdata."),
    _function("int", "number", "The number without its fraction."),
    _function("float", "number", "The number as a float."),
    _function("clone", "value", "A copy; of a table with everything in it."),
    _function("size", "table", "How many entries a table has."),
    _function("foreach", "table, function(key, value)", "Calls the function for each entry."),
    _function("map", "table, function(key, value)", "A table of what the function returns for each entry."),
    _function("filter", "table, function(key, value)", "The entries for which the function returns true."),
    _function("reduce", "table, function(key, value, result), first", "What is left after folding all entries."),
    *(
        _function(f"is{kind}", "value", f"1 if the value is {text}, else 0.")
        for kind, text in {
            "nil": "nil",
            "int": "an integer",
            "float": "a float",
            "string": "a string",
            "table": "a table",
            "closure": "a function",
            "userdata": "userdata",
        }.items()
    ),
    _value("id", "This robot's number."),
)

_MATH = (
    _table("math", "Functions of numbers; angles in rad."),
    _value("math.pi", "3.14159..."),
    _function("math.abs", "x", "The absolute value."),
    _function("math.log", "x", "The natural logarithm."),
    _function("math.log2", "x", "The logarithm to the base of 2."),
    _function("math.log10", "x", "The logarithm to the base of 10."),
    _function("math.exp", "x", "e to the power of x."),
    _function("math.sqrt", "x", "The square root."),
    _function("math.sin", "angle", "The sine of an angle in rad."),
    _function("math.cos", "angle", "The cosine of an angle in rad."),
    _function("math.tan", "angle", "The tangent of an angle in rad."),
    _function("math.asin", "x", "The arc sine in rad."),
    _function("math.acos", "x", "The arc cosine in rad."),
    _function("math.atan", "y, x", "The angle of the vector (x, y) in rad, -pi to pi."),
    _function("math.floor", "x", "The largest integer that is not larger."),
    _function("math.ceil", "x", "The smallest integer that is not smaller."),
    _function("math.round", "x", "The nearest integer."),
    _function("math.min", "a, b", "The smaller one."),
    _function("math.max", "a, b", "The larger one."),
    _table("math.rng", "Random numbers, a stream for each robot."),
    _function("math.rng.setseed", "integer", "Begins the stream anew."),
    _function(
        "math.rng.uniform",
        "[low,] [high]",
        "Uniform from low (0) to high; an integer if they are integers.",
    ),
    _function("math.rng.gaussian", "[deviation,] [mean]", "Normally distributed; by default 1 and 0."),
    _function("math.rng.exponential", "mean", "Exponentially distributed."),
)

_STRINGS_AND_FILES = (
    _table("string", "Functions of strings, which count bytes."),
    _function("string.length", "text", "How many bytes a string has."),
    _function("string.sub", "text, first, [end]", "The bytes from first on, up to but without end."),
    _function("string.concat", "text, text, ...", "The strings one after the other."),
    _function("string.tostring", "value", "A number as a string."),
    _function("string.toint", "text", "The integer that a string says; nil if it says none."),
    _function("string.tofloat", "text", "The float that a string says; nil if it says none."),
    _table("io", "Files of the one folder in which scripts may read and write."),
    _function("io.fopen", "name, mode", 'Opens a file: mode "r", "w" or "a".'),
    _function("io.fclose", "file", "Closes it."),
    _function("io.fsize", "file", "Its size in bytes."),
    _function("io.fforeach", "file, function(line)", "Calls the function for each line."),
    _function("io.fwrite", "file, value, ...", "Writes the values, without separators."),
    _value("io.errno", "What kept the last call from working: a number, 0 if nothing."),
    _value("io.error_message", "The same as text."),
)

_SWARM = (
    _table("neighbors", "The robots that were heard in this tick."),
    _value("neighbors.poses", "By robot id: distance (cm), azimuth, elevation (rad)."),
    _function("neighbors.count", "", "How many there are."),
    _function("neighbors.get", "id", "One of them: distance (cm), azimuth, elevation (rad); nil if it was not heard."),
    _function("neighbors.foreach", "function(id, data)", "Calls the function for each of them."),
    _function("neighbors.map", "function(id, data)", "The same robots, with what the function returns as their data."),
    _function("neighbors.filter", "function(id, data)", "Those for which the function returns true."),
    _function("neighbors.reduce", "function(id, data, result), first", "What is left after folding all of them."),
    _function("neighbors.kin", "", "Those in the same swarm as this robot."),
    _function("neighbors.nonkin", "", "Those that are not."),
    _function("neighbors.broadcast", "topic, value", "Sends a value to all who hear this robot; it arrives next tick."),
    _function("neighbors.listen", "topic, function(topic, value, robot)", "Calls the function for what is broadcast."),
    _function("neighbors.ignore", "topic", "Listens to this topic no longer."),
    _table("swarm", "Groups of robots."),
    _function("swarm.create", "id", "The swarm of this number: join, leave, select, in, exec(function), others."),
    _function("swarm.id", "[n]", "The swarm whose function is run; the n-th from the top."),
    _function("swarm.union", "id, swarm, swarm", "A swarm of the members of either."),
    _function("swarm.intersection", "id, swarm, swarm", "A swarm of the members of both."),
    _function("swarm.difference", "id, swarm, swarm", "A swarm of the members of the first alone."),
    _table("stigmergy", "Tables that all robots share."),
    _function("stigmergy.create", "id", "A table that all robots share: put(key, value), get(key), size, foreach, ..."),
)

_ROBOT = (
    _function("set_wheels", "left, right", "Wheel speeds in cm/s."),
    _function("gotop", "speed, turning", "Drives: cm/s forward, turning in rad/s anticlockwise."),
    _function("gotoc", "x, y", "Steers along a vector in the robot's frame, as long as the speed in cm/s: at most 10."),
    _function("goto", "x, y", "The same as gotoc."),
    _function("set_leds", "red, green, blue", "All three lights, 0 to 255 each."),
    _table("debug", "Notes for whoever looks on; they are recorded too."),
    _function("debug.print", "value, ...", "Text beside the robot."),
    _function("debug.set_color", "red, green, blue", "The colour of that text, 0 to 255 each."),
    _table("debug.rays", "Lines drawn at the robot."),
    _function("debug.rays.add", "red, green, blue, ...", "A line: its colour, then its end, or start and end, in m."),
    _function("debug.rays.clear", "", "No lines any more."),
    _table("debug.trajectory", "The way that the robot came."),
    _function("debug.trajectory.enable", "[length,] [red, green, blue]", "Draws the way."),
    _function("debug.trajectory.disable", "", "Draws it no longer."),
    _function("debug.trajectory.clear", "", "Begins the way anew."),
    _table("debug.msgqueue", "How many messages were left waiting; nil in the first step."),
    _value("debug.msgqueue.total", "All that wait."),
    _value("debug.msgqueue.broadcast", "Broadcasts that wait."),
    _value("debug.msgqueue.vstig", "Messages of virtual stigmergy that wait."),
    _value("debug.msgqueue.swarm", "Messages of swarms that wait."),
    _table("proximity", "8 readings from the front on, every 45 degrees: 0 nothing within 12 cm, 1 nearer than 4 cm.",
           "[0..7].value, .angle"),
    _table("light", "8 readings from the front on, every 45 degrees: 0 dark to 1 bright.", "[0..7].value, .angle"),
    _table("ultrasound", "5 distances at 0, 45, 90, -90, -45 degrees: 25 to 200 cm.", "[0..4].value, .angle"),
    _table("lidar", "Distances in whole cm from -105 to 105 degrees; 0: nothing within 407 cm.", "[0..681]"),
    _table("ground", "4 readings of the floor: 0 black to 1 white.", "[0..3].value, .offset.x, .offset.y"),
    _table("line", "A bar of line sensors, from right to left: 0 white to 1 black.", "[0..n-1].value"),
    _value("line.error", "Where the line is: -1 right to 1 left.", "-1 .. 1"),
    _value("line.position", "Where the line is, left of the middle.", "m"),
    _value("line.lost", "1 if there is no line below the bar."),
    _table("clearance", "Beams of a flyer, from its heading on: the share of the range that is free.",
           "[k].value, .angle"),
    _table("battery", "What is left."),
    _value("battery.available_charge", "0 empty to 1 full.", "0 .. 1"),
    _value("battery.time_left", "How long it lasts, in control steps."),
    _table("pose", "Where the robot is, if it is told."),
    _table("pose.position", "Where the robot is."),
    _table("pose.orientation", "Which way it looks."),
    *(_value(f"pose.position.{axis}", "", "m") for axis in "xyz"),
    *(_value(f"pose.orientation.{angle}", "", "rad") for angle in ("yaw", "pitch", "roll")),
    _table("controller", "What the experiment's file says to scripts."),
)  # fmt: skip

DESCRIPTIONS = {one.name: one for one in (*_LANGUAGE, *_MATH, *_STRINGS_AND_FILES, *_SWARM, *_ROBOT)}
"""By name, with a dot for fields."""
