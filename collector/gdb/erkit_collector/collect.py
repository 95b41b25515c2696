# SPDX-License-Identifier: Apache-2.0
"""The program collect: it knows what may be set, and makes the experiments."""
import atexit
import os
import shutil
import subprocess

import gdb

from erkit_collector.gdb_means import warn

PREFIX = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../.."))


def path(name="collect"):
    """Programs are installed, and built, in bin beside lib/erkit/gdb."""
    beside = os.path.join(PREFIX, "bin", name)
    found = beside if os.access(beside, os.X_OK) else shutil.which(name)
    if not found:
        raise gdb.GdbError("cannot find the program '%s'" % beside)
    return found


def run(*words, shows_warnings=True):
    """The output. Its error is raised."""
    try:
        # A session of its own: Ctrl-C is meant for the debugged program.
        done = subprocess.run(
            [path(), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            check=False,
        )
    except OSError as error:
        raise gdb.GdbError("cannot run '%s': %s" % (path(), error.strerror)) from error
    messages = done.stderr.decode(errors="replace").splitlines()
    if done.returncode != 0:
        raise gdb.GdbError(messages[0] if messages else "collect failed")
    for message in messages:
        if shows_warnings and message.startswith("collect: warning: "):
            warn(message.replace("warning: ", "", 1))
    return done.stdout


def check(options):
    run(*options, "-n", "true")


def describe(options):
    """All settings as collect sees them: pairs of a name and a value."""
    shown = run(*options, "-n", "true", shows_warnings=False)
    lines = shown.decode(errors="replace").splitlines()
    return [(line[2:23].strip(), line[23:]) for line in lines if line.startswith("  ")]


def libraries(options):
    """Paths of the libraries that record with these options, libcollector.so first."""
    return run(*options, "--libraries").decode().split()


def prepare(options, pid):
    """Make the experiment of a process: its path, and the text that its library reads."""
    text = run(*options, "--prepare", str(pid))
    variables = dict(word.split(b"=", 1) for word in text.split(b"\0") if word)
    # With this one, the library expects the debugger to leave, and uses signals at which gdb stops.
    variables.pop(b"SP_COLLECTOR_ORIGIN_COLLECT", None)
    words = (name + b"=" + value + b"\0" for name, value in variables.items())
    return os.fsdecode(variables[b"SP_COLLECTOR_EXPNAME"]), b"".join(words) + b"\0"


archivers = []  # processes that are at work, or have been


def archive(experiment, mode):
    """Archive load objects, while the user and the process go on."""
    if not archivers:
        atexit.register(wait_for_archivers)
    archivers.append(
        subprocess.Popen(  # pylint: disable=consider-using-with
            [path(), "-A", mode, "--archive", experiment],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    )


def wait_for_archivers():
    """Called when gdb has let go of its processes. Its waits may have taken the ends of these."""
    for one in archivers:
        said = one.communicate()[1]
        os.write(2, said)


def remove(experiment):
    subprocess.run(
        [path("er_rm"), "-f", experiment],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
