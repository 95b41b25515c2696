#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prompt.py NAME - check one fact about er_print on a terminal, with shape.er in the current directory; the
reason of a failure is on standard error."""
import os
import signal
import stat
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from terminal import Terminal  # noqa: E402

PROMPT = "(er_print) "
HISTORY = "home/.local/state/erkit/er_print_history"


def start(*words, **options):
    os.makedirs("home", exist_ok=True)
    options.setdefault("HOME", os.path.abspath("home"))
    options.setdefault("XDG_STATE_HOME", "")
    options.setdefault("PAGER", "cat")
    terminal = Terminal("er_print", *(words or ("shape.er",)), **options)
    terminal.until(PROMPT)
    return terminal


def run(terminal, command):
    """What a command shows."""
    terminal.type(command + "\n")
    terminal.until("\n")
    return terminal.until(PROMPT)[: -len(PROMPT)]


def leave(terminal):
    terminal.type("\x04")
    expect(terminal.end(), 0)


def expect(got, wanted):
    if got != wanted:
        sys.exit("got %r instead of %r" % (got, wanted))


def expect_in(part, whole):
    if part not in whole:
        sys.exit("no %r in %r" % (part, whole))


def typed(terminal, keys, completed):
    """Type keys, and expect the line to end as given; then clear it."""
    terminal.type(keys)
    terminal.until(completed)
    terminal.type("\x03")
    terminal.until("^C")
    terminal.until(PROMPT)


# ---- lines ----


def commands_run():
    terminal = start()
    expect_in("Functions sorted by metric", run(terminal, "FUNC # comment"))
    expect(run(terminal, ""), "")
    expect(run(terminal, "bogus"), "er_print: unknown command 'bogus'\n")
    leave(terminal)


def a_line_is_continued():
    terminal = start()
    terminal.type("limit \\\n")
    terminal.until("> ")
    expect(run(terminal, "7"), "Print limit set to 7\n")
    leave(terminal)


def a_line_is_edited():
    terminal = start()
    terminal.type("7\x01limit 1\x02\x04")  # to the begin, type, one left, delete
    expect(run(terminal, ""), "Print limit set to 7\n")
    leave(terminal)


def quit_ends():
    terminal = start()
    terminal.type("quit\n")
    expect(terminal.end(), 0)


# ---- history ----


def history_is_kept():
    terminal = start()
    run(terminal, "limit 3")
    run(terminal, "version")
    leave(terminal)
    expect(stat.S_IMODE(os.stat(HISTORY).st_mode), 0o600)
    expect(stat.S_IMODE(os.stat(os.path.dirname(HISTORY)).st_mode), 0o700)
    terminal = start()
    expect(run(terminal, "\x1b[A\x1b[A"), "Print limit set to 3\n")
    leave(terminal)


def history_is_where_xdg_says():
    os.makedirs("state", exist_ok=True)
    terminal = start(XDG_STATE_HOME=os.path.abspath("state"))
    run(terminal, "limit 5")
    leave(terminal)
    expect(open("state/erkit/er_print_history").read(), "limit 5\n")


def runs_at_the_same_time_keep_all():
    first, second = start(), start()
    for i in range(3):
        run(first, "limit 1%d" % i)
        run(second, "limit 2%d" % i)
    os.kill(first.child, signal.SIGKILL)
    first.end()
    leave(second)
    for i in (10, 11, 12, 20, 21, 22):
        expect_in("limit %d\n" % i, open(HISTORY).read())


def a_long_history_is_shortened():
    start_with_history("".join("limit %d\n" % i for i in range(5000)))
    lines = open(HISTORY).read().split("\n")
    expect((len(lines), lines[0], lines[-2]), (1001, "limit 4000", "limit 4999"))


def start_with_history(text):
    os.makedirs(os.path.dirname(HISTORY), mode=0o700)
    open(HISTORY, "w").write(text)
    leave(start())


def a_shared_history_becomes_private():
    start_with_history("limit 1\n")
    expect(stat.S_IMODE(os.stat(HISTORY).st_mode), 0o600)


def an_own_link_is_followed():
    os.makedirs(os.path.dirname(HISTORY), mode=0o700)
    os.symlink(os.path.abspath("elsewhere"), HISTORY)
    terminal = start()
    run(terminal, "limit 4")
    leave(terminal)
    expect(open("elsewhere").read(), "limit 4\n")


def a_foreign_link_is_not_followed():
    os.makedirs(os.path.dirname(HISTORY), mode=0o700)
    os.symlink(os.path.abspath("elsewhere"), HISTORY)
    os.lchown(HISTORY, 65534, 65534)
    terminal = start()
    expect(run(terminal, "limit 4"), "Print limit set to 4\n")
    leave(terminal)
    expect(os.path.exists("elsewhere"), False)


def nothing_is_kept_in_a_foreign_home():
    os.makedirs("home")
    open("home/.editrc", "w").write("bind ^A ed-delete-next-char\n")
    os.chown("home", 65534, 65534)
    terminal = start()
    expect(run(terminal, "4\x01limit "), "Print limit set to 4\n")
    leave(terminal)
    expect(os.listdir("home"), [".editrc"])


def a_fifo_is_no_history():
    os.makedirs(os.path.dirname(HISTORY), mode=0o700)
    os.mkfifo(HISTORY)
    terminal = start()
    expect(run(terminal, "limit 4"), "Print limit set to 4\n")
    leave(terminal)


# ---- completion ----


def commands_are_completed():
    terminal = start()
    typed(terminal, "fsi\t", "fsingle ")
    typed(terminal, "CALL\t", "callers-callees ")
    typed(terminal, "help met\t\t", "metric_list  metrics")
    typed(terminal, "ex\t", "exit             exp_list         experiment_list")
    leave(terminal)


def arguments_are_completed():
    terminal = start()
    typed(terminal, "fsingle lea\t", "leaf_")
    typed(terminal, "csingle leaf_w\t", "leaf_with_a_long_name ")
    typed(terminal, "metrics e.us\t", "e.user")
    typed(terminal, "metrics i.user:e.%sy\t", "i.user:e.%system")
    typed(terminal, "sort -i.us\t", "-i.user ")
    typed(terminal, "metrics siz\t", "size")
    typed(terminal, "name ma\t:so\t", "mangled:soname ")
    typed(terminal, "printmode t\t", "text ")
    typed(terminal, "header a\t", "all ")
    typed(terminal, "drop_exp sh\t", "shape.er ")
    typed(terminal, "en_desc of\t", "off ")
    typed(terminal, "filters THR\t", "THRID")
    typed(terminal, "filters THRID==1&&SAMPLE_\t", "THRID==1&&SAMPLE_MAP")
    typed(terminal, "filters THRID > 1 && CPU\t", "CPUID")
    typed(terminal, "indxobj_define Mine TSTAMP_L\t", "TSTAMP_LO")
    leave(terminal)


def files_are_completed():
    os.makedirs("deep/inner")
    open("deep/inner/a file", "w").write("version\n")
    open("deep/inner/a \033file", "w").close()  # is not offered
    terminal = start()
    expect_in("er_print (erkit)", run(terminal, "script deep/i\ta\t"))
    typed(terminal, 'script "deep/inner/a f\t', '"deep/inner/a file" ')
    leave(terminal)


def nothing_fits():
    terminal = start()
    typed(terminal, "bogus x\t\t", "\a")
    leave(terminal)


# ---- pager ----


def long_output_is_paged():
    terminal = start(PAGER="echo paged; cat", rows=12)
    expect_in("paged\nCurrent metrics", run(terminal, "metric_list"))
    leave(terminal)


def pages(command, rows, **options):
    """Whether a command's output goes through the pager."""
    terminal = start(rows=rows, PAGER="cat >paged", **options)
    run(terminal, command)
    leave(terminal)
    was_paged = os.path.exists("paged")
    if was_paged:
        os.remove("paged")
    return was_paged


def only_long_output_is_paged():
    terminal = start()
    lines = run(terminal, "functions").count("\n")
    leave(terminal)
    expect(pages("functions", lines), True)
    expect(pages("functions", lines + 1), False)
    expect(pages("limit 3", 2), False)


def the_screen_may_be_narrow():
    expect(pages("functions", 60, columns=8), True)


def files_are_not_paged():
    terminal = start(PAGER="cat >paged", rows=3)
    expect(run(terminal, "outfile list"), "")
    expect(run(terminal, "functions"), "")
    expect(run(terminal, "outfile -"), "")
    leave(terminal)
    expect(os.path.exists("paged"), False)
    expect_in("Functions sorted", open("list").read())


def the_pager_can_be_left():
    terminal = start(PAGER="head -n 1", rows=5)
    make_long_script("long", "functions", 3000)
    expect(run(terminal, "script long").count("\n"), 1)
    expect(run(terminal, "limit 3"), "Print limit set to 3\n")
    leave(terminal)


def without_a_pager_all_is_shown():
    for pager in ("", "cat"):
        terminal = start(PAGER=pager, rows=3)
        expect_in("top_two", run(terminal, "functions"))
        leave(terminal)


def a_missing_pager_is_survived():
    terminal = start(PAGER="/nonexistent/pager", rows=3)
    expect_in("/nonexistent/pager", run(terminal, "functions"))
    expect(run(terminal, "limit 3"), "Print limit set to 3\n")
    leave(terminal)


def an_error_comes_after_the_output():
    open("both", "w").write("version\nbogus\n")
    terminal = start(PAGER="cat")
    shown = run(terminal, "script both")
    expect(shown.split("\n")[1], "er_print: unknown command 'bogus'")
    leave(terminal)


def less_leaves_short_texts():
    terminal = start(PAGER="echo $LESS; cat", rows=5)
    expect_in("FRX\n", run(terminal, "functions"))
    leave(terminal)


# ---- interrupts ----


def make_long_script(name, command, times=1):
    with open(name, "w") as script:
        script.write((command + "\n") * times)


def an_interrupt_clears_the_line():
    terminal = start()
    terminal.type("limit 9\x03")
    terminal.until("^C")
    terminal.until(PROMPT)
    terminal.type("limit \\\n")
    terminal.until("> ")
    terminal.type("3\x03")
    terminal.until(PROMPT)
    expect(run(terminal, "limit"), "Print limit set to 0\n")
    leave(terminal)


def an_interrupt_stops_the_command():
    # 4 to the power of 15 lines: no machine comes to their end.
    make_long_script("loop", "limit 1\nscript loop", 4)
    terminal = start()
    terminal.type("script loop\n")
    terminal.until("Print limit set to 1\n".replace("\n", "\r\n"))
    terminal.type("\x03")
    terminal.until("er_print: interrupted")
    terminal.until(PROMPT)
    expect(run(terminal, "limit 3"), "Print limit set to 3\n")
    expect_in("Functions sorted", run(terminal, "functions"))
    leave(terminal)


def a_signal_ends_the_program():
    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal = start()
        os.kill(terminal.child, number)
        expect(terminal.end(), -number)


globals()[sys.argv[1]]()
