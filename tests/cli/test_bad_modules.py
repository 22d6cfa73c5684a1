# SPDX-License-Identifier: MIT
"""Modules that misbehave on purpose (tests/bad): each costs its case and nothing else."""
import json
import math
import os
import pathlib

import harness

BAD = os.environ['BOARDBENCH_BAD_MODULES']


class Bad(harness.Case):
    def setUp(self):
        super().setUp()
        self.environment['BOARDBENCH_MODULE_PATH'] = f'{BAD}:{harness.MODULES}'

    def one(self, name, *arguments):
        """Run the module for a moment; the status of the program, and the result."""
        done = self.call('run', name, *arguments, '--duration', '300ms', '--format', 'json')
        self.assertNotIn('Sanitizer', done.stderr)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(results), 1, f'{done.returncode}: {done.stderr}')
        return done.returncode, results[0]

    def failed(self, name, pattern, *arguments):
        status, result = self.one(name, *arguments)
        self.assertEqual(status, 1, result)
        self.assertEqual(result['state'], 'failed')
        self.assertRegex(result['error'], pattern)
        return result

    def test_crash(self):
        """a crash is told with its signal"""
        self.failed('crash', r'(?i)segv|segmentation|signal 11')

    def test_exits(self):
        """exit(0) in the middle is a failure"""
        self.failed('exits', r'exit')

    def test_prepare(self):
        """prepare that fails is told in the module's words"""
        self.failed('fail-prepare', r'cannot prepare, on purpose')

    def test_step(self):
        """a step that fails is told in the module's words"""
        self.failed('fail-step', r'failed at step')

    def test_hang(self):
        """a step that never comes back is killed in the end"""
        status, result = self.one('hang')
        self.assertEqual(status, 1, result)
        self.assertNotIn(result['state'], ('ok', 'suspect'))
        self.assertTrue(result['error'])

    def test_hang_probe(self):
        """a probe that never comes back does not hang the program"""
        done = self.call('run', 'hang-probe', '--duration', '300ms')
        self.assertIn(done.returncode, (1, 3), done.stderr)
        self.assertIn('within', done.stdout + done.stderr)

    def test_nothing_counted(self):
        """finished without having counted anything is no figure of 0"""
        _, result = self.one('finishes-at-once')
        self.assertNotIn('rate', result['metrics'])

    def test_floods(self):
        """floods of notes and of output are bounded"""
        for name in ('flood-notes', 'flood-stdout'):
            with self.subTest(name):
                _, result = self.one(name)
                self.assertLess(len(json.dumps(result)), 200_000)
        self.assertLess(self.journal.stat().st_size, 1_000_000)

    def test_index(self):
        """indices that do not exist do no harm"""
        status, result = self.one('bad-index')
        self.assertIn(status, (0, 1))
        self.assertIn(result['state'], ('ok', 'suspect', 'failed'))

    def test_no_number(self):
        """a gauge that is no number never gets into the JSON as one"""
        _, result = self.one('nan-gauge')
        for metric in result['metrics'].values():
            for value in metric.values():
                self.assertTrue(not isinstance(value, float) or math.isfinite(value), metric)

    def test_huge_samples(self):
        """the largest values there are, are recorded"""
        _, result = self.one('huge-samples')
        self.assertIn(result['state'], ('ok', 'suspect'))
        self.assertGreater(result['metrics']['value']['max'], 1e19 * (1 - 1 / 32))

    def test_refused(self):
        """modules that do not fit are refused with the reason, and the others work"""
        text = self.ok('list', 'modules')
        for name, word in (('wrong-abi', 'ABI'), ('no-step', 'step'), ('bad-field-size', 'value'),
                           ('reserved-name', 'duration'), ('not-elf', 'not-elf')):
            with self.subTest(name):
                lines = [line for line in text.splitlines() if name in line]
                self.assertEqual(len(lines), 1, text)
                self.assertIn(word, lines[0])
                done = self.call('run', name)
                self.assertIn(done.returncode, (2, 3), done.stderr)
        self.assertIn('clitest', text)

    def test_changes(self):
        """changes that a crash left behind are undone"""
        created, setting = self.work / 'created', self.work / 'setting'
        setting.write_text('before\n', encoding='ascii')
        done = self.call('run', 'leave-change', f'file={created}', f'setting={setting}', '--format', 'json')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse(created.exists())
        self.assertEqual(setting.read_text(encoding='ascii'), 'before\n')
        left = pathlib.Path(self.state / 'boardbench' / 'undo')
        self.assertEqual(list(left.iterdir()) if left.exists() else [], [])
