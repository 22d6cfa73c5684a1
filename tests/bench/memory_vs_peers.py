#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Throughput of the memory module against a loop in the manner of STREAM, and mbw where it is there.

Usage: memory_vs_peers.py BOARDBENCH STREAM_PEER [PAIRS [SIZE]].
"""
import re
import shutil
import subprocess
import sys

from pairs import boardbench, compare

program, peer = sys.argv[1:3]
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
size = int(sys.argv[4]) if len(sys.argv) > 4 else 64 << 20


def ours(operation):
    return boardbench(program, 'memory', {'operation': operation, 'size': size}, 'throughput',
                      '--duration', '1s')


def stream(operation):
    return float(subprocess.run([peer, operation, str(size), '1'], stdout=subprocess.PIPE, check=True,
                                text=True).stdout)


def mbw():
    """memcpy() of a whole array; MiB/s, a copied byte counts once."""
    text = subprocess.run(['mbw', '-q', '-t', '0', '-n', '20', str(size >> 20)],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    return float(re.search(r'AVG.*Copy: *([0-9.]+)', text).group(1)) * 1.048576


good = True
for operation in ('copy', 'scale', 'add', 'triad', 'read', 'fill', 'bcopy'):
    good &= compare(f'memory {operation}, STREAM-style', lambda: ours(operation),
                    lambda: stream(operation), pairs, 0.97)
if shutil.which('mbw'):
    good &= compare('memory bcopy, mbw', lambda: ours('bcopy'), mbw, pairs, 0.97)
sys.exit(0 if good else 1)
