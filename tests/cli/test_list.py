# SPDX-License-Identifier: MIT
"""list, show, doctor: what can be had without measuring."""
import json
import os
import pathlib
import re

import harness


class List(harness.Case):
    def test_modules(self):
        """modules are listed, those for tests are not"""
        text = self.ok('list', 'modules')
        for name in ('memory', 'storage', 'clitest'):
            self.assertRegex(text, rf'(?m)^\W*{name}\b')
        self.assertNotRegex(text, r'(?m)^\W*null\b')

    def test_broken_module(self):
        """a broken module is one line with the reason, and does no harm"""
        broken = self.top / 'broken'
        broken.mkdir()
        (broken / 'text.so').write_text('this is no shared object\n', encoding='ascii')
        (broken / 'empty.so').write_bytes(b'')
        (broken / 'folder.so').mkdir()
        real = next(path for directory in harness.MODULES.split(':')
                    for path in pathlib.Path(directory).glob('clitest.so'))
        (broken / 'torn.so').write_bytes(real.read_bytes()[:1000])
        done = self.call('list', 'modules', BOARDBENCH_MODULE_PATH=f'{broken}:{harness.MODULES}')
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ('text', 'empty', 'torn'):
            lines = [line for line in done.stdout.splitlines() if re.search(rf'\b{name}\b', line)]
            self.assertEqual(len(lines), 1, done.stdout)
        self.assertRegex(done.stdout, r'(?m)^\W*clitest\b')

    def test_boards(self):
        """boards are listed with their titles"""
        text = self.ok('--profile-dir', harness.SOURCE / 'profiles', 'list', 'boards')
        self.assertIn('generic', text)
        self.assertIn('am335x-evm', text)

    def test_subsystems(self):
        """this machine has at least memory"""
        self.assertIn('memory', self.ok('list', 'subsystems'))

    def test_runs(self):
        """saved runs are listed after a save"""
        self.ok('run', 'clitest', '--save', 'my-run')
        self.assertIn('my-run', self.ok('list', 'runs'))

    def test_json(self):
        """each list is JSON when asked"""
        self.ok('run', 'clitest', '--save', 'my-run')
        for what, name in (('modules', 'clitest'), ('subsystems', 'memory'), ('boards', 'generic'),
                           ('runs', 'my-run')):
            with self.subTest(what):
                text = self.ok('list', what, '--format', 'json')
                objects = [json.loads(line) for line in text.splitlines()]
                flat = [item for entry in objects for item in (entry if isinstance(entry, list) else [entry])]
                self.assertIn(name, json.dumps(flat))

    def test_show(self):
        """show tells parameters, defaults, limits, metrics and method"""
        text = self.ok('show', 'clitest')
        for word in ('level', 'count', 'size', 'pause', 'rate', 'kind', 'behave', '65536', 'copper',
                     'silver', 'golden', 'MB/s', 'Counts what it is told to count.',
                     'Steps until the module is finished.'):
            self.assertIn(word, text)

    def test_show_real(self):
        """show works for the modules for users"""
        for name in ('memory', 'storage', 'null'):
            with self.subTest(name):
                self.assertIn(name, self.ok('show', name))

    def test_doctor(self):
        """doctor speaks of this machine"""
        done = self.call('doctor')
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn(os.uname().release, done.stdout)

    def test_help(self):
        """help and version are asked for and go to standard output"""
        text = self.ok('--help')
        for command in ('list', 'show', 'run', 'report', 'compare', 'doctor'):
            self.assertIn(command, text)
        self.assertNotIn('guide', text)
        self.assertRegex(self.ok('--version'), r'\d+\.\d+')


class Documents(harness.Case):
    def test_manual(self):
        """every option of --help is in the manual page, and the other way round"""
        manual = (harness.SOURCE / 'data' / 'boardbench.1').read_text(encoding='utf-8')
        documented = set(re.findall(r'Fl Fl ([a-z][a-z0-9-]+)', manual))
        told = set(re.findall(r'--([a-z][a-z0-9-]+)', self.ok('--help')))
        self.assertEqual(told - documented, set())
        self.assertEqual(documented - told, set())

    def test_completion(self):
        """the completion offers every option of --help"""
        script = (harness.SOURCE / 'data' / 'completions' / 'boardbench.bash').read_text(encoding='utf-8')
        told = set(re.findall(r'--([a-z][a-z0-9-]+)', self.ok('--help')))
        self.assertEqual(told - set(re.findall(r'--([a-z][a-z0-9-]+)', script)), set())
