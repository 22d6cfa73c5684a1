# SPDX-License-Identifier: MIT
"""The journal: kept through crashes, read when torn, and never a reason to refuse a measurement."""
import json
import os
import pathlib
import signal

import harness


class Journal(harness.Case):
    def test_report(self):
        """report prints what was measured"""
        first, = self.results('run', 'clitest', 'level=12.5')
        again = [json.loads(line) for line in self.ok('report', '--format', 'json').splitlines()]
        self.assertEqual(again, [first])
        self.assertIn('12.5', self.ok('report'))
        self.assertEqual([json.loads(line) for line in self.ok('report', first['id'], '--format', 'json').splitlines()],
                         [first])

    def test_empty(self):
        """report and list of an empty journal say so"""
        done = self.call('report')
        self.assertIn(done.returncode, (0, 3))
        self.ok('list', 'runs')

    def test_torn(self):
        """a torn last line is set aside, and the rest stays"""
        first, = self.results('run', 'clitest', 'level=1')
        with self.journal.open('ab') as stream:
            stream.write(b'{"schema":"boardbench.result/1","id":"torn-1","time":"2026-0')
        second, = self.results('run', 'clitest', 'level=2')
        again = [json.loads(line) for line in self.ok('report', '--format', 'json').splitlines()]
        self.assertEqual([r['id'] for r in again], [first['id'], second['id']])
        self.journal_lines()  # every line is whole

    def test_foreign_lines(self):
        """lines of another version or of no sense are skipped, and kept"""
        first, = self.results('run', 'clitest', 'level=1')
        foreign = (b'{"schema":"boardbench.result/9","id":"future","unknown":{"deep":[1,2]}}\n'
                   b'not json at all\n\n\xff\xfe\x00\n[]\n42\n{"schema":7}\n{}\n')
        with self.journal.open('ab') as stream:
            stream.write(foreign)
        second, = self.results('run', 'clitest', 'level=2')
        again = [json.loads(line) for line in self.ok('report', '--format', 'json').splitlines()]
        self.assertEqual([r['id'] for r in again], [first['id'], second['id']])
        self.assertIn(foreign, self.journal.read_bytes())

    def test_index_lies(self):
        """an index that does not fit is made anew"""
        self.results('run', 'clitest', 'level=1')
        for index in self.journal.parent.glob('journal.index*'):
            index.write_bytes(os.urandom(4096))
        self.results('run', 'clitest', 'level=2')
        self.assertEqual(len(self.ok('report', '--format', 'json').splitlines()), 2)

    def test_not_writable(self):
        """a store that cannot be written is told, and the result is printed"""
        blocked = self.top / 'blocked'
        blocked.write_text('a file\n', encoding='ascii')
        done = self.call('--store', blocked, 'run', 'clitest', 'level=5', '--format', 'json')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)['parameters']['level'], 5)
        self.assertIn('blocked', done.stderr)
        self.assertEqual(blocked.read_text(encoding='ascii'), 'a file\n')

    def test_read_only(self):
        """a journal that may only be read is reported from"""
        self.results('run', 'clitest', 'level=1')
        self.journal.chmod(0o444)
        self.journal.parent.chmod(0o555)
        self.addCleanup(self.journal.parent.chmod, 0o755)
        self.assertEqual(len(self.ok('report', '--format', 'json').splitlines()), 1)

    def test_directory(self):
        """a directory in the place of the journal"""
        self.journal.mkdir(parents=True)
        done = self.call('run', 'clitest', '--format', 'json')
        self.assertNotIn('Sanitizer', done.stderr)
        self.assertIn('journal.jsonl', done.stderr)


class Compare(harness.Case):
    def setUp(self):
        super().setUp()
        for level in ('100', '90', '100'):
            result, = self.results('run', 'clitest', f'level={level}', '--repeat', '3')
            self.ids = getattr(self, 'ids', []) + [result['id']]

    def test_difference(self):
        """the difference in per cent is right"""
        text = self.ok('compare', self.ids[0], self.ids[1])
        self.assertRegex(text, r'-10(\.0+)? ?%')

    def test_fail_below(self):
        """worse than --fail-below is exit status 1, better is 0"""
        self.assertEqual(self.call('compare', self.ids[0], self.ids[1], '--fail-below', '5').returncode, 1)
        self.assertEqual(self.call('compare', self.ids[0], self.ids[1], '--fail-below', '15').returncode, 0)
        self.assertEqual(self.call('compare', self.ids[1], self.ids[0], '--fail-below', '5').returncode, 0)
        self.assertEqual(self.call('compare', self.ids[0], self.ids[2], '--fail-below', '1').returncode, 0)

    def test_files(self):
        """files written with --format json are compared"""
        for name, level in (('a', 100), ('b', 50)):
            self.ok('run', 'clitest', f'level={level}', '--format', 'json', '--output', self.work / f'{name}.json')
        self.assertRegex(self.ok('compare', './a.json', './b.json'), r'-50(\.0+)? ?%')

    def test_json(self):
        """a comparison is JSON when asked"""
        for line in self.ok('compare', self.ids[0], self.ids[1], '--format', 'json').splitlines():
            json.loads(line)

    def test_bad_file(self):
        """a file that holds no results"""
        (self.work / 'bad.json').write_bytes(b'\x00\x01garbage')
        self.refuse(2, ['compare', './bad.json', self.ids[0]], 'bad.json')


class Killed(harness.Case):
    def test_next_start_tells(self):
        """after a kill of everything the next start tells which case was under way"""
        child = self.start('run', 'clitest', 'behave=finish,steady')
        self.wait_begun(2)
        self.wait_worker(child)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        done = self.call('list', 'runs')
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout + done.stderr
        self.assertRegex(text, r'(?i)unfinished|under way|had begun|interrupted')
        self.assertRegex(text, r'2 of 2')
        # What was complete is kept.
        self.assertEqual([r['parameters']['behave'] for r in self.journal_results() if r['state'] != 'unfinished'],
                         ['finish'])

    def test_worker_dies_with_us(self):
        """no worker is left when the workbench is killed"""
        child = self.start('run', 'clitest', 'behave=steady')
        worker = self.wait_worker(child)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        self.wait_for('the end of the worker', lambda: not pathlib.Path(f'/proc/{worker}').exists()
                      or 'Z' == pathlib.Path(f'/proc/{worker}/stat').read_text().rpartition(')')[2].split()[0])

    def test_running_is_not_dead(self):
        """a run that is still under way is not taken for a dead one"""
        child = self.start('run', 'clitest', 'behave=steady')
        self.wait_worker(child)
        done = self.call('list', 'runs')
        self.assertNotRegex(done.stdout + done.stderr, r'(?i)went away')
