# SPDX-License-Identifier: MIT
"""What the tests of the command line share: directories of their own, the program, a pseudo terminal."""
import errno
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ['BOARDBENCH']
MODULES = os.environ['BOARDBENCH_MODULE_PATH']
SOURCE = pathlib.Path(__file__).resolve().parents[2]
DEADLINE = 60  # seconds; a test that waits so long has failed


class Case(unittest.TestCase):
    """A test with a home, a store and a work directory below one temporary directory."""

    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix='boardbench-cli-'))
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.work = self.top / 'work'
        self.state = self.top / 'state'
        self.config = self.top / 'config'
        self.work.mkdir()
        self.journal = self.state / 'boardbench' / 'journal.jsonl'
        self.runs = self.config / 'boardbench' / 'runs'
        self.environment = {
            **os.environ, 'HOME': str(self.top), 'XDG_STATE_HOME': str(self.state),
            'XDG_CONFIG_HOME': str(self.config), 'BOARDBENCH_MODULE_PATH': MODULES,
            'LC_ALL': 'C.UTF-8', 'TERM': 'vt100',
        }
        self.children = []
        self.addCleanup(self._end_children)

    def _end_children(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
                child.wait()

    def call(self, *arguments, **changes):
        """Run the program to its end, without a terminal. Never raises for its status."""
        return subprocess.run(
            [PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors='replace', timeout=DEADLINE, cwd=self.work, env={**self.environment, **changes})

    def ok(self, *arguments, **changes):
        """As call(), and it must succeed. Returns standard output."""
        done = self.call(*arguments, **changes)
        self.assertEqual(done.returncode, 0, f'{arguments}: {done.stdout}{done.stderr}')
        return done.stdout

    def refuse(self, status, arguments, *words, **changes):
        """It must end with this status, with each of the words on standard error, and nothing on
        standard output. Returns the message."""
        done = self.call(*arguments, **changes)
        self.assertEqual(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}')
        for word in words:
            self.assertIn(str(word), done.stderr, f'{arguments}')
        self.assertNotIn('Sanitizer', done.stderr)
        return done.stderr

    def results(self, *arguments):
        """The results of a run as a list of dicts; the run must succeed."""
        return [json.loads(line) for line in self.ok(*arguments, '--format', 'json').splitlines()]

    def start(self, *arguments, **changes):
        """Start the program in a session of its own; it is killed at the end of the test."""
        child = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors='replace', cwd=self.work,
            env={**self.environment, **changes}, start_new_session=True)
        self.children.append(child)
        return child

    def wait_for(self, what, question):
        """Ask again until the answer is true."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            answer = question()
            if answer:
                return answer
            time.sleep(0.02)
        return self.fail(f'{what} did not happen within {DEADLINE} s')

    def journal_lines(self, path=None):
        path = path or self.journal
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text(encoding='utf-8').split('\n')[:-1] if line]

    def journal_results(self):
        return [line for line in self.journal_lines() if line.get('schema') == 'boardbench.result/1']

    def wait_begun(self, cases=1):
        """Until so many cases have begun, which the journal says before each."""
        self.wait_for('the begin of a case', lambda: len(
            [line for line in self.journal_lines() if 'begun' in str(line.get('schema', ''))]) >= cases)

    def wait_worker(self, child):
        """Until a worker of this workbench measures; returns the worker's process id."""
        def measuring():
            for pid in children_of(child.pid):
                try:
                    maps = pathlib.Path(f'/proc/{pid}/maps').read_text(encoding='utf-8', errors='replace')
                except OSError:
                    continue
                if 'clitest' in maps and len(children_of(child.pid)) > 0 and self.journal_lines():
                    return pid
            return None
        return self.wait_for('the start of a worker', measuring)

    def profile(self, name, text):
        """Write a run profile; returns its path."""
        self.runs.mkdir(parents=True, exist_ok=True)
        path = self.runs / f'{name}.ini'
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding='utf-8')
        return path


def children_of(pid):
    try:
        text = pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text(encoding='ascii')
        return [int(word) for word in text.split()]
    except OSError:
        pass
    found = []
    for entry in pathlib.Path('/proc').iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / 'stat').read_text(encoding='utf-8', errors='replace')
            except OSError:
                continue
            if int(stat.rpartition(')')[2].split()[1]) == pid:
                found.append(int(entry.name))
    return found


class Terminal:
    """The program on a pseudo terminal; what it sends is collected as bytes."""

    def __init__(self, case, *arguments, **changes):
        self.output = b''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(case.work)
                os.execve(PROGRAM, [PROGRAM, *map(str, arguments)], {**case.environment, **changes})
            finally:
                os._exit(127)
        self.status = None
        case.addCleanup(self.close)

    def read(self, timeout):
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b''
        self.output += data
        return bool(data)

    def wait_text(self, text):
        end = time.monotonic() + DEADLINE
        while text not in self.output:
            if time.monotonic() > end or not self.read(max(0, end - time.monotonic())):
                raise AssertionError(f'{text!r} was not sent: {self.output[-2000:]!r}')

    def send(self, data):
        os.write(self.fd, data)

    def wait(self):
        """Until it ends; its exit status, negative for a signal."""
        end = time.monotonic() + DEADLINE
        while self.status is None:
            if time.monotonic() > end:
                raise AssertionError(f'it does not end: {self.output[-2000:]!r}')
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        while self.read(0):
            pass
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -signal.SIGKILL
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
