#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Throughput of the storage module against fio with the same buffer, size, mode and fsync.

Usage: storage_vs_fio.py BOARDBENCH [DIRECTORY [PAIRS]]. On a tmpfs (the default, /dev/shm) the ratio
is a gate; on a shared disk it is only quoted. fio writes one buffer again and again, which stays in the
CPU's cache; so ours does here too. The 10 MiB of the published method cost about a tenth on a tmpfs.
"""
import json
import os
import subprocess
import sys

from pairs import boardbench, compare

SIZE = 512 << 20
program = sys.argv[1]
directory = sys.argv[2] if len(sys.argv) > 2 else '/dev/shm'
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 9


def ours(operation, buffer_size):
    return boardbench(program, 'storage', {
        'directory': directory, 'operation': operation, 'buffer_size': buffer_size,
        'file_size': SIZE, 'fsync': 'on', 'source_size': buffer_size}, 'throughput')


def theirs(operation, buffer_size):
    """Alike: a new file, no blocks reserved before, fsync inside the time, 10^6 bytes."""
    path = os.path.join(directory, f'fio-{os.getpid()}.tmp')
    try:
        done = subprocess.run(
            ['fio', '--name=peer', f'--filename={path}', f'--rw={operation}', f'--bs={buffer_size}',
             f'--size={SIZE}', '--ioengine=psync', '--fallocate=none', '--end_fsync=1',
             '--thread', '--output-format=json'],
            stdout=subprocess.PIPE, check=True, text=True)
    finally:
        if os.path.exists(path):
            os.unlink(path)
    job = json.loads(done.stdout)['jobs'][0][operation]
    # fio rounds its runtime to milliseconds: its own bytes and rate say the same, finer.
    return job['bw_bytes'] / 1e6


good = True
for operation in ('write', 'read'):
    for buffer_size in (102400, 1048576, 5242880):
        good &= compare(f'storage {operation} {buffer_size}',
                        lambda: ours(operation, buffer_size), lambda: theirs(operation, buffer_size),
                        pairs, 0.97)
sys.exit(0 if good else 1)
