# SPDX-License-Identifier: Apache-2.0
"""Recording in gdb. From bottom to top:

    gdb_means.py    settings of gdb for a while, warnings
    collect.py      the program collect, which knows all options and makes the experiments
    settings.py     what the user has set, as options of collect
    process.py      the state of a process, and calls into it
    program.py      the file of the program
    c_library.py    runs a thread out of the C library, where dlopen may not be called
    recording.py    begin, end, pause and sample a recording in a live process
    launch.py       programs that gdb starts
    kills.py        ends before kills
    events.py       what happens by itself: samples at stops, new starts
    show.py         settings, status and version as text
    commands.py     the commands
"""
