"""One request outstanding, late and strange answers, retries: all without a clock or a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.link import protocol
from pybuzz.link.conversation import QUIET_S, Conversation, ExchangeError, Send, Wait
from pybuzz.link.protocol import Reply, Request


class Line:
    """Drives a conversation with a script of what arrives after each line that is sent."""

    def __init__(self, *answers: bytes) -> None:
        self.conversation = Conversation(timeout_s=0.3)
        self.now = 0.0
        self.sent: list[bytes] = []
        self._answers = list(answers)

    def ask(self, request: Request) -> Reply | ExchangeError:
        conversation = self.conversation
        conversation.begin(request)
        while conversation.outcome is None:
            action = conversation.next_action(self.now)
            if isinstance(action, Send):
                self.sent.append(action.data)
                conversation.sent(self.now)
                self.now += 0.01
                conversation.receive(self._answers.pop(0) if self._answers else b"")
            else:
                self.now = action.until
                conversation.tick(self.now)
        return conversation.outcome


def values(outcome: Reply | ExchangeError) -> tuple[float, ...]:
    assert isinstance(outcome, Reply), outcome
    return outcome.values


def test_a_reply_ends_the_exchange() -> None:
    line = Line(b"r,1,2\r\n")
    assert values(line.ask(protocol.encoders())) == (1, 2)
    assert line.sent == [b"R\n"]


def test_a_second_request_cannot_begin_before_the_first_is_answered() -> None:
    conversation = Conversation(timeout_s=0.3)
    conversation.begin(protocol.encoders())
    with pytest.raises(RuntimeError, match="while R is not answered"):
        conversation.begin(protocol.proximity())


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r", b"\n", b"\r"])
def test_every_terminator_is_understood(end: bytes) -> None:
    line = Line(b"r,1,2" + end, b"r,3,4" + end)
    assert values(line.ask(protocol.encoders())) == (1, 2)
    assert values(line.ask(protocol.encoders())) == (3, 4)


def test_garbage_before_a_reply_is_counted_and_skipped() -> None:
    line = Line(b"n,1\r\nr,1,x\r\nr,7,8\r\n")
    assert values(line.ask(protocol.encoders())) == (7, 8)
    assert line.conversation.counters.rejected == 2


def test_a_doubled_reply_is_a_stray() -> None:
    line = Line(b"r,7,8\r\nr,7,8\r\n")
    assert values(line.ask(protocol.encoders())) == (7, 8)
    assert line.conversation.counters.strays == 1


def test_a_lost_reply_is_asked_for_again_after_a_silence() -> None:
    line = Line(b"", b"b,B,5\r\n", b"r,7,8\r\n")
    assert values(line.ask(protocol.encoders())) == (7, 8)
    assert line.conversation.counters.timeouts == line.conversation.counters.retries == 1
    assert line.now >= 0.3 + QUIET_S


def test_a_late_reply_is_not_taken_for_the_answer_to_a_later_request() -> None:
    """The first R is answered so late that the answer arrives when R is asked again: B in between tells them apart."""
    line = Line(b"", b"r,1,1\r\nb,B,5\r\n", b"r,2,2\r\n")
    assert values(line.ask(protocol.encoders())) == (2, 2)
    assert line.sent == [b"R\n", b"B\n", b"R\n"]


def test_a_stop_goes_out_at_once_and_is_confirmed_behind_a_marker() -> None:
    """The d of an earlier order is no receipt for the stop: with it the server threw the waiting stop away."""
    line = Line(b"", b"", b"", b"d\r\n", b"b,B,5\r\n", b"d\r\n")
    assert isinstance(line.ask(protocol.speed_order(100, 100)), ExchangeError)
    line.sent.clear()
    assert isinstance(line.ask(protocol.speed_order(0, 0)), Reply)
    assert line.sent == [b"D,0,0\n", b"B\n", b"D,0,0\n"]


def test_three_failures_are_an_error_that_says_silent() -> None:
    line = Line()
    outcome = line.ask(protocol.encoders())
    assert isinstance(outcome, ExchangeError)
    assert outcome.kind == "silent"
    assert len(line.sent) == 3


def test_a_login_prompt_is_told_apart() -> None:
    line = Line(*[b"khepera4 login: \r\n"] * 3)
    outcome = line.ask(protocol.firmware())
    assert isinstance(outcome, ExchangeError)
    assert outcome.kind == "foreign"


def test_a_refusal_names_the_command() -> None:
    line = Line(b"$\r\n")
    outcome = line.ask(protocol.battery(5))
    assert isinstance(outcome, ExchangeError)
    assert outcome.kind == "refused"
    assert "V,5" in str(outcome)


def test_targets_are_not_repeated_blindly() -> None:
    line = Line()
    line.ask(protocol.targets(100, 100))
    assert len(line.sent) == 1


def test_a_new_line_forgets_the_old_one() -> None:
    line = Line()
    line.ask(protocol.encoders())
    line.conversation.reset()
    line.conversation.begin(protocol.encoders())
    assert line.conversation.next_action(line.now) == Send(b"R\n")


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_whatever_arrives_the_exchange_ends_and_never_with_a_wrong_shape(answers: list[bytes]) -> None:
    line = Line(*answers)
    outcome = line.ask(protocol.encoders())
    assert isinstance(outcome, ExchangeError) or len(outcome.values) == 2
    assert len(line.sent) <= 9


def test_it_waits_no_longer_than_the_timeout() -> None:
    conversation = Conversation(timeout_s=0.3)
    conversation.begin(protocol.encoders())
    assert conversation.next_action(10.0) == Send(b"R\n")
    conversation.sent(10.0)
    assert conversation.next_action(10.1) == Wait(10.3)


def test_retries_end_when_the_link_counts_as_lost() -> None:
    line = Line()
    line.conversation.begin(protocol.encoders(), within_s=0.5)
    while line.conversation.outcome is None:
        action = line.conversation.next_action(line.now)
        if isinstance(action, Send):
            line.conversation.sent(line.now)
        else:
            line.now = action.until
            line.conversation.tick(line.now)
    assert line.now == pytest.approx(0.5)
    assert line.conversation.counters.requests == 2
