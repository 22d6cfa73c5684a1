# SPDX-License-Identifier: MIT
"""Mistakes in the command line: exit status 2, and a message with the name of what is wrong, and the
nearest right one where there is one."""
import unittest

import harness


class Names(harness.Case):
    def test_module(self):
        """an unknown module is named, with the nearest"""
        self.refuse(2, ['run', 'clitets'], 'clitets', 'clitest')
        self.refuse(2, ['run', 'storge'], 'storge', 'storage')
        self.refuse(2, ['show', 'memry'], 'memry', 'memory')

    def test_far_off(self):
        """a name that is like nothing is refused without a guess"""
        message = self.refuse(2, ['run', 'zzzzqqqqxx'], 'zzzzqqqqxx')
        self.assertNotIn('did you mean', message.lower())

    def test_parameter(self):
        """an unknown parameter is named, with the nearest"""
        self.refuse(2, ['run', 'clitest', 'cuont=2'], 'cuont', 'count')

    def test_choice(self):
        """an unknown choice is named, with the nearest"""
        self.refuse(2, ['run', 'clitest', 'kind=coper'], 'coper', 'copper')

    def test_command(self):
        """an unknown command is named, with the nearest"""
        self.refuse(2, ['rum', 'clitest'], 'rum', 'run')

    def test_option(self):
        """an unknown option is named"""
        self.refuse(2, ['run', 'clitest', '--repaet', '3'], 'repaet')

    def test_board(self):
        """an unknown board is named"""
        self.refuse(2, ['--board', 'am335x-emv', '--profile-dir', harness.SOURCE / 'profiles', 'list'],
                    'am335x-emv', 'am335x-evm')

    def test_list(self):
        """list of something unknown"""
        self.refuse(2, ['list', 'moduls'], 'moduls', 'modules')

    def test_load(self):
        """mistakes in a load are found before anything runs"""
        self.refuse(2, ['run', 'clitest', '--with', 'clitets'], 'clitets')
        self.refuse(2, ['run', 'clitest', '--with', 'clitest cuont=1'], 'cuont')
        self.assertEqual(self.journal_results(), [])


class Values(harness.Case):
    BAD = [
        # argument, words that the message must hold
        ('count=', 'count'),
        ('count=two', 'two'),
        ('count=1.5', '1.5'),
        ('count=0', '1'),            # below the minimum, which is named
        ('count=101', '100'),        # above the maximum
        ('count=99999999999999999999', '99999999999999999999'),
        ('count=-99999999999999999999', '-99999999999999999999'),
        ('level=high', 'high'),
        ('level=1e999', '1e999'),
        ('level=nan', 'nan'),
        ('level=inf', 'inf'),
        ('size=1Mx', '1Mx'),
        ('size=-1', '-1'),
        ('size=99999999999999G', '99999999999999G'),
        ('size=18446744073709551616', '18446744073709551616'),
        ('size=1MHz', '1MHz'),
        ('pause=5parsec', '5parsec'),
        ('pause=99999999999999h', '99999999999999h'),
        ('rate=48kHzz', '48kHzz'),
        ('rate=7k', '8000'),
        ('on=maybe', 'maybe'),
        ('kind=', 'kind'),
        ('count=1,,2', 'count'),
        ('count=1..', 'count'),
        ('count=1..9+0', '0'),
        ('count=1..9*1', '1'),
        ('count=1..9*-2', '-2'),
        ('size=1M..1K*2', 'size'),
        ('kind=copper..golden', 'kind'),
    ]

    def test_values(self):
        """a value that cannot be is refused with its name"""
        for argument, word in self.BAD:
            with self.subTest(argument):
                message = self.refuse(2, ['run', 'clitest', argument], word)
                self.assertIn(argument.split('=', maxsplit=1)[0], message)
        self.assertEqual(self.journal_results(), [])

    def test_no_equals(self):
        """an argument without an equals sign"""
        self.refuse(2, ['run', 'clitest', 'count'], 'count')
        self.refuse(2, ['run', 'clitest', '=3'], 'name of a parameter')

    def test_million(self):
        """a sweep of more than a million cases is refused with the count"""
        self.refuse(2, ['run', 'clitest', 'count=1..100+1', 'size=1..1000+1', 'level=1..100+1'], '10000000')

    def test_endless_range(self):
        """a range of more values than can be is refused, not computed"""
        self.refuse(2, ['run', 'clitest', 'size=1..1073741824+1'], 'size')

    def test_options(self):
        """values of options"""
        for arguments in (['--repeat', '0'], ['--repeat', '-1'], ['--repeat', 'x'],
                          ['--repeat', '99999999999'], ['--duration', 'x'],
                          ['--duration', '-1s'], ['--format', 'jsn'], ['--format', '']):
            with self.subTest(' '.join(arguments)):
                self.refuse(2, ['run', 'clitest', *arguments], arguments[0].strip('-'))

    def test_missing_value(self):
        """an option without its value"""
        self.refuse(2, ['run', 'clitest', '--repeat'], 'repeat')

    def test_nothing_to_run(self):
        """run without anything to run"""
        self.refuse(2, ['run'])

    def test_compare_one(self):
        """compare needs two"""
        self.refuse(2, ['compare'])
        self.refuse(2, ['compare', 'one'])

    def test_unknown_result(self):
        """a result that is not there"""
        done = self.call('report', 'no-such-result')
        self.assertIn(done.returncode, (2, 3))
        self.assertIn('no-such-result', done.stderr)


if __name__ == '__main__':
    unittest.main()
