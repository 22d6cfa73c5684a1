#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long `list runs` takes with a journal of 100,000 results.

Usage: journal_start.py PROGRAM [RESULTS]; BOARDBENCH_MODULE_PATH says where the modules are. One real result is
measured and written again and again under other names. The first start makes the index, the later ones use it.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
with tempfile.TemporaryDirectory(dir=os.environ.get('TMPDIR', '/var/tmp')) as store:
    subprocess.run([program, '--store', store, 'run', 'memory', '--duration', '200ms'], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(store, 'journal.jsonl')
    with open(path, encoding='utf-8') as journal:
        result = next(json.loads(line) for line in journal if '"boardbench.result/1"' in line)
    with open(path, 'a', encoding='utf-8') as journal:
        for number in range(count):
            result['run'] = f'{number // 10:012x}'
            result['id'] = f'{result["run"]}-{number % 10 + 1}'
            journal.write(json.dumps(result, separators=(',', ':')) + '\n')
    times = []
    for _ in range(8):
        begin = time.monotonic()
        subprocess.run([program, '--store', store, 'list', 'runs'], check=True, stdout=subprocess.DEVNULL)
        times.append(1000 * (time.monotonic() - begin))
    print(f'{count} results, {os.path.getsize(path) / 1e6:.0f} MB: first start {times[0]:.0f} ms, '
          f'then median {statistics.median(times[1:]):.0f} ms')
