#!/usr/bin/env python3
"""The live collector from outside: agents that are good, slow, silent, many, and malformed.

    collect_test.py BINARY GOLDEN_FOLDER [FOLDER WITH MORE SESSIONS]
"""
import glob
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BINARY, GOLDEN = sys.argv[1], sys.argv[2]
MORE = sys.argv[3] if len(sys.argv) > 3 else ""
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from qubership_agent import WAIT_S, Agent, steps_of, until  # noqa: E402

SESSIONS = [os.path.join(GOLDEN, name, "input.protocol") for name in ("session_v2", "session_v3")]
SESSIONS += sorted(glob.glob(os.path.join(MORE, "wire/*/session.protocol"))) if MORE else []
class Collector:
    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="cinderscope-collect-")
        self.log_path = os.path.join(self.folder, "log")
        self.out = os.path.join(self.folder, "out")
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [BINARY, "collect", "--listen", "127.0.0.1:0", "--out", self.out, *options],
                stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.match(r"Listening on 127\.0\.0\.1:(\d+);", line)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder)

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)

    def recordings(self):
        return [os.path.dirname(path) for path in
                glob.glob(os.path.join(self.out, "**", "collected.properties"), recursive=True)]


def info(path):
    run = subprocess.run([BINARY, "info", path, "--json", "--names", "0"], capture_output=True,
                         text=True, check=False)
    facts = json.loads(run.stdout) if run.stdout else None
    return run.returncode, facts


def recorded(path):
    with open(path, "rb") as file:
        return file.read()


GREETING = b"\x14" + struct.pack(">q", 100705) + b"".join(
    struct.pack(">I", len(text)) + text for text in (b"node_1700000000123", b"svc", b"ns"))


class CollectTest(unittest.TestCase):
    def same_facts(self, folder, session):
        live, file = info(folder)[1], info(session)[1]
        for facts in (live, file):
            del facts["load"]
            for diagnostic in facts["diagnostics"]:  # begin with the name of a file
                diagnostic["text"] = diagnostic["text"].split(": ", 1)[-1]
        self.assertEqual(live, file, session)

    def test_each_session_played_again_is_the_same_as_its_file(self):
        for session in SESSIONS:
            version = info(session)[1]["details"]["protocol"]
            with Collector("--protocol", "3" if version == 100705 else "2") as collector:
                Agent(collector.port).play(recorded(session))
                self.assertEqual(collector.end(), 0)
                self.assertEqual(len(collector.recordings()), 1)
                self.same_facts(collector.recordings()[0], session)

    def test_several_agents_at_once_are_kept_apart(self):
        with Collector() as collector:
            agents = [threading.Thread(target=lambda: Agent(collector.port).play(
                recorded(SESSIONS[0]))) for _ in range(8)]
            for agent in agents:
                agent.start()
            for agent in agents:
                agent.join()
            self.assertEqual(collector.end(), 0)
            self.assertEqual(len(collector.recordings()), 8)
            for folder in collector.recordings():
                self.same_facts(folder, SESSIONS[0])

    def test_what_came_is_there_after_a_kill(self):
        whole = info(SESSIONS[0])[1]["slices"]["total"]
        steps = list(steps_of(recorded(SESSIONS[0])))
        for part in (len(steps) * 3 // 4, len(steps) - 1):
            with Collector() as collector:
                agent = Agent(collector.port)
                for step in steps[:part]:
                    agent.step(step)
                until(lambda: glob.glob(collector.out + "/**/trace/000001.gz", recursive=True), part)
                collector.process.kill()
                collector.process.wait()
                code, facts = info(collector.recordings()[0])
                self.assertEqual(code, 0)
                self.assertGreater(facts["slices"]["total"], 0)
                self.assertLessEqual(facts["slices"]["total"], whole)

    def test_silent_and_endless_clients_are_let_go(self):
        with Collector("--idle", "1") as collector:
            silent = Agent(collector.port)
            self.assertEqual(silent.ends(), b"")
            # Says something all the time, and never a whole command.
            slow = Agent(collector.port)
            try:
                for byte in GREETING:
                    slow.socket.sendall(bytes([byte]))
                    time.sleep(0.3)
            except OSError:
                pass
            self.assertIn("said nothing whole", collector.log())
            self.assertEqual(collector.log().count("said nothing whole"), 2)

    def test_an_agent_that_takes_no_answers_holds_up_nobody_else(self):
        with Collector("--idle", "2") as collector:
            deaf = Agent(collector.port)
            deaf.ask(GREETING, 8)
            deaf.socket.settimeout(0.5)
            try:
                for _ in range(2000):
                    deaf.socket.sendall(b"\x11" * 65536)
            except OSError:
                pass
            Agent(collector.port).play(recorded(SESSIONS[0]))
            until(lambda: "said nothing whole" in collector.log())
            self.assertEqual(collector.end(), 0)

    def test_a_thousand_connections_leave_room_for_an_agent_afterwards(self):
        with Collector("--most-connections", "50") as collector:
            sockets = [socket.create_connection(("127.0.0.1", collector.port)) for _ in range(1000)]
            until(lambda: "agents are connected already" in collector.log())
            # Those beyond the limit are closed by the other side.
            sockets[-1].settimeout(WAIT_S)
            self.assertEqual(sockets[-1].recv(1), b"")
            for one in sockets:
                one.close()

            def is_taken():
                try:
                    Agent(collector.port).play(recorded(SESSIONS[0]))
                    return True
                except (AssertionError, OSError):
                    return False
            until(is_taken)
            self.assertEqual(collector.end(), 0)
            self.same_facts(collector.recordings()[0], SESSIONS[0])

    def test_malformed_commands_are_refused_with_a_reason(self):
        cases = [(b"GET / HTTP/1.1\r\n\r\n", b"\xff", "command 47 is not known (byte 0)"),
                 (b"\x14" + bytes(8) + b"\xff" * 4, b"\xff", "longer than 1024 bytes"),
                 (b"\x02" + bytes(16) + struct.pack(">I", 1) + b"x", b"\xff", "not open"),
                 (b"\x1f\x8b\x08" + bytes(6) + b"\x03" + b"\xff" * 100, b"\xff", "damaged")]
        with Collector() as collector:
            for said, answer, reason in cases:
                agent = Agent(collector.port)
                agent.socket.sendall(said)
                self.assertIn(agent.ends(), (answer, b""))
                until(lambda: reason in collector.log(), reason)
            self.assertEqual(collector.recordings(), [])
            self.assertEqual(collector.end(), 0)

    def test_refused_namespaces_are_told_to_give_up(self):
        with Collector("--refuse", "other", "--refuse", "ns") as collector:
            answer = Agent(collector.port).ask(GREETING, 8)
            self.assertEqual(struct.unpack(">q", answer)[0], 88888888)
            until(lambda: "list of refused" in collector.log())

    def test_an_address_that_cannot_be_had_is_said(self):
        with Collector() as collector:
            for listen, code in ((f"127.0.0.1:{collector.port}", 1), ("nonsense", 1), (":::", 1)):
                run = subprocess.run([BINARY, "collect", "--listen", listen, "--out",
                                      collector.out], capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, code)
                self.assertIn("Cannot listen on", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
