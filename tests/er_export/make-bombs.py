#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make small tarballs that are much work to read: NAME in the current directory."""
import bz2
import gzip
import io
import os
import sys
import tarfile

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from tarball import add, begin  # noqa: E402

ZEROS = b"\0" * (64 << 20)
BZ2 = bz2.compress(ZEROS)  # streams that follow each other are one
GZIP = gzip.compress(ZEROS, 9)


def members(*names, top="x.er"):
    """A whole tar archive: an experiment, and empty files of these names."""
    out = io.BytesIO()
    with begin(fileobj=out, top=top) as tar:
        for name in names:
            add(tar, name)
    return out.getvalue()


def without_end(tar):
    tar = tar.rstrip(b"\0")
    return tar + b"\0" * (-len(tar) % 512)


def sparse(size):
    """A sparse file without data."""
    info = tarfile.TarInfo("x.er/profile")
    info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1",
                        "GNU.sparse.name": "x.er/profile", "GNU.sparse.numblocks": "1",
                        "GNU.sparse.size": str(size), "GNU.sparse.map": "%d,0" % size}
    return info.tobuf(tarfile.PAX_FORMAT) + b"\0" * 1024


def header(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)


def write(name, *parts):
    with open(name, "wb") as file:
        for part in parts:
            file.write(part)


whole = members()
write("sparse.tar", without_end(whole), sparse(1 << 50))
write("holes.tar", without_end(whole), sparse(100 << 30))
write("small.tar", without_end(whole), sparse(1 << 20))

# 4 GiB of zeros after the end, in 5 KB.
write("behind.tar.bz2", bz2.compress(whole), BZ2 * 64)
# 2.25 GiB that belong to a member, in 2 MB.
write("data.tar.gz", gzip.compress(without_end(whole) + header("x.er/profile", 36 << 26)),
      GZIP * 36, gzip.compress(b"\0" * 1024))
# 640 MiB between archives, 128 MiB at a time.
write("between.tar.gz", *[gzip.compress(members(top="x%d.er" % i)) + GZIP * 2 for i in range(5)])
# Compressed twice: the output does not show how much work it was.
write("twice.tar.gz", gzip.compress(gzip.compress(whole)))

# 60 directories for each file, and names that take more room than files.
def deep(top, name):
    return "x.er/jdynclasses/%s/%sA.class" % (top, name * 60)


write("directories.tar", members(*[deep(str(i), "d/") for i in range(40)]))
write("names.tar.gz", gzip.compress(members(*[deep(str(i), "n" * 60 + "/")
                                              for i in range(8000)]), 1))
# Its end is missing.
write("cut.tar.gz", gzip.compress(members())[:-20])
# Bytes of another kind after the end.
write("other.tar.gz", gzip.compress(members()), b"other bytes")
