# SPDX-License-Identifier: MIT
"""What the comparisons with peers share: run ours and theirs in turn, print the ratio of medians."""
import json
import statistics
import subprocess
import sys


def boardbench(program, module, settings, metric, *options):
    """The figure of one case of `boardbench run`."""
    command = [program, 'run', module, *[f'{name}={value}' for name, value in settings.items()],
               '--format', 'json', *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    result = json.loads(done.stdout.splitlines()[-1])
    if result['state'] not in ('ok', 'suspect'):
        sys.exit(f'{" ".join(command)}: {result["state"]}: {result["error"]}')
    return result['metrics'][metric]['value']


def compare(title, ours, theirs, pairs, low, high=None):
    """Median of the ratios of `pairs` interleaved pairs; which goes first changes each time."""
    ratios, a, b = [], [], []
    for i in range(pairs):
        if i % 2:
            y = theirs()
            x = ours()
        else:
            x = ours()
            y = theirs()
        a.append(x)
        b.append(y)
        ratios.append(x / y)
    ratio = statistics.median(ratios)
    good = ratio >= low and (high is None or ratio <= high)
    print(f'{title:34} ours {statistics.median(a):10.1f}  peer {statistics.median(b):10.1f}  '
          f'ratio {ratio:.3f}  ({min(ratios):.3f} .. {max(ratios):.3f})  '
          f'{"good" if good else "BAD"}', flush=True)
    return good
