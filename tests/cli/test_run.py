# SPDX-License-Identifier: MIT
"""run: cases, sweeps, formats, states."""
import csv
import io
import json
import re

import harness


class Run(harness.Case):
    def test_result(self):
        """a result holds what the contract says"""
        result, = self.results('run', 'clitest', 'level=42.5')
        self.assertEqual(result['schema'], 'boardbench.result/1')
        for key in ('id', 'time', 'board', 'subsystem', 'module', 'parameters', 'actual', 'with', 'state',
                    'error', 'repeat', 'metrics', 'cpu', 'elapsed_s', 'environment', 'notes',
                    'kernel_messages'):
            self.assertIn(key, result)
        self.assertRegex(result['time'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$')
        self.assertEqual(result['module'], 'clitest')
        self.assertIn(result['state'], ('ok', 'suspect'))
        self.assertIsNone(result['error'])
        self.assertEqual(result['parameters']['level'], 42.5)
        self.assertEqual(result['parameters']['size'], 65536)
        self.assertEqual(result['parameters']['kind'], 'copper')
        self.assertEqual(result['metrics']['level']['value'], 42.5)
        self.assertEqual(result['metrics']['level']['unit'], 'MB/s')
        self.assertEqual(result['metrics']['bytes']['value'], 3 * 65536)
        self.assertEqual(result['metrics']['step']['samples'], 3)
        self.assertGreaterEqual(result['metrics']['step']['min'], 1000 * (1 - 1 / 64))
        self.assertGreater(result['elapsed_s'], 0.003)

    def test_units(self):
        """a value means what its unit says"""
        result, = self.results('run', 'clitest', 'size=100KiB', 'pause=500us', 'rate=44.1k', 'on=yes', 'kind=golden',
                               'label=two words', 'count=0x10')
        self.assertEqual(result['parameters']['size'], 102400)
        self.assertEqual(result['parameters']['pause'], 500000)
        self.assertEqual(result['parameters']['rate'], 44100)
        self.assertEqual(result['parameters']['label'], 'two words')
        self.assertEqual(result['parameters']['count'], 16)
        self.assertEqual(result['parameters']['kind'], 'golden')

    def test_sweep(self):
        """sweeps multiply, and the last parameter changes quickest"""
        results = self.results('run', 'clitest', 'level=1,2', 'size=1KiB..4KiB*2')
        self.assertEqual([(r['parameters']['level'], r['parameters']['size']) for r in results],
                         [(1, 1024), (1, 2048), (1, 4096), (2, 1024), (2, 2048), (2, 4096)])

    def test_ranges(self):
        """a range in steps holds both ends"""
        results = self.results('run', 'clitest', 'level=0..100+25')
        self.assertEqual([r['metrics']['level']['value'] for r in results], [0, 25, 50, 75, 100])

    def test_repeat(self):
        """repeat gives so many passes"""
        result, = self.results('run', 'clitest', '--repeat', '3')
        self.assertEqual(result['repeat'], 3)
        self.assertEqual(result['metrics']['level']['samples'], 3)
        self.assertEqual(result['metrics']['level']['stddev'], 0)

    def test_duration(self):
        """a duration ends what would go on for ever"""
        result, = self.results('run', 'clitest', 'behave=steady', '--duration', '300ms')
        self.assertGreaterEqual(result['elapsed_s'], 0.3)
        self.assertGreater(result['metrics']['bytes']['value'], 0)

    def test_load(self):
        """a load has a figure of its own in the result"""
        result, = self.results('run', 'clitest', 'count=50', '--with', 'clitest behave=steady level=7')
        load, = result['with']
        self.assertEqual(load['module'], 'clitest')
        self.assertEqual(load['parameters']['level'], 7)
        self.assertEqual(load['metrics']['level']['value'], 7)

    def test_dead_load(self):
        """a load that dies makes the case suspect"""
        result, = self.results('run', 'clitest', 'count=100', '--with', 'clitest behave=crash')
        self.assertEqual(result['state'], 'suspect')
        self.assertTrue(result['notes'])

    def test_journal(self):
        """what is printed is what is in the journal"""
        printed = self.results('run', 'clitest', 'level=1,2')
        self.assertEqual(self.journal_results(), printed)

    def test_store(self):
        """--store puts the journal elsewhere"""
        self.ok('--store', self.top / 'elsewhere', 'run', 'clitest')
        self.assertTrue((self.top / 'elsewhere' / 'journal.jsonl').exists())
        self.assertFalse(self.journal.exists())


class Formats(harness.Case):
    ARGUMENTS = ('run', 'clitest', 'level=1.5,2.5')

    def test_text(self):
        """text is a table of the swept parameter and the figure"""
        text = self.ok(*self.ARGUMENTS)
        self.assertIn('MB/s', text)
        for level in ('1.5', '2.5'):
            self.assertTrue(any(level in line for line in text.splitlines()), text)

    def test_csv(self):
        """CSV has one header, equal columns, one line a metric"""
        rows = list(csv.reader(io.StringIO(self.ok(*self.ARGUMENTS, '--format', 'csv'))))
        self.assertGreaterEqual(len(rows), 1 + 2 * 3)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        cells = [cell for row in rows[1:] for cell in row]
        for word in ('level', 'bytes', 'step', 'clitest'):
            self.assertIn(word, cells)

    def test_csv_quotes(self):
        """CSV quotes what needs it"""
        done = self.ok('run', 'clitest', 'label=a "b" c', '--format', 'csv')
        rows = list(csv.reader(io.StringIO(done)))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_markdown(self):
        """markdown is a table with equal columns"""
        lines = [line for line in self.ok(*self.ARGUMENTS, '--format', 'markdown').splitlines() if line.startswith('|')]
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[1], r'^[|: -]+$')
        self.assertEqual(len({line.count('|') for line in lines}), 1)

    def test_output(self):
        """--output writes the file and leaves standard output empty"""
        path = self.work / 'out.json'
        self.assertEqual(self.ok(*self.ARGUMENTS, '--format', 'json', '--output', path), '')
        self.assertEqual(len([json.loads(line) for line in path.read_text().splitlines()]), 2)

    def test_output_refused(self):
        """an output that cannot be written is said before measuring"""
        self.refuse(2, [*self.ARGUMENTS, '--output', self.top / 'missing' / 'file'], 'missing')
        self.assertEqual(self.journal_results(), [])

    def test_progress(self):
        """progress goes to standard error, and holds no control characters without a terminal"""
        done = self.call('run', 'clitest', 'level=1,2', '--format', 'json')
        self.assertNotRegex(done.stderr, r'[\x00-\x08\x0b-\x1f]')
        for line in done.stdout.splitlines():
            json.loads(line)


class States(harness.Case):
    def failed(self, status, state, *arguments):
        done = self.call('run', 'clitest', *arguments, '--format', 'json')
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(results[0]['state'], state)
        return results

    def test_fail(self):
        """a failing case is 1, with the module's words, and the others go on"""
        results = self.failed(1, 'failed', 'behave=fail,finish')
        self.assertIn('the device said no', results[0]['error'])
        self.assertIn(results[1]['state'], ('ok', 'suspect'))

    def test_crash(self):
        """a module that crashes costs its case alone"""
        results = self.failed(1, 'failed', 'behave=crash,finish')
        self.assertRegex(results[0]['error'], r'(?i)segv|segmentation|signal 11')
        self.assertIn(results[1]['state'], ('ok', 'suspect'))

    def test_exit(self):
        """a module that calls exit(0) has failed"""
        results = self.failed(1, 'failed', 'behave=exit,finish')
        self.assertRegex(results[0]['error'], r'exit')
        self.assertIn(results[1]['state'], ('ok', 'suspect'))

    def test_unavailable(self):
        """what is not there is 3, with the reason"""
        results = self.failed(3, 'unavailable', 'behave=absent')
        self.assertIn('no such thing here', results[0]['error'])


class Real(harness.Case):
    def test_memory(self):
        """memory gives a figure"""
        result, = self.results('run', 'memory', '--duration', '100ms')
        self.assertGreater(next(iter(result['metrics'].values()))['value'], 0)

    def test_storage(self):
        """storage writes in the directory and leaves nothing behind"""
        result, = self.results('run', 'storage', f'directory={self.work}', 'operation=write', 'buffer_size=64KiB',
                               'file_size=1MiB')
        self.assertGreater(result['metrics']['throughput']['value'], 0)
        self.assertEqual(list(self.work.iterdir()), [])

    def test_directory_gone(self):
        """a directory that is not there is not available, and is named"""
        done = self.call('run', 'storage', f'directory={self.work}/gone', 'file_size=1MiB')
        self.assertIn(done.returncode, (1, 2, 3), done.stderr)
        self.assertIn('gone', done.stdout + done.stderr)

    def test_no_space(self):
        """free space is checked first"""
        done = self.call('run', 'storage', f'directory={self.work}', 'file_size=900G')
        self.assertIn(done.returncode, (1, 2, 3), done.stderr)
        self.assertRegex(done.stdout + done.stderr, re.compile('space|free|maximum|most', re.IGNORECASE))
        self.assertEqual(list(self.work.iterdir()), [])
