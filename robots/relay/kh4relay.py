#!/usr/bin/env python
"""kh4relay: a dead-man between the network and kh4server, on the Khepera IV itself.

Neither the robot nor kh4server stops the wheels when the line goes dead. This relay does: it passes the requests of one
TCP client to kh4server and the replies back, and stops the motors by itself

  - when the client disconnects,
  - when no request came for half a second while the last order was not zero,
  - when anybody sends stop to its second port: orders that turn wheels are then refused until somebody sends release,
  - when kh4server has died: it is started again, which leaves the motors idle,
  - when it is ended.

A stop that the robot does not acknowledge is tried again every half a second, without end. The second port answers
hello with how things are.

On the robot:   python kh4relay.py --server /home/root/kh4server --daemon /home/root/kh4relay.log
With socat:     python kh4relay.py --device /run/kh4b        (kh4server runs on the other end)

There is no access control: use a closed network. One file, standard library only, Python 2.7 or 3.
"""

import argparse
import errno
import os
import select
import signal
import socket
import subprocess
import sys
import termios
import time
import tty
from collections import OrderedDict

try:
    monotonic = time.monotonic
except AttributeError:  # Python 2, where time.time jumps when the clock is set

    def monotonic():
        return os.times()[4]


VERSION = 2
SWITCHING_ON = (b"A", b"D", b"F", b"L")  # commands after which wheels may turn
REFUSAL = b"$kh4relay stopped\r\n"
REPLY_S = 0.12
STOP_S = 1.0
STOPS = 5  # a stop is tried so often and so long before it is called failed
BETWEEN_TRIES_S = 0.5
AFTER_REFUSAL_S = 0.05
BRAKING_S = 0.2
COASTING_S = 0.4
BETWEEN_READINGS_S = 0.03
CHILD_CHECK_S = 0.1
RESTART_S = 1.0  # the least time between two starts of a kh4server that dies
LAST_RESORT_S = 3.0  # the same of one that lives and does not stop the motors: it may still be starting
STARTING_S = 0.2
REOPEN_S = 0.5
STALE_CLIENT_S = 2.0
LONGEST_REQUEST = 200
MOST_QUESTIONERS = 16
LONGEST_QUESTION = 100
CLIENT_READS_S = 0.2  # a client that does not take replies must not keep the relay from stopping the robot


class Terminal(object):
    """The line to a kh4server that runs already. Nothing here raises: a broken line is opened again later."""

    def __init__(self, path):
        self.path = path
        self.opened_at = monotonic()
        self.descriptor = self.open()

    def open(self):
        return open_raw(self.path)

    def revive(self):
        """Mend what has died, if it is time. True if kh4server had: the motors have their last order, or are idle."""
        if self.descriptor is None and monotonic() - self.opened_at >= REOPEN_S:
            self.opened_at = monotonic()
            try:
                self.descriptor = self.open()
            except (OSError, termios.error):
                pass
        return False

    def restart(self, why):
        """The last resort, where there is one: whether it was taken."""
        return False

    def close(self):
        self.lose()

    def lose(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def read(self, timeout):
        """What arrives within this time, or nothing."""
        if self.descriptor is None:
            time.sleep(timeout)
            return b""
        try:
            if not select.select([self.descriptor], [], [], max(0.0, timeout))[0]:
                return b""
            data = os.read(self.descriptor, 4096)
        except (OSError, select.error) as error:
            if error.args[0] in (errno.EAGAIN, errno.EINTR):
                return b""
            data = b""
        if not data:
            say("the line to kh4server is broken")
            self.lose()
        return data

    def write(self, data):
        """What a line that nobody reads does not take is lost."""
        if self.descriptor is None:
            return
        try:
            os.write(self.descriptor, data)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINTR):
                say("the line to kh4server is broken")
                self.lose()


class Server(Terminal):
    """A kh4server of our own on a pseudo terminal. Each start of it puts the motors to idle."""

    def __init__(self, program):
        self.program = program
        self.process = None
        self.started_at = -RESTART_S
        # The other end stays open here: kh4server spins when it is hung up.
        self.master, self.other_end = os.openpty()
        Terminal.__init__(self, os.ttyname(self.other_end))
        self.start()

    def open(self):
        set_raw(self.other_end)
        set_nonblocking(self.master)
        return self.master

    def start(self):
        set_raw(self.other_end)
        self.started_at = monotonic()
        self.process = subprocess.Popen([self.program, self.path], close_fds=True)

    def revive(self):
        if self.process is not None and self.process.poll() is None:
            return False
        if monotonic() - self.started_at < RESTART_S:
            return False
        if self.process is not None:
            say("kh4server has died with %s: starting it again" % self.process.returncode)
        self.start_again()
        return True

    def restart(self, why):
        if monotonic() - self.started_at < LAST_RESORT_S:
            return False
        say("%s: starting kh4server again, which leaves the motors idle" % why)
        self.end_process()
        self.start_again()
        return True

    def start_again(self):
        try:
            self.start()
            time.sleep(STARTING_S)
        except OSError as error:
            self.process = None
            say("%s does not start: %s" % (self.program, error.strerror))

    def lose(self):
        """Its terminal is ours and cannot break."""

    def close(self):
        self.end_process()

    def end_process(self):
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        end = monotonic() + 0.5
        while self.process.poll() is None and monotonic() < end:
            time.sleep(0.02)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Relay(object):
    """One robot. `line`: to its kh4server."""

    def __init__(self, line, listener, stop_listener, silence):
        self.line = line
        self.listener = listener
        self.stop_listener = stop_listener
        self.silence = silence
        self.client = None
        self.questioners = OrderedDict()  # connections to the second port, with what they have said so far
        self.request = b""  # the beginning of one
        self.moving = False
        self.owes_stop = False  # it was not acknowledged: the line belongs to the relay until it is
        self.latched = False
        self.last_request = 0.0
        self.next_try = 0.0

    def serve(self):
        while True:
            # The client comes before those who wait to be one: it may have gone.
            sources = [source for source in (self.client, self.line.descriptor) if source is not None]
            sources += [self.listener, self.stop_listener] + list(self.questioners)
            try:
                ready, _, _ = select.select(sources, [], [], self.patience())
            except select.error as error:  # Python 2 does not go on by itself after a signal
                if error.args[0] != errno.EINTR:
                    raise
                ready = []
            for source in ready:
                if source is self.line.descriptor:
                    self.from_robot()
                elif source is self.client:
                    self.from_client()
                elif source is self.listener:
                    self.accept_client()
                elif source is self.stop_listener:
                    self.accept_questioner()
                elif source in self.questioners:
                    self.from_questioner(source)
            self.look_after_robot()

    def look_after_robot(self):
        if self.line.revive():
            self.drop_client("kh4server had died", stop=False)
            self.stop_robot()
        elif self.owes_stop:
            if monotonic() >= self.next_try:
                self.try_again()
        elif self.moving and monotonic() - self.last_request >= self.silence:
            say("the client is silent: stopping")
            self.stop_robot()

    def patience(self):
        times = [CHILD_CHECK_S]
        if self.owes_stop:
            times.append(self.next_try - monotonic())
        elif self.moving:
            times.append(self.last_request + self.silence - monotonic())
        return max(0.0, min(times))

    def accept_client(self):
        connection, address = self.listener.accept()
        now = monotonic()
        if self.client is not None and now - self.last_request < STALE_CLIENT_S:
            connection.close()
            return
        if self.client is not None:
            self.drop_client("another client takes over")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(CLIENT_READS_S)
        self.client, self.request, self.last_request = connection, b"", now
        self.drain()
        say("client %s:%d" % address[:2])

    def accept_questioner(self):
        connection, _ = self.stop_listener.accept()
        connection.setblocking(0)
        if len(self.questioners) >= MOST_QUESTIONERS:
            self.questioners.popitem(last=False)[0].close()
        self.questioners[connection] = b""

    def from_client(self):
        try:
            data = self.client.recv(4096)
        except socket.error:
            data = b""
        if not data:
            self.drop_client("the client is gone")
            return
        self.last_request = monotonic()
        lines = (self.request + data).split(b"\n")
        self.request = lines.pop()[-LONGEST_REQUEST:]
        passed = b"".join(line + b"\n" for line in lines if self.may_pass(line.strip(b"\r")))
        if passed:
            self.line.write(passed)

    def may_pass(self, request):
        """Whether kh4server may have this request; remembers whether wheels may turn after it."""
        if self.owes_stop:
            return False
        turns = request[:1] in SWITCHING_ON and request != b"D,0,0"
        if turns and self.latched:
            self.to_client(REFUSAL)
            return False
        if turns:
            self.moving = True
        elif request[:1] in (b"D", b"M"):
            self.moving = False
        return True

    def from_robot(self):
        data = self.line.read(0.0)
        if data and not self.owes_stop:
            self.to_client(data)

    def to_client(self, data):
        if self.client is None:
            return
        try:
            self.client.sendall(data)
        except socket.error:
            self.drop_client("the client does not read")

    def from_questioner(self, connection):
        try:
            data = connection.recv(LONGEST_QUESTION)
        except socket.error:
            data = b""
        self.questioners[connection] += data
        said = self.questioners[connection]
        if data and b"\n" not in said and len(said) < LONGEST_QUESTION:
            return
        order = self.questioners.pop(connection).strip().lower()
        try:
            connection.sendall(self.answer(order))
        except socket.error:
            pass
        connection.close()

    def answer(self, order):
        """To the second port. Small letters, because kh4server takes no such command: sent there they do no harm."""
        if order == b"stop":
            self.latched = True
            say("told to stop: orders that turn wheels are refused until a release")
            return b"stopped\n" if self.stop_robot() else b"failed\n"
        if order == b"release":
            if self.latched:
                say("released")
            self.latched = False
            return b"released\n"
        if order == b"hello":
            state = (VERSION, self.client is not None, self.moving or self.owes_stop, self.latched)
            return ("kh4relay %d client=%d moving=%d stopped=%d\n" % state).encode("ascii")
        return b""

    def drop_client(self, why, stop=True):
        if self.client is None:
            return
        say(why)
        self.client.close()
        self.client = None
        if stop:
            self.stop_robot()

    def stop_robot(self):
        """Stop the motors; whether the robot acknowledged it. If it does not, `serve` tries on."""
        self.moving = False
        end, attempt = monotonic() + STOP_S, 0
        stopped = False
        while not stopped and (attempt < STOPS or monotonic() < end):
            if attempt:
                time.sleep(AFTER_REFUSAL_S)
            stopped = self.try_to_stop()
            attempt += 1
        if stopped:
            say("the robot is stopped")
        else:
            say("THE ROBOT DOES NOT ACKNOWLEDGE ITS STOP; it is tried on")
            self.take_last_resort()
        self.owes_stop = not stopped
        self.next_try = monotonic() + BETWEEN_TRIES_S
        return stopped

    def try_again(self):
        self.owes_stop = not self.try_to_stop()
        if self.owes_stop:
            self.take_last_resort()
        else:
            say("the robot is stopped at last")
            self.drain()
        self.next_try = monotonic() + BETWEEN_TRIES_S

    def take_last_resort(self):
        if self.line.restart("no acknowledgement"):
            self.drop_client("its kh4server is another one", stop=False)

    def try_to_stop(self):
        """Zero order, motors idle, and two equal readings of the wheels; the replies are swallowed.

        The zero order goes twice: a reply that was still on its way may have passed for the first. Standing wheels
        count without its acknowledgement too, if motors idle was acknowledged.
        """
        braked = self.ask(b"D,0,0") is not None and self.ask(b"D,0,0") is not None
        if braked:
            self.stand_still(BRAKING_S)
        idled = self.ask(b"M") is not None
        return (braked or idled) and self.stand_still(COASTING_S)

    def stand_still(self, within):
        """Whether two readings of the encoders in a row are equal within this time."""
        end, before = monotonic() + within, None
        while True:
            now = self.ask(b"R")
            if now is not None and now == before:
                return True
            if now is None or monotonic() >= end:
                return False
            before = now
            time.sleep(BETWEEN_READINGS_S)

    def ask(self, request):
        """The reply, or None if there is none or a refusal."""
        expected = request[:1].lower()
        self.drain()
        self.line.write(request + b"\n")
        received, end = b"", monotonic() + REPLY_S
        while monotonic() < end:
            received += self.line.read(max(0.0, end - monotonic()))
            for line in received.replace(b"\r", b"\n").split(b"\n")[:-1]:
                if line == b"$":
                    return None
                if line.split(b",")[0] == expected:
                    return line
        return None

    def drain(self):
        end = monotonic() + 0.05  # a line that babbles has no end
        while self.line.descriptor is not None and monotonic() < end and self.line.read(0.0):
            pass


def say(text):
    """Never raises: nobody may be listening any more, or the disk be full."""
    try:
        sys.stderr.write("kh4relay: %s\n" % text)
        sys.stderr.flush()
    except (IOError, OSError, ValueError):
        pass


def set_raw(descriptor):
    tty.setraw(descriptor)
    termios.tcflush(descriptor, termios.TCIOFLUSH)


def set_nonblocking(descriptor):
    import fcntl

    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)


def open_raw(path):
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    set_raw(descriptor)
    return descriptor


def listen(address, port):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
    except socket.error as error:
        sys.exit("kh4relay: cannot listen on port %d: %s; does a relay run already?" % (port, error.strerror))
    listener.listen(MOST_QUESTIONERS)
    return listener


def go_to_background(log):
    """A session of its own, so that it outlives the terminal; messages go to the file `log`."""
    messages = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():  # the leader of a session could get a terminal again
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for source, descriptor in ((nothing, 0), (nothing, 1), (messages, 2)):
        os.dup2(source, descriptor)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def leave(_number, _frame):
    raise SystemExit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line = parser.add_mutually_exclusive_group(required=True)
    line.add_argument("--server", metavar="PROGRAM", help="start this kh4server on a terminal of its own")
    line.add_argument("--device", metavar="PATH", help="the terminal behind which kh4server runs already")
    parser.add_argument("--address", default="0.0.0.0", help="to listen on [default: all]")
    parser.add_argument("--port", type=int, default=7000, help="for the one client [default: 7000]")
    parser.add_argument("--stop-port", type=int, default=7001, help="for stop, release, hello [default: 7001]")
    parser.add_argument("--silence", type=float, default=0.5, help="seconds without a request [default: 0.5]")
    parser.add_argument("--daemon", metavar="LOG", help="go on in the background, and write messages to this file")
    options = parser.parse_args()

    listeners = [listen(options.address, port) for port in (options.port, options.stop_port)]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    if options.daemon:
        go_to_background(options.daemon)
    try:
        robot = Server(options.server) if options.server else Terminal(options.device)
    except (OSError, termios.error) as error:
        say("%s: %s" % (options.server or options.device, error.args[-1]))
        sys.exit(1)
    relay = Relay(robot, listeners[0], listeners[1], options.silence)
    say("process %d is ready on ports %d and %d" % ((os.getpid(),) + tuple(one.getsockname()[1] for one in listeners)))
    try:
        relay.serve()
    finally:
        try:
            relay.stop_robot()
        finally:
            robot.close()


if __name__ == "__main__":
    main()
