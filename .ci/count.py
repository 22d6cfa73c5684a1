#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the tests of Meson's JUnit files, those within a TAP test one by one.

Usage: count.py FILE...; prints "passed failed skipped".
"""
import os
import sys
import xml.etree.ElementTree

passed = failed = skipped = 0
for path in sys.argv[1:]:
    if not os.path.exists(path):
        continue  # no test was started: the step itself tells
    for suite in xml.etree.ElementTree.parse(path).getroot().iter('testsuite'):
        bad = 0
        cases = list(suite.iter('testcase'))
        for case in cases:
            if case.find('failure') is not None or case.find('error') is not None:
                bad += 1
            elif case.find('skipped') is not None:
                skipped += 1
            else:
                passed += 1
        # A test that crashed after its last good line has an error, but no case of its own for it.
        if bad == 0 and int(suite.get('errors', 0)) + int(suite.get('failures', 0)) > 0:
            bad = 1
        failed += bad
print(passed, failed, skipped)
