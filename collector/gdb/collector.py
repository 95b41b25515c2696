# SPDX-License-Identifier: Apache-2.0
"""The commands `collector ...` of gdb, which record the debugged program as collect(1) does.

Loaded with `source PREFIX/lib/erkit/gdb/collector.py`, for example in ~/.gdbinit.
"""
import os
import sys

# __file__ is another file if that one sources this one.
folder = os.path.dirname(os.path.realpath(sys._getframe().f_code.co_filename))
sys.path.insert(0, folder)
try:
    import erkit_collector.commands  # pylint: disable=unused-import
finally:
    sys.path.remove(folder)
