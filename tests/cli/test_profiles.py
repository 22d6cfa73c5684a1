# SPDX-License-Identifier: MIT
"""Run profiles: saved, run again, edited by hand, and broken in every way."""
import os
import pathlib

import harness


class Saved(harness.Case):
    def test_again(self):
        """a saved run gives the same cases again"""
        first = self.results('run', 'clitest', 'level=1,2', 'size=1KiB..4KiB*2', '--repeat', '2', '--save', 'my-run')
        again = self.results('run', '--profile', 'my-run')
        self.assertEqual([r['parameters'] for r in again], [r['parameters'] for r in first])
        self.assertEqual([r['repeat'] for r in again], [2] * 6)
        self.assertTrue((self.runs / 'my-run.ini').exists())

    def test_load(self):
        """loads are saved too"""
        self.ok('run', 'clitest', '--with', 'clitest behave=steady level=7', '--save', 'loaded')
        result, = self.results('run', '--profile', 'loaded')
        self.assertEqual(result['with'][0]['parameters']['level'], 7)

    def test_path(self):
        """a profile is run from a path, from anywhere"""
        self.ok('run', 'clitest', 'level=5', '--save', 'my-run')
        other = self.work / 'copied.ini'
        other.write_bytes((self.runs / 'my-run.ini').read_bytes())
        result, = self.results('run', '--profile', './copied.ini')
        self.assertEqual(result['parameters']['level'], 5)

    def test_comments(self):
        """a comment written by hand survives the next save"""
        self.ok('run', 'clitest', 'level=5', '--save', 'my-run')
        path = self.runs / 'my-run.ini'
        path.write_text('# measured on the bench by the window\n' + path.read_text(encoding='utf-8'), encoding='utf-8')
        self.call('run', 'clitest', 'level=6', '--save', 'my-run', '--yes')
        text = path.read_text(encoding='utf-8')
        self.assertIn('by the window', text)
        self.assertIn('6', text)

    def test_names(self):
        """a name that would leave the directory is refused"""
        for name in ('../up', 'a/b', '.hidden', '', '..'):
            with self.subTest(name):
                self.refuse(2, ['run', 'clitest', '--save', name])
        self.assertEqual([p for p in self.top.rglob('*.ini')], [])

    def test_no_leftovers(self):
        """saving leaves no temporary file"""
        self.ok('run', 'clitest', '--save', 'my-run')
        self.assertEqual([p.name for p in self.runs.iterdir()], ['my-run.ini'])


class Broken(harness.Case):
    def setUp(self):
        super().setUp()
        self.ok('run', 'clitest', 'level=1,2', '--save', 'good')
        self.good = (self.runs / 'good.ini').read_bytes()

    def broken(self, name, content, *words):
        path = self.profile(name, content)
        return self.refuse(2, ['run', '--profile', name], path.name, *words)

    def test_missing(self):
        """a profile that is not there, with the nearest"""
        self.refuse(2, ['run', '--profile', 'goood'], 'goood', 'good')

    def test_empty(self):
        """an empty profile"""
        self.broken('empty', b'')

    def test_truncated(self):
        """a profile cut anywhere is run or refused, but never breaks the program"""
        path = self.runs / 'cut.ini'
        for length in range(0, len(self.good), 7):
            path.write_bytes(self.good[:length])
            done = self.call('run', '--profile', 'cut')
            self.assertIn(done.returncode, (0, 2), f'{length}: {done.stderr}')
            self.assertNotIn('Sanitizer', done.stderr)

    def test_binary(self):
        """a profile of binary bytes"""
        self.broken('binary', bytes(range(256)) * 16)
        self.broken('zero', self.good + b'\0\0\0\0')

    def test_huge(self):
        """a profile of 20 MB is refused at once"""
        self.broken('huge', b'# ' + b'x' * 20_000_000)

    def test_long_line(self):
        """a line of 900 kB is no harm"""
        path = self.profile('long', self.good + b'# ' + b'y' * 900_000 + b'\n')
        self.assertIn(self.call('run', '--profile', 'long').returncode, (0, 2))
        self.assertTrue(path.exists())

    def test_unknown_key(self):
        """an unknown key is told with file and line"""
        text = self.good.decode() + 'colour = red\n'
        path = self.profile('key', text)
        done = self.call('run', '--profile', 'key')
        self.assertIn('colour', done.stderr)
        self.assertIn(f'{path.name}:{len(text.splitlines())}', done.stderr)

    def test_newer(self):
        """a newer version is refused, and says so"""
        self.assertIn(b'version', self.good)
        lines = [b'version = 99' if line.replace(b' ', b'').startswith(b'version=') else line
                 for line in self.good.splitlines()]
        self.broken('newer', b'\n'.join(lines) + b'\n', '99')

    def test_directory(self):
        """a directory in the place of a profile"""
        (self.runs / 'folder.ini').mkdir()
        self.refuse(2, ['run', '--profile', 'folder'], 'folder')
        self.refuse(2, ['run', '--profile', './'])

    def test_fifo(self):
        """a FIFO in the place of a profile does not block"""
        os.mkfifo(self.runs / 'pipe.ini')
        self.refuse(2, ['run', '--profile', 'pipe'], 'pipe')

    def test_unreadable(self):
        """a profile that may not be read"""
        path = self.profile('secret', self.good)
        path.chmod(0)
        if os.access(path, os.R_OK):
            # The superuser reads all but what the kernel itself refuses.
            path.unlink()
            path.symlink_to('/proc/self/mem')
        self.refuse(2, ['run', '--profile', 'secret'], 'secret')

    def test_loop(self):
        """a symbolic link to itself"""
        (self.runs / 'loop.ini').symlink_to('loop.ini')
        self.refuse(2, ['run', '--profile', 'loop'], 'loop')

    def test_bad_listed(self):
        """a broken profile does not keep the others from the list"""
        self.profile('binary', bytes(range(256)))
        os.mkfifo(self.runs / 'pipe.ini')
        self.assertIn('good', self.ok('list', 'runs'))

    def test_no_directory(self):
        """a save where no directory can be made is told, and the results are printed"""
        blocked = pathlib.Path(self.top / 'blocked')
        blocked.write_text('a file', encoding='ascii')
        done = self.call('run', 'clitest', '--save', 'x', XDG_CONFIG_HOME=str(blocked))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('blocked', done.stderr)
