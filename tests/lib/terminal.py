# SPDX-License-Identifier: Apache-2.0
"""A program on a terminal of its own, which a test types to and reads from."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

SECONDS = 60  # until a test gives up


class Terminal:
    def __init__(self, *words, rows=24, columns=80, **environment):
        self.shown = b""
        self.child, self.file = pty.fork()
        if self.child == 0:
            # The program must find the size, which its parent cannot set early enough.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.environ["TERM"] = "dumb"
            for name, value in environment.items():
                os.environ[name] = value
            os.execvp(words[0], words)

    def type(self, text):
        os.write(self.file, text.encode())

    def read(self, seconds):
        """More of what is shown; false: it is closed."""
        if not select.select([self.file], [], [], max(seconds, 0))[0]:
            sys.exit("nothing more is shown after %r" % self.shown)
        try:
            piece = os.read(self.file, 65536)
        except OSError:  # the other side was closed
            return False
        self.shown += piece
        return piece

    def until(self, text):
        """Wait for a text; returns what was shown up to its end."""
        end = time.monotonic() + SECONDS
        while text.encode() not in self.shown:
            if not self.read(end - time.monotonic()):
                sys.exit("the end came instead of %r, after %r" % (text, self.shown))
        length = self.shown.index(text.encode()) + len(text.encode())
        shown, self.shown = self.shown[:length], self.shown[length:]
        return shown.decode(errors="replace").replace("\r\n", "\n")

    def end(self):
        """Wait for the end; returns the exit status, negative for a signal."""
        end = time.monotonic() + SECONDS
        while self.read(end - time.monotonic()):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
