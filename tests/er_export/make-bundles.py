#!/usr/bin/env python3
# make-bundles.py BUNDLE: make bundles of the same archive whose index is true, or states something else.

import re
import struct
import subprocess
import sys

INDEX, TABLE, FOOTER = 0x184D2A5B, 0x184D2A5E, 0x8F92EAB1


def zstd(option, data):
    return subprocess.run(['zstd', '-q', option, '--stream-size=%d' % len(data)], input=data,
                          stdout=subprocess.PIPE, check=True).stdout


def skippable(magic, data):
    return struct.pack('<II', magic, len(data)) + data


def write(name, tar, index):
    frames = [(zstd('-c', tar), len(tar)), (skippable(INDEX, zstd('-c', index)), 0)]
    table = b''.join(struct.pack('<II', len(frame), size) for frame, size in frames)
    with open(name, 'wb') as file:
        file.write(b''.join(frame for frame, _ in frames))
        file.write(skippable(TABLE, table + struct.pack('<IBI', len(frames), 0, FOOTER)))


def read(name):
    bundle = open(name, 'rb').read()
    count, = struct.unpack('<I', bundle[-9:-5])
    packed, _ = struct.unpack_from('<II', bundle, len(bundle) - 9 - 8)
    end = len(bundle) - 9 - 8 * count - 8
    return zstd('-dc', bundle[:end]), zstd('-dc', bundle[end - packed + 8:end])


def header(name, size):
    block = bytearray(512)
    block[0:len(name)] = name
    block[100:108] = b'0000644\0'
    block[108:124] = b'0000000\0' * 2
    block[124:136] = b'%011o\0' % size
    block[136:148] = b'%011o\0' % 1600000000
    block[156:157] = b'0'
    block[257:265] = b'ustar\00000'
    block[148:156] = b' ' * 8
    block[148:156] = b'%06o\0 ' % sum(block)
    return bytes(block)


def more_blocks(index, line, blocks):
    """Returns the index with the member in the line that matches the pattern taking that many more blocks."""
    def change(match):
        return b'%s%d%s' % (match[1], int(match[2]) + blocks, match[3])
    changed, count = re.subn(rb'(?m)^(\S+ \S+ \S+ \S+ )(\d+)( ' + line + rb')$', change, index)
    assert count == 1, line
    return changed


def main():
    tar, index = read(sys.argv[1])
    lines = index.splitlines(keepends=True)
    last = lines[-1]
    write('true.tar.zst', tar, index)

    # A member is omitted: by a gap, by a line with room for it, or at the end.
    write('gap.tar.zst', tar, b''.join(lines[:-2]) + last)
    left = b''.join(line for line in lines if b'/heaptrace' not in line)
    write('room.tar.zst', tar, more_blocks(left, b'one.er/profile', 9))
    write('end.tar.zst', tar, b''.join(lines[:-1]))

    # An empty file fits into the room of a longer header.
    place = int(lines[1].split()[4]) * 512
    notes = tar[:place] + header(b'one.er/synctrace', 0) + tar[place:]
    name = lines[1].split(b' ', 5)[5].strip()
    write('hidden.tar.zst', notes, more_blocks(index, name, 1))
    # The time or mode differs from the member's.
    write('time.tar.zst', tar, index.replace(b' 1600000000 ', b' 1600000001 ', 1))
    write('mode.tar.zst', tar, index.replace(b'f 644 ', b'f 755 ', 1))
    write('unsaid.tar.zst', tar, b'# erkit index 2\n')


main()
