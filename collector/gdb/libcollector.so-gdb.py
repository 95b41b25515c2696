# SPDX-License-Identifier: Apache-2.0
"""gdb loads this with libcollector.so, if it is where gdb looks for such files."""
import os

import gdb

folder = os.path.dirname(gdb.current_objfile().filename)
gdb.execute("source " + os.path.join(folder, "gdb/collector.py"))
