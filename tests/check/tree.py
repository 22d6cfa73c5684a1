#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules of the tree that no compiler checks: who may include what, and what a module exports.

Usage: tree.py SOURCE BUILD. Writes TAP.
"""
import pathlib
import re
import struct
import sys

source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
results = []


def check(name, problems):
    results.append((name, problems))


def includes(directory):
    for path in sorted((source / directory).rglob('*.[ch]')):
        for kind, name in INCLUDE.findall(path.read_text(encoding='utf-8')):
            yield path.relative_to(source), kind, name


def exported(path):
    """Names of the defined dynamic symbols of an ELF file of either class, little endian."""
    data = path.read_bytes()
    if data[:4] != b'\x7fELF':
        raise ValueError(f'{path} is not ELF')
    wide = data[4] == 2
    section_offset = struct.unpack_from('<Q' if wide else '<I', data, 0x28 if wide else 0x20)[0]
    size, count = struct.unpack_from('<HH', data, 0x3A if wide else 0x2E)
    sections = []
    for i in range(count):
        at = section_offset + i * size
        if wide:
            kind, _, _, offset, length, link = struct.unpack_from('<IQQQQI', data, at + 4)
        else:
            kind, _, _, offset, length, link = struct.unpack_from('<IIIIII', data, at + 4)
        sections.append((kind, offset, length, link))
    names = []
    for kind, offset, length, link in sections:
        if kind != 11:  # SHT_DYNSYM
            continue
        strings = sections[link][1]
        for at in range(offset, offset + length, 24 if wide else 16):
            if wide:
                name, info, _, index = struct.unpack_from('<IBBH', data, at)
            else:
                name, _, _, info, _, index = struct.unpack_from('<IIIBBH', data, at)
            if index != 0 and info >> 4 in (1, 2):  # defined, global or weak
                start = strings + name
                names.append(data[start:data.index(b'\0', start)].decode())
    return names


CURSES = re.compile(r'curses|^term\.h$|^panel\.h$')
own = {path.name for path in (source / 'src').glob('*.h')}
screens = {path.name for path in (source / 'ui').glob('*.h')}

check('src knows no curses and no screen', [
    f'{path} includes {name}' for path, kind, name in includes('src')
    if CURSES.search(name) or (kind == '"' and name in screens - own and path.name != 'main.c')])
check('modules include only the public header of ours', [
    f'{path} includes {name}' for path, kind, name in includes('modules')
    if name in own or name in screens or (name.startswith('boardbench/') and name != 'boardbench/module.h')])
check('the public header includes only the C library', [
    f'{path} includes {name}' for path, _, name in includes('src/abi')
    if name not in ('stdbool.h', 'stddef.h', 'stdint.h')])

shell = re.compile(r'\b(system|popen)\s*\(')
check('nothing is given to a shell', [
    f'{path.relative_to(source)}: {line.strip()}'
    for directory in ('src', 'ui', 'modules') for path in sorted((source / directory).rglob('*.c'))
    for line in path.read_text(encoding='utf-8').splitlines()
    if shell.search(re.sub(r'"(\\.|[^"\\])*"|/\*.*?(\*/|$)|^\s*\*.*', '', line))])

license_line = 'SPDX-License-Identifier: MIT'
check('every source file names its license', [
    str(path.relative_to(source))
    for directory in ('src', 'ui', 'modules', 'tests') for path in sorted((source / directory).rglob('*.[ch]'))
    if license_line not in path.read_text(encoding='utf-8')[:400]])

modules = sorted((build / 'modules').glob('*.so'))
for module in modules:
    names = [n for n in exported(module) if not re.match(r'_(init|fini|edata|end|_bss_start)$|__', n)]
    check(f'{module.name} exports boardbench_module alone',
          [] if names == ['boardbench_module'] else [f'it exports {", ".join(names) or "nothing"}'])

print(f'1..{len(results)}')
for number, (name, problems) in enumerate(results, 1):
    print(f'{"not ok" if problems else "ok"} {number} - {name}')
    for problem in problems:
        print(f'# {problem}')
sys.exit(1 if any(problems for _, problems in results) else 0)
