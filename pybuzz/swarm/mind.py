"""The life of one robot's program: messages in, step, packet out. A script's error ends it and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from pybuzz.errors import ScriptError
from pybuzz.swarm.exchange import Exchange
from pybuzz.swarm.knowledge import Knowledge
from pybuzz.swarm.neighbors import Neighbors, Readings
from pybuzz.swarm.packets import OTHERS, Packet
from pybuzz.swarm.queues import OutgoingQueue, OversizeReport, QueueLengths
from pybuzz.swarm.stigmergy import Stigmergy
from pybuzz.swarm.swarms import Swarms
from pybuzz.swarm.topics import Topics
from pybuzz.swarm.wire import Broadcast, MalformedError, Message, StigmergyMessage, pack_messages

if TYPE_CHECKING:
    from pybuzz.buzz.machine import Machine

__all__ = ["Mind"]

_NAMES_OF_READINGS = ("poses", "distance", "azimuth", "elevation")
"""They get their numbers when the first neighbour is heard."""


class Mind:
    """One robot among others.

    data_size: bytes of a packet. log_oversize: told of messages that no packet can hold. warn: told what a script
    should have done otherwise. No method raises; a failed script sets `error` and clears `alive`, after which the
    methods do nothing.
    """

    def __init__(
        self,
        machine: Machine,
        robot_id: int,
        *,
        data_size: int,
        log_oversize: OversizeReport,
        warn: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.machine = machine
        self.robot_id = robot_id & 0xFFFF
        self.error: ScriptError | None = None
        self.oversized: Sequence[tuple[str, int]] = ()
        """What the last step wanted to send and no packet can hold: what it is, and its size with the length field."""
        self._data_size = data_size
        self._log_oversize = log_oversize
        self._single = machine.program.single_precision
        self._exact = machine.program.exact
        self._has_heard = False
        self._silence = Packet(pack_messages(self.robot_id, [], data_size))
        self._packet = self._silence
        self._queue = OutgoingQueue()
        self._exchange = exchange = Exchange(machine)
        self._topics = Topics(self._queue, exchange.writer, exchange.own)
        self._swarms = Swarms(self._queue, exact=self._exact, differs=machine.tell_of_difference)
        self._stigmergy = Stigmergy(
            self.robot_id,
            self._queue,
            exchange.writer,
            exchange.own,
            warn,
            exact=self._exact,
            differs=machine.tell_of_difference,
        )
        self._neighbors = self._register()

    @property
    def alive(self) -> bool:
        """Whether no part of the script has failed."""
        return self.error is None

    @property
    def waiting(self) -> QueueLengths:
        """Messages not sent yet."""
        return self._queue.lengths()

    @property
    def knowledge(self) -> Knowledge:
        """What it knows of others, for people to look at."""
        return Knowledge(
            self._neighbors.heard if self._uses_neighbors else None,
            self._swarms.memberships,
            self._swarms.claims,
            self._stigmergy.contents,
            sorted(self._topics.listeners),
        )

    def start(self) -> None:
        """Runs the code outside functions."""
        self._run(self.machine.run_global_part)

    def init(self) -> None:
        """Calls the script's `init`, which must exist."""
        self._call("init")

    def reset(self) -> None:
        """Calls the script's `reset`, if there is one. A living mind is then replaced by a new one."""
        if self.machine.get_global("reset") is not None:
            self._call("reset")

    def destroy(self) -> None:
        """Calls the script's `destroy`, if there is one."""
        if self.machine.get_global("destroy") is not None:
            self._call("destroy")

    def hear(
        self,
        packets: Sequence[Packet],
        distances_cm: Sequence[float],
        azimuths: Sequence[float],
        elevations: Sequence[float],
    ) -> None:
        """Takes in what the radio received: neighbours first, then all messages, then ageing of what is known.

        One distance (cm), azimuth and elevation (rad) per packet, rounded as the program's floats are.
        """
        self.take_in([packet.robot_id for packet in packets], (distances_cm, azimuths, elevations), packets)

    def take_in(
        self, robots: Sequence[int], readings: Readings, packets: Sequence[Packet], *, in_order: bool = False
    ) -> None:
        """As `hear`, for callers that know more: quicker for the same result.

        robots: who is heard, one for each of the readings. packets: theirs, of which silent ones may be left out.
        in_order: the robots are known to come by id modulo 10, none twice, and the packets, none of them silent, by
        sender's id modulo 20; among equals as they were received.
        """
        if self.error is not None:
            return
        if robots and not self._has_heard:
            self._has_heard = True
            for name in _NAMES_OF_READINGS:
                self.machine.strings.register(name)
        if self._uses_neighbors:
            self._neighbors.hear(robots, readings, in_walking_order=in_order)
        if packets and not in_order:
            packets = _in_order_of_processing([packet for packet in packets if not packet.is_silent])
        if packets:
            self._run(self.machine.call, self._deliver, packets)
        if self._uses_swarms:
            self._swarms.age()

    def step(self) -> None:
        """Calls the script's `step`, which must exist, and fills the next packet."""
        if self.error is not None:
            return
        if self.oversized:
            self.oversized = ()
        try:
            self.machine.call_named("step")
        except ScriptError as error:
            self.error = error
            return
        if self._uses_swarms:
            self._swarms.count_down()
        self._packet = self._silence if self._queue.is_empty else self._next_packet()
        if self._uses_neighbors:
            self._neighbors.rest()

    def packet(self) -> Packet:
        """What the robot sends: filled by the last `step` that succeeded, before the first one only its id."""
        return self._packet

    def _register(self) -> Neighbors:
        program = self.machine.program
        self._uses_neighbors = "neighbors" in program.mentioned_globals
        # Who never names `swarm` is in none, and cannot ask who else is.
        self._uses_swarms = "swarm" in program.mentioned_globals
        neighbors = Neighbors(self.machine.strings, self._swarms, opens_poses="poses" in program.strings)
        self._topics.install(neighbors.table)
        self.machine.install("neighbors", neighbors.table)
        self.machine.register("swarm", self._swarms.make_table())
        self.machine.register("stigmergy", self._stigmergy.make_table())
        self.machine.register("id", self.robot_id)
        return neighbors

    def _call(self, name: str) -> None:
        self._run(self.machine.call_named, name)

    def _run(self, action: Callable[..., object], *arguments: object) -> None:
        if self.error is None:
            try:
                action(*arguments)
            except ScriptError as error:
                self.error = error

    def _next_packet(self) -> Packet:
        data = self._queue.take_packet(self.robot_id, self._data_size, self._drop)
        # Who says the same again sends what others have decoded already.
        return self._packet if data == self._packet.data else Packet(data)

    def _drop(self, what: str, size: int, limit: int) -> None:
        self.oversized = (*self.oversized, (what, size))
        self._log_oversize(what, size, limit)

    # Messages

    def _deliver(self, packets: Sequence[Packet]) -> None:
        # The inner loop runs for every link of every robot, so it calls nothing but listeners.
        single, listeners = self._single, self._topics.listeners
        if self._exact:
            self._deliver_exactly(packets)
            return
        for packet in packets:
            plain = packet.plain_single if single else packet.plain_double
            if plain is None:
                plain = packet.plain_broadcasts(single=single)
            if plain is OTHERS:
                for message in packet.messages(single=single):
                    self._deliver_one(message, packet.robot_id)
            for topic, value in plain:
                listener = listeners.get(topic)
                if listener is not None:
                    listener(topic, value, packet.robot_id)

    def _deliver_exactly(self, packets: Sequence[Packet]) -> None:
        """The same, numbering all strings as they come."""
        for packet in packets:
            for message in packet.messages(single=True):
                if isinstance(message, Broadcast):
                    self._exchange.number(message.topic)
                    self._exchange.number(message.value)
                self._deliver_one(message, packet.robot_id)

    def _deliver_one(self, message: Message, sender: int) -> None:
        try:
            if isinstance(message, Broadcast):
                self._topics.hear(message, sender)
            elif isinstance(message, StigmergyMessage):
                self._stigmergy.hear(message)
            elif self._uses_swarms:
                self._swarms.hear(message, sender)
        except MalformedError:
            # It names a function that this program does not have: dropped, as all malformed messages.
            pass


def _in_order_of_processing(packets: list[Packet]) -> list[Packet]:
    """Senders by bucket, in a bucket as received; several packets of one sender together, the last one first."""
    if len({packet.robot_id for packet in packets}) < len(packets):
        of_sender: dict[int, list[Packet]] = {}
        for packet in packets:
            of_sender.setdefault(packet.robot_id, []).append(packet)
        packets = [packet for sent in of_sender.values() for packet in reversed(sent)]
    return sorted(packets, key=_MESSAGE_BUCKET)


_MESSAGE_BUCKET = attrgetter("message_bucket")
