#!/usr/bin/env python
"""kh4relay: a dead-man between the network and kh4server, on the Khepera IV itself.

Neither the robot nor kh4server stops the wheels when the line goes dead. This relay does: it passes the bytes of one
TCP client to kh4server and back, and stops the motors by itself

  - when the client disconnects,
  - when no request came for half a second while the last order was not zero,
  - when anybody sends STOP to its second port (HELLO there asks how things are),
  - when it is ended.

On the robot:   python kh4relay.py --server /home/root/kh4server
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
import time
from collections import OrderedDict

try:
    monotonic = time.monotonic
except AttributeError:  # Python 2
    monotonic = time.time

VERSION = 1
SWITCHING_ON = (b"A", b"D", b"F", b"L")  # commands after which wheels may turn
TRIES = 8
REPLY_S = 0.12
STALE_CLIENT_S = 2.0
CLOSED_AFTER_STOP_S = 3.0
MOST_QUESTIONERS = 16
LONGEST_QUESTION = 100
CLIENT_READS_S = 0.2  # a client that does not take replies must not keep the relay from stopping the robot


class Relay(object):
    """One robot. `device`: file descriptor of the line to kh4server."""

    def __init__(self, device, listener, stop_listener, silence):
        self.device = device
        self.listener = listener
        self.stop_listener = stop_listener
        self.silence = silence
        self.client = None
        self.questioners = OrderedDict()  # connections to the second port, with what they have said so far
        self.line = b""  # the beginning of a request
        self.moving = False
        self.last_request = 0.0
        self.closed_until = 0.0

    def serve(self):
        while True:
            sources = [self.listener, self.stop_listener, self.device] + list(self.questioners)
            if self.client is not None:
                sources.append(self.client)
            ready, _, _ = select.select(sources, [], [], self.patience())
            for source in ready:
                if source is self.device:
                    self.from_robot()
                elif source is self.client:
                    self.from_client()
                elif source is self.listener:
                    self.accept_client()
                elif source is self.stop_listener:
                    self.accept_questioner()
                elif source in self.questioners:
                    self.from_questioner(source)
            if self.moving and monotonic() - self.last_request >= self.silence:
                say("the client is silent: stopping")
                self.stop_robot()

    def patience(self):
        if not self.moving:
            return 1.0
        return max(0.0, self.last_request + self.silence - monotonic())

    def accept_client(self):
        connection, address = self.listener.accept()
        now = monotonic()
        busy = self.client is not None and now - self.last_request < STALE_CLIENT_S
        if busy or now < self.closed_until:
            connection.close()
            return
        if self.client is not None:
            self.drop_client("another client takes over")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(CLIENT_READS_S)
        self.client, self.line, self.last_request = connection, b"", now
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
        write_all(self.device, data)
        lines = (self.line + data).split(b"\n")
        self.line = lines.pop()[-100:]
        for line in lines:
            self.note(line.strip(b"\r"))

    def note(self, line):
        """Remember whether wheels may turn after this request."""
        if line[:1] == b"M":
            self.moving = False
        elif line[:1] in SWITCHING_ON:
            self.moving = line != b"D,0,0"

    def from_robot(self):
        data = read_some(self.device)
        if self.client is not None and data:
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
        order = self.questioners.pop(connection).strip().upper()
        answer = b""
        if order == b"STOP":
            self.closed_until = monotonic() + CLOSED_AFTER_STOP_S
            answer = b"stopped\n" if self.stop_robot() else b"failed\n"
            self.drop_client("stopped through the second port", stop=False)
        elif order == b"HELLO":
            state = (VERSION, self.client is not None, self.moving)
            answer = ("kh4relay %d client=%d moving=%d\n" % state).encode("ascii")
        try:
            connection.sendall(answer)
        except socket.error:
            pass
        connection.close()

    def drop_client(self, why, stop=True):
        if self.client is None:
            return
        say(why)
        if stop:
            self.stop_robot()
        self.client.close()
        self.client = None

    def stop_robot(self):
        """Zero order, twice: a reply that was still on its way may have passed for the first. Then motors idle.

        The replies are swallowed: the client did not ask. True if the robot acknowledged the zero order.
        """
        self.moving = False
        stopped = self.ask(b"D,0,0") and self.ask(b"D,0,0")
        self.ask(b"M")
        say("the robot is stopped" if stopped else "THE ROBOT DOES NOT ACKNOWLEDGE ITS STOP")
        return stopped

    def ask(self, request):
        expected = request[:1].lower()
        for _ in range(TRIES):
            self.drain()
            write_all(self.device, request + b"\n")
            received, end = b"", monotonic() + REPLY_S
            while monotonic() < end:
                ready, _, _ = select.select([self.device], [], [], max(0.0, end - monotonic()))
                if ready:
                    received += read_some(self.device)
                if expected in received.replace(b"\r", b"\n").split(b"\n"):
                    return True
        return False

    def drain(self):
        while select.select([self.device], [], [], 0)[0]:
            if not read_some(self.device):
                return


def read_some(device):
    try:
        return os.read(device, 4096)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EINTR):
            return b""
        raise


def write_all(device, data):
    while data:
        data = data[os.write(device, data) :]


def say(text):
    sys.stderr.write("kh4relay: %s\n" % text)
    sys.stderr.flush()


def make_raw(descriptor):
    import termios
    import tty

    tty.setraw(descriptor)
    termios.tcflush(descriptor, termios.TCIOFLUSH)


def start_server(command):
    """kh4server on a pseudo terminal of its own: (our end, its process)."""
    master, slave = os.openpty()
    make_raw(slave)
    # `slave` stays open here: kh4server spins when the other end hangs up.
    return master, subprocess.Popen([command, os.ttyname(slave)])


def open_device(path):
    device = os.open(path, os.O_RDWR | os.O_NOCTTY)
    make_raw(device)
    return device


def listen(address, port):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen(2)
    return listener


def leave(_number, _frame):
    raise SystemExit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line = parser.add_mutually_exclusive_group(required=True)
    line.add_argument("--server", metavar="PROGRAM", help="start this kh4server on a terminal of its own")
    line.add_argument("--device", metavar="PATH", help="the terminal behind which kh4server runs already")
    parser.add_argument("--address", default="0.0.0.0", help="to listen on [default: all]")
    parser.add_argument("--port", type=int, default=7000, help="for the one client [default: 7000]")
    parser.add_argument("--stop-port", type=int, default=7001, help="for STOP and HELLO [default: 7001]")
    parser.add_argument("--silence", type=float, default=0.5, help="seconds without a request [default: 0.5]")
    options = parser.parse_args()

    listeners = [listen(options.address, port) for port in (options.port, options.stop_port)]
    server = None
    if options.server:
        device, server = start_server(options.server)
    else:
        device = open_device(options.device)
    relay = Relay(device, listeners[0], listeners[1], options.silence)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    say("ready on ports %d and %d" % tuple(listener.getsockname()[1] for listener in listeners))
    try:
        relay.serve()
    finally:
        relay.stop_robot()
        if server is not None:
            server.terminate()


if __name__ == "__main__":
    main()
