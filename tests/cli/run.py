#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the tests of the command line in test_NAME.py, and write TAP.

Usage: run.py NAME...; BOARDBENCH is the program, BOARDBENCH_MODULE_PATH where its modules are.
"""
import os
import pathlib
import sys
import unittest

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))


class Tap(unittest.TestResult):
    number = 0

    def line(self, test, word, comment=''):
        self.number += 1
        name = (test.shortDescription() or test.id()).replace('#', '')
        print(f'{word} {self.number} - {name}{comment}', flush=True)

    def addSuccess(self, test):
        self.line(test, 'ok')

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(test, 'ok', f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(test, 'not ok')
        self.tell(self.failures)

    def addError(self, test, err):
        super().addError(test, err)
        self.line(test, 'not ok')
        self.tell(self.errors)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            super().addSubTest(test, subtest, err)
            self.line(subtest, 'not ok')
            self.tell(self.failures or self.errors)

    @staticmethod
    def tell(problems):
        for text in problems[-1][1].splitlines():
            print(f'# {text}', flush=True)


if 'BOARDBENCH' not in os.environ:
    sys.exit('run.py: set BOARDBENCH to the program, and BOARDBENCH_MODULE_PATH to its modules')
suite = unittest.TestSuite()
for name in sys.argv[1:]:
    suite.addTests(unittest.defaultTestLoader.loadTestsFromName(f'test_{name}'))
result = Tap()
suite.run(result)
print(f'1..{result.number}')
sys.exit(0 if result.wasSuccessful() else 1)
