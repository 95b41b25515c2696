#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make malicious tarballs, one for each way to do harm: NAME.tar in the current
directory. Each begins with a harmless experiment, so that there is something to leave behind."""
import io
import os
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from tarball import add, begin  # noqa: E402


def tarball(name, **arguments):
    return begin(name=name + ".tar", **arguments)


with tarball("dotdot") as tar:
    add(tar, "x.er/../../escaped", b"evil")
with tarball("absolute") as tar:
    add(tar, os.getcwd() + "/escaped", b"evil")
with tarball("linkthrough") as tar:
    add(tar, "x.er/archives", kind=tarfile.SYMTYPE, linkname="../..")
    add(tar, "x.er/archives/escaped", b"evil")
with tarball("linkoutside") as tar:
    add(tar, "x.er/archives", kind=tarfile.DIRTYPE, mode=0o755)
    add(tar, "x.er/archives/a", kind=tarfile.SYMTYPE, linkname="/etc/passwd")
with tarball("linkinside") as tar:
    add(tar, "x.er/archives", kind=tarfile.DIRTYPE, mode=0o755)
    add(tar, "x.er/archives/a", kind=tarfile.SYMTYPE, linkname="b")
    add(tar, "x.er/archives/a/escaped", b"evil")
with tarball("hardlink") as tar:
    add(tar, "x.er/notes", kind=tarfile.LNKTYPE, linkname="/etc/passwd")
with tarball("device") as tar:
    add(tar, "x.er/notes", kind=tarfile.CHRTYPE, devmajor=1, devminor=3)
with tarball("fifo") as tar:
    add(tar, "x.er/notes", kind=tarfile.FIFOTYPE)
with tarball("setid") as tar:
    add(tar, "x.er/notes", b"evil", mode=0o4755)
with tarball("duplicate") as tar:
    add(tar, "x.er/log.xml", b"evil")
with tarball("control") as tar:
    add(tar, "x.er/archives/a\033[2Jb", b"evil")
with tarball("newline") as tar:
    add(tar, "x.er/archives/a\nb", b"evil")
with tarball("otherfile") as tar:
    add(tar, "x.er/.bashrc", b"evil")
with tarball("othertop") as tar:
    add(tar, "bin/sh", b"evil")
with tarball("deep") as tar:
    add(tar, "x.er/jdynclasses/" + "a/" * 100 + "A.class", b"evil")
with tarball("longname") as tar:
    add(tar, "x.er/archives/" + "a" * 300, b"evil")
with tarball("secondexperiment") as tar:
    add(tar, "y.er/log.xml", b"fine")
    add(tar, "y.er/_f1.er/_f1.er/log.xml", b"evil")
with tarball("group") as tar:
    add(tar, "x.erg", b"no group at all\n")
with tarball("groups") as tar:
    for i in range(257):
        add(tar, "x%d.erg" % i, b"#analyzer experiment group\n")
with tarball("behindmanifest") as tar:
    log = "90cbf79cf8a1d8de77d0ef4d9fd0c2ea5dd4b9ad9a9dbd9d9f3ee0aa1ab2e4de"
    import hashlib
    log = hashlib.sha256(b"<collector/>\n").hexdigest()
    add(tar, "x.er/EXPORT.manifest", ("# erkit bundle 1\n%s  x.er/log.xml\n" % log).encode())
    add(tar, "x.er/notes", b"evil")
with tarball("unlisted") as tar:
    add(tar, "x.er/notes", b"evil")
    add(tar, "x.er/EXPORT.manifest", ("# erkit bundle 1\n%s  x.er/log.xml\n" % log).encode())
with tarball("wrongsum") as tar:
    add(tar, "x.er/EXPORT.manifest",
        ("# erkit bundle 1\n%s  x.er/log.xml\n" % ("0" * 64)).encode())
with tarball("notthere") as tar:
    add(tar, "x.er/EXPORT.manifest", ("# erkit bundle 1\n%s  x.er/log.xml\n%s  x.er/notes\n"
                                      % (log, log)).encode())
with tarball("badmanifest") as tar:
    add(tar, "x.er/EXPORT.manifest", b"hello\n")

# A header that promises a petabyte, in the numbers of GNU tar, with no data after it.
with tarball("petabyte") as tar:
    pass
raw = open("petabyte.tar", "rb").read().rstrip(b"\0")
raw += b"\0" * (-len(raw) % 512)
info = tarfile.TarInfo("x.er/profile")
info.size = 1 << 50
raw += info.tobuf(tarfile.GNU_FORMAT)
open("petabyte.tar", "wb").write(raw + b"\0" * 1024)

# The same promise by a sparse file, whose data takes no room at all.
with tarball("sparse") as tar:
    info = tarfile.TarInfo("x.er/profile")
    info.size = 0
    info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1",
                        "GNU.sparse.name": "x.er/profile", "GNU.sparse.numblocks": "1",
                        "GNU.sparse.size": str(1 << 50), "GNU.sparse.map": "%d,0" % (1 << 50)}
    tar.addfile(info, io.BytesIO(b""))

# 4 GiB in next to nothing.
with tarball("bomb") as tar:
    pass
raw = open("bomb.tar", "rb").read().rstrip(b"\0")
raw += b"\0" * (-len(raw) % 512)
info = tarfile.TarInfo("x.er/profile")
info.size = 4 << 30
zstd = subprocess.Popen(["zstd", "-q", "-3", "-o", "bomb.tar.zst"], stdin=subprocess.PIPE)
zstd.stdin.write(raw + info.tobuf(tarfile.USTAR_FORMAT))
if os.environ.get("BOMB") == "whole":
    for _ in range(4 << 10):
        zstd.stdin.write(b"\0" * (1 << 20))
else:
    zstd.stdin.write(b"\0" * (300 << 20))
zstd.stdin.close()
zstd.wait()
os.unlink("bomb.tar")

# Accidental damage rather than malice.
with tarball("cut") as tar:
    add(tar, "x.er/profile", b"p" * 5000)
raw = open("cut.tar", "rb").read()
open("cut.tar", "wb").write(raw[:5000])
with tarball("cutbetween") as tar:
    pass
raw = open("cutbetween.tar", "rb").read().rstrip(b"\0")
open("cutbetween.tar", "wb").write(raw + b"\0" * (-len(raw) % 512))
open("random.tar", "wb").write(bytes((i * i * 7919 >> 3) & 255 for i in range(20000)))
open("empty.tar", "wb").close()
with tarfile.open("nothing.tar", "w") as tar:
    pass
