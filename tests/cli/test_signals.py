# SPDX-License-Identifier: MIT
"""Signals, dead workers, and terminals that cannot do much."""
import json
import os
import signal

import harness


class Signals(harness.Case):
    def stop(self, number):
        child = self.start('run', 'clitest', 'level=3', 'behave=finish,steady,finish', '--format', 'json')
        self.wait_begun(2)
        self.wait_worker(child)
        os.kill(child.pid, number)
        out, err = child.communicate(timeout=harness.DEADLINE)
        return child.returncode, [json.loads(line) for line in out.splitlines()], err

    def test_interrupt(self):
        """Ctrl-C ends with 130 and keeps what was measured"""
        status, results, err = self.stop(signal.SIGINT)
        self.assertEqual(status, 130, err)
        self.assertIn(results[0]['state'], ('ok', 'suspect'))
        self.assertIn('cancelled', [r['state'] for r in results[1:]])
        self.assertEqual(self.journal_results()[0]['id'], results[0]['id'])

    def test_terminate(self):
        """SIGTERM ends in order too"""
        status, results, err = self.stop(signal.SIGTERM)
        self.assertNotEqual(status, 0, err)
        self.assertIn(results[0]['state'], ('ok', 'suspect'))

    def test_early_interrupt(self):
        """Ctrl-C at any moment of the start ends the program, never hangs it"""
        for delay in range(6):
            child = self.start('run', 'clitest', 'behave=steady')
            # The moment is given by what the program has done so far, not by the clock alone.
            self.wait_for('its start', lambda: os.path.exists(f'/proc/{child.pid}/exe'))
            if delay:
                self.wait_for('a child', lambda: harness.children_of(child.pid) or child.poll() is not None)
            for _ in range(delay):
                os.sched_yield()
            if child.poll() is None:
                os.kill(child.pid, signal.SIGINT)
            child.communicate(timeout=harness.DEADLINE)
            self.assertIn(child.returncode, (130, -signal.SIGINT))

    def test_worker_killed(self):
        """a worker that is killed costs its case, and says by what"""
        child = self.start('run', 'clitest', 'behave=steady,finish', '--format', 'json')
        worker = self.wait_worker(child)
        os.kill(worker, signal.SIGKILL)
        out, err = child.communicate(timeout=harness.DEADLINE)
        self.assertEqual(child.returncode, 1, err)
        results = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(results[0]['state'], 'failed')
        self.assertRegex(results[0]['error'], r'(?i)kill')
        self.assertIn(results[1]['state'], ('ok', 'suspect'))

    def test_hangup(self):
        """a hang-up lets the run go on to its end"""
        child = self.start('run', 'clitest', 'count=100', 'pause=10ms', 'level=1,2', '--format', 'json')
        self.wait_worker(child)
        os.kill(child.pid, signal.SIGHUP)
        child.communicate(timeout=harness.DEADLINE)
        self.assertEqual([r['parameters']['level'] for r in self.journal_results()], [1, 2])

    def test_closed_output(self):
        """a reader that goes away does not lose the results"""
        child = self.start('run', 'clitest', 'level=1,2', '--format', 'json')
        child.stdout.close()
        child.stderr.read()
        child.wait(timeout=harness.DEADLINE)
        self.assertEqual([r['parameters']['level'] for r in self.journal_results()], [1, 2])

    def test_no_zombies(self):
        """a run leaves no process behind"""
        child = self.start('run', 'clitest', '--with', 'clitest behave=steady')
        child.communicate(timeout=harness.DEADLINE)
        with self.assertRaises(ProcessLookupError):
            os.killpg(child.pid, 0)


class Terminals(harness.Case):
    def test_no_terminal(self):
        """without a terminal and without a command it says what to do"""
        done = self.call()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r'(?i)terminal')
        self.assertNotIn('\x1b', done.stdout + done.stderr)

    def run_on(self, term):
        terminal = harness.Terminal(self, 'run', 'clitest', 'level=12.5', TERM=term)
        self.assertEqual(terminal.wait(), 0, terminal.output)
        self.assertIn(b'12.5', terminal.output)
        return terminal.output

    def test_dumb(self):
        """a dumb terminal gets no escape sequence"""
        self.assertNotIn(b'\x1b', self.run_on('dumb'))

    def test_unknown(self):
        """a terminal that nobody knows gets no escape sequence"""
        self.assertNotIn(b'\x1b', self.run_on('no-such-terminal'))

    def test_unset(self):
        """TERM may be empty"""
        self.assertNotIn(b'\x1b', self.run_on(''))

    def test_interrupt_key(self):
        """Ctrl-C on a terminal ends a run with 130"""
        terminal = harness.Terminal(self, 'run', 'clitest', 'behave=steady')
        self.wait_begun(1)
        terminal.send(b'\x03')
        self.assertEqual(terminal.wait(), 130, terminal.output)

    def test_screen_on_dumb(self):
        """the workbench itself on a dumb terminal says what to do"""
        terminal = harness.Terminal(self, TERM='dumb')
        status = terminal.wait()
        self.assertNotEqual(status, 0, terminal.output)
        self.assertNotIn(b'\x1b', terminal.output)
