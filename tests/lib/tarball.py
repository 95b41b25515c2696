# SPDX-License-Identifier: Apache-2.0
"""Handmade tarballs, for tests of their readers."""
import io
import tarfile


def add(tar, name, data=b"", kind=tarfile.REGTYPE, **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.type = kind
    info.mtime = 1000000000
    for field, value in fields.items():
        setattr(info, field, value)
    tar.addfile(info, io.BytesIO(data))


def begin(**arguments):
    """A tarball to which a harmless experiment, x.er or top, was added."""
    top = arguments.pop("top", "x.er")
    tar = tarfile.open(mode="w", format=tarfile.PAX_FORMAT, **arguments)
    add(tar, top, kind=tarfile.DIRTYPE, mode=0o755)
    add(tar, top + "/log.xml", b"<collector/>\n")
    return tar
