#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make-elf-bombs LIBRARY - make small ELF files that claim gigabytes of memory, from a shared library with
debug data: NAME.so in the current directory."""
import os
import struct
import sys
import zlib

SHF_ALLOC, SHF_COMPRESSED, SHT_NOBITS, SHT_STRTAB = 2, 0x800, 8, 3
LARGE = 2 << 30
UNIT = 64 << 20


def zeros(size):
    """size zero bytes, compressed by zlib, assembled from equal pieces."""
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(UNIT)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(UNIT)) + packer.flush(zlib.Z_FULL_FLUSH)
    count = size // UNIT
    end = b"\x03\x00" + struct.pack(">HH", size % 65521, 1)
    return first + again * (count - 1) + end


class Elf:
    """The sections of a little-endian 64-bit file: [name, header fields, bytes]."""

    def __init__(self, path):
        raw = open(path, "rb").read()
        self.head = raw
        offset, = struct.unpack_from("<Q", raw, 40)
        size, count, names = struct.unpack_from("<HHH", raw, 58)
        self.names = names
        headers = [list(struct.unpack_from("<IIQQQQIIQQ", raw, offset + i * size))
                   for i in range(count)]
        text = raw[headers[names][4]:][:headers[names][5]]
        self.sections = [[text[h[0]:text.index(b"\0", h[0])].decode(), h,
                          b"" if h[1] == SHT_NOBITS else raw[h[4]:h[4] + h[5]]]
                         for h in headers]
        self.keep = max([h[4] + h[5] for h in headers
                         if h[2] & SHF_ALLOC and h[1] != SHT_NOBITS])

    def find(self, name):
        return next(s for s in self.sections if s[0] == name)

    def replace(self, name, data, flags=0, new_name=None):
        section = self.find(name)
        section[0] = new_name or name
        section[1][2] = flags
        section[2] = data

    def add(self, name, data, flags=0, kind=1):
        self.sections.append([name, [0, kind, flags, 0, 0, 0, 0, 0, 1, 0], data])

    def write(self, path, pack_names=None, hole=None):
        """Allocated sections stay; the others follow, the section hole without bytes for its size."""
        out = bytearray(self.head[:self.keep])
        text = bytearray(b"\0")
        for name, header, _ in self.sections:
            header[0] = len(text) if name else 0
            text += name.encode() + b"\0" if name else b""
        self.sections[self.names][2] = bytes(text)
        if pack_names:
            self.sections[self.names][1][2] = SHF_COMPRESSED
            self.sections[self.names][2] = pack_names(bytes(text))
        for name, header, data in self.sections[1:]:
            if header[2] & SHF_ALLOC or header[1] == SHT_NOBITS or name == hole:
                continue
            out += bytes(-len(out) % 8)
            header[4], header[5] = len(out), len(data)
            out += data
        out += bytes(-len(out) % 8)
        place = len(out)
        if hole:
            header = self.find(hole)[1]
            header[4], header[5] = place + 64 * len(self.sections), LARGE
        for _, header, _ in self.sections:
            out += struct.pack("<IIQQQQIIQQ", *header)
        struct.pack_into("<Q", out, 40, place)
        struct.pack_into("<H", out, 60, len(self.sections))
        with open(path, "wb") as file:
            file.write(out)
            if hole:
                file.truncate(len(out) + LARGE)


def chdr(size):
    return struct.pack("<IIQQ", 1, 0, size, 1)


packed = zeros(LARGE)
library = sys.argv[1]

elf = Elf(library)
elf.replace(".debug_info", chdr(LARGE) + packed, SHF_COMPRESSED)
elf.write("compressed.so")
elf.add(".debug_addr", bytes(8))
elf.write("split.so")

elf = Elf(library)
elf.replace(".debug_info", b"ZLIB" + struct.pack(">Q", LARGE) + packed, 0, ".zdebug_info")
elf.write("old.so")

# Many sections that are large only together.
elf = Elf(library)
part = zeros(LARGE // 16)
for name in ("info", "str", "abbrev", "ranges", "loc", "aranges", "pubnames", "pubtypes", "macro",
             "rnglists", "loclists", "types", "macinfo", "frame", "str_offsets", "addr"):
    name = ".debug_" + name
    if not any(s[0] == name for s in elf.sections):
        elf.add(name, b"")
    elf.replace(name, chdr(LARGE // 16) + part, SHF_COMPRESSED)
elf.write("many.so")

# The names of the sections themselves.
elf = Elf(library)
elf.write("names.so", lambda text: chdr(LARGE) + packed)

# A file with a hole needs no compression.
elf = Elf(library)
elf.write("hole.so", None, ".debug_info")

# A table of section headers in a hole.
elf = Elf(library)
raw = elf.head + bytes(-len(elf.head) % 64)
raw = bytearray(raw + struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 16 << 20, 0, 0, 0, 0))
struct.pack_into("<Q", raw, 40, len(raw) - 64)
struct.pack_into("<H", raw, 60, 0)
with open("count.so", "wb") as file:
    file.write(raw)
    file.truncate(len(raw) + (64 * 16 << 20))

# A package of split units.
elf = Elf(library)
elf.add(".debug_cu_index", chdr(15 * UNIT) + zeros(15 * UNIT), SHF_COMPRESSED)
elf.write("package.dwp")
os.rename("package.dwp", "split.so.dwp")
