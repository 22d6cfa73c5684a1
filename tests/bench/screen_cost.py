#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the screen costs while a run is on: bytes a second, CPU of the workbench process, resident memory, time to
the first complete screen; beside htop drawn at the same rate on the same terminal, where it is installed.

Usage: screen_cost.py PROGRAM [SECONDS]; BOARDBENCH_MODULE_PATH says where the modules are. The figures are printed,
nothing is asserted.
"""
import os
import pty
import select
import shutil
import struct
import sys
import tempfile
import termios
import time
import fcntl

PROGRAM = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
TICK = os.sysconf('SC_CLK_TCK')


class Screen:
    def __init__(self, arguments, environment):
        self.bytes = 0
        self.text = b''
        self.start = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
            os.execvpe(arguments[0], arguments, environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))

    def pump(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    return False
                self.bytes += len(data)
                self.text = (self.text + data)[-200000:]
                if until and until in self.text:
                    return True
        return until is None

    def cpu(self):
        with open(f'/proc/{self.pid}/stat', encoding='utf-8', errors='replace') as stat:
            fields = stat.read().rpartition(')')[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def resident(self):
        with open(f'/proc/{self.pid}/status', encoding='utf-8') as status:
            return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))

    def measure(self, name):
        bytes_before, cpu_before, begin = self.bytes, self.cpu(), time.monotonic()
        self.pump(SECONDS)
        elapsed = time.monotonic() - begin
        print(f'{name}: {(self.bytes - bytes_before) / elapsed:.0f} bytes/s, '
              f'{100 * (self.cpu() - cpu_before) / elapsed:.2f} % of a core, resident {self.resident()} KiB')

    def keys(self, text):
        os.write(self.fd, text)

    def end(self):
        os.kill(self.pid, 15)
        self.pump(5)
        os.waitpid(self.pid, 0)


def workbench(name, home, *arguments):
    environment = {**os.environ, 'TERM': 'vt100', 'HOME': home, 'LC_ALL': 'C'}
    for variable in ('XDG_CONFIG_HOME', 'XDG_STATE_HOME'):
        environment.pop(variable, None)
    screen = Screen([PROGRAM, *arguments], environment)
    screen.pump(10, b'? help')
    print(f'{name}: first complete screen after {1000 * (time.monotonic() - screen.start):.0f} ms')
    screen.pump(1)
    screen.keys(b'\tjjjjj\r')
    screen.pump(0.5)
    screen.keys(b'60s\r')
    screen.pump(0.5)
    screen.keys(b'r')
    screen.pump(20, b'MB/s')
    screen.pump(3)
    screen.measure(name)
    screen.end()


with tempfile.TemporaryDirectory() as home:
    workbench('workbench on a pty', home)
    workbench('workbench at 115200 baud', home, '--baud', '115200')
    workbench('workbench at 9600 baud', home, '--baud', '9600')
    if shutil.which('htop'):
        peer = Screen(['htop', '-d', '2'], {**os.environ, 'TERM': 'vt100', 'HOME': home, 'LC_ALL': 'C'})
        peer.pump(3)
        peer.measure('htop -d 2')
        peer.end()
