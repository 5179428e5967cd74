"""Plays the agent of a recorded Qubership session against a live collector."""
import socket
import struct
import time

WAIT_S = 60


def until(what, *told):
    """Waits for something that has to come; how long it takes is not tested."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.02)
    raise AssertionError(f"never came: {told}")


def steps_of(recorded):
    """What the agent says, piece by piece, and how many bytes are answered; handles by number."""
    at = 0

    def take(size):
        nonlocal at
        at += size
        return recorded[at - size:at]

    def field():
        head = take(4)
        return head + take(struct.unpack(">I", head)[0])

    while at < len(recorded):
        command = take(1)[0]
        if command == 0x14:
            version = take(8)
            yield "plain", bytes([command]) + version + field() + field() + field(), 8
            take(8)
        elif command == 0x15:
            said = bytes([command]) + field() + take(8)
            handle = take(16)
            take(20)
            yield "open", (said, handle), 36
        elif command == 0x02:
            handle = take(16)
            yield "data", (handle, field()), 1
        elif command == 0x11:
            yield "plain", bytes([command]), 1
        elif command == 0x04:
            yield "plain", bytes([command]), 0
        elif command != 0x00:
            raise ValueError(f"command {command:02x} at {at}")


class Agent:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(WAIT_S)
        self.handles = {}

    def ask(self, said, answer_bytes):
        self.socket.sendall(said)
        return self.receive(answer_bytes)

    def receive(self, count):
        got = b""
        while len(got) < count:
            part = self.socket.recv(count - len(got))
            if not part:
                break
            got += part
        return got

    def step(self, step):
        kind, what, answer_bytes = step
        if kind == "open":
            answer = self.ask(what[0], answer_bytes)
            self.handles[what[1]] = answer[:16]
        elif kind == "data":
            answer = self.ask(b"\x02" + self.handles[what[0]] + what[1], answer_bytes)
        else:
            answer = self.ask(what, answer_bytes)
        if len(answer) != answer_bytes or (answer_bytes == 1 and answer != b"\0"):
            raise AssertionError(f"{kind}: {answer}")

    def play(self, recorded):
        for step in steps_of(recorded):
            self.step(step)
        self.socket.close()

    def ends(self):
        """What still comes until the other side ends."""
        got = b""
        try:
            while part := self.socket.recv(4096):
                got += part
        except ConnectionResetError:
            pass
        return got
