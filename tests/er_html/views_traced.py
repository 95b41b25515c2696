#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""views_traced.py PAGE EXPERIMENT - compare locks, files and the heap in the page with er_print."""
import re
import subprocess
import sys

from acts import all_rows, choose, choose_half, report
from browser import Browser

LIST, STACKS, FRAMES = 'main .traced > .rows', 'main .below .rows:first-child', 'main .below .rows:last-child'


def er_print(experiment, *commands):
    return subprocess.run(['er_print', '-inline', 'on', '-limit', '0', *commands, experiment],
                          check=True, capture_output=True, text=True).stdout


def figure(word):
    """As the page writes it: seconds have three digits after the point."""
    return '0.000' if word == '0.' else f'{float(word):.3f}' if '.' in word else word


def table(text, count):
    """The rows of a table of er_print, as figures and a name."""
    rows = []
    for line in text.splitlines():
        words = line.split(None, count)
        if len(words) == count + 1 and all(re.fullmatch(r'-?\d+(\.\d*)?', word) for word in words[:count]):
            rows.append([*map(figure, words[:count]), words[count]])
    return rows


def compare(ours, theirs):
    ours, theirs = sorted(ours), sorted(theirs)
    return [] if ours == theirs and ours else [row for row in ours if row not in theirs] + [row for row in theirs if row not in ours] or [
        len(ours), len(theirs)]


def stacks(text):
    """The frames of each stack in a list of er_print, with the figures before them."""
    found = []
    for part in re.split(r'\n(?=Stack 0x)', text)[1:]:
        lines = part.splitlines()
        figures = [line for line in lines[1:] if not line.startswith('  ')]
        frames = [line.strip() for line in lines if line.startswith('  ')]
        found.append((figures, frames))
    return found


def function_of(frame):
    return re.sub(r' \+ 0x.*', '', frame)


def locks(browser):
    return [[row[0], row[1], row[2].removeprefix('0x')] for row in all_rows(browser, LIST)]


def er_print_locks(experiment, *filters):
    rows = table(er_print(experiment, *filters, '-metrics', 'e.sync:e.syncn:name', '-indxobj_define', 'Locks', 'SOBJ', '-indxobj', 'Locks'), 2)
    return [[*row[:2], re.search(r'0x0*([0-9a-f]+)', row[2])[1]] for row in rows
            if row[2].startswith('Locks') and (row[0] != '0.000' or row[1] != '0')]


def try_locks(browser, page, experiment):
    browser.open(page, 'view=locks')
    whole = locks(browser)
    report(compare(whole, er_print_locks(experiment)), 'locks are those of er_print')
    filters = choose_half(browser, 'syncn')
    ours = locks(browser)
    report(compare(ours, er_print_locks(experiment, *filters)) or ([whole] if ours == whole else []), 'they follow a range')
    report([] if sum(int(row[1]) for row in all_rows(browser, STACKS)) == int(browser.rows(LIST)[0][1]) else browser.rows(LIST),
           'so do their stacks')
    browser.evaluate('state.setRange(null)')
    lock = browser.rows(LIST)[0]
    report([] if sum(int(row[1]) for row in all_rows(browser, STACKS)) == int(lock[1]) else [lock, all_rows(browser, STACKS)],
           'the stacks of the first lock have all of its waits')
    browser.click(LIST + ' tbody tr:nth-child(3) td:last-child')
    other = browser.rows(LIST)[1]
    report([] if browser.evaluate("state.get('locks-item')") and
           sum(int(row[1]) for row in all_rows(browser, STACKS)) == int(other[1]) else [other], 'a click shows those of another one')
    stacks = []
    for number in range(len(whole)):
        browser.evaluate(f"state.set({{ 'locks-item': '{number}', 'locks-stack': null }})")
        stacks.append([row[0] for row in browser.rows(FRAMES)])
    report([] if any({'use', 'wait_for'} <= set(frames) for frames in stacks) else stacks, 'the frames of a stack are below')
    choose(browser, 'locks-by', 'function')
    theirs = table(er_print(experiment, '-metrics', 'i.sync:i.syncn:name', '-functions'), 2)
    theirs = [row for row in theirs if row[2] != '<Total>' and row[1] != '0']
    report(compare(all_rows(browser, LIST), theirs), 'waits by function are those of er_print')


def files(browser):
    return [[*row[:-1], re.sub(r' \((\w+)\)$', r' (FS=\1)', row[-1])] for row in all_rows(browser, LIST)]


def er_print_files(experiment, metrics, *filters):
    text = er_print(experiment, *filters, '-metrics', ':'.join('e.' + name for name in metrics) + ':name', '-ioactivity')
    return [row for row in table(text, len(metrics)) if row[-1] != '<Total>']


def try_files(browser, page, experiment):
    browser.open(page, 'view=io')
    metrics = browser.evaluate('page.view().view.metrics.map((metric) => metric.name)')
    report([name for name in metrics if not name.startswith(('iowrite', 'ioother'))], 'metrics of what did not happen are left out')
    whole = files(browser)
    report(compare(whole, er_print_files(experiment, metrics)), 'files are those of er_print')
    filters = choose_half(browser, 'iowritecnt')
    ours = files(browser)
    report(compare(ours, er_print_files(experiment, metrics, *filters)) or ([whole] if ours == whole else []), 'they follow a range')
    browser.evaluate('state.setRange(null)')
    browser.evaluate("state.set({ search: 'much' })")
    browser.wait_for(f"document.querySelectorAll('{LIST} tbody tr:not(.space)').length === 1")
    frames = [row[0] for row in browser.rows(FRAMES)]
    report([] if frames[:3] == ['write', 'transfer', 'main'] else frames, 'the stack of a file is below')


def er_print_blocks(found):
    rows = []
    for figures, frames in found:
        text = ' '.join(figures)
        allocated = re.search(r'Instances = (\d+)  Bytes Allocated = (\d+)', text)
        leaked = re.search(r'Instances = (\d+)  Bytes Leaked = (\d+)', text)
        rows.append([*(allocated[2], allocated[1]), *((leaked[2], leaked[1]) if leaked else ('0', '0'))])
    return rows


def try_heap(browser, page, experiment):
    browser.open(page, 'view=heap')
    found = stacks(er_print(experiment, '-heap'))
    whole = [row[:4] for row in all_rows(browser, LIST)]
    report(compare(whole, er_print_blocks(found)), 'allocations and leaks by call stack are those of er_print')
    filters = choose_half(browser, 'heapalloccnt')
    ours = [row[:4] for row in all_rows(browser, LIST)]
    report(compare(ours, er_print_blocks(stacks(er_print(experiment, *filters, '-heap')))) or ([whole] if ours == whole else []),
           'they follow a range')
    browser.evaluate('state.setRange(null)')
    browser.evaluate("state.set({ search: '/^allocate$/' })")
    browser.wait_for(f"document.querySelectorAll('{LIST} tbody tr:not(.space)').length === 2")
    browser.evaluate("document.querySelector('main .traced > .rows').focus()")
    browser.key('ArrowDown')
    browser.key('Enter')
    chosen = browser.evaluate("state.get('heap-item')")
    frames = [row[0] for row in browser.rows(FRAMES)]
    report([] if chosen and frames and frames in [list(map(function_of, stack[1])) for stack in found] else [chosen, frames],
           'Enter shows the frames of a stack, which are those of er_print')
    report([] if browser.evaluate("document.querySelector('main tr[aria-current]')") is not None else ['none'], 'it is marked')
    peak = re.search(r'Peak.*?(\d+)', er_print(experiment, '-heapstat'), re.S)
    report([] if 'Peak' in browser.evaluate("document.querySelector('main .detail').textContent") else [peak], 'the peak is told')
    there = browser.evaluate('location.hash')
    browser.open(page, there[1:])
    report([] if [row[0] for row in browser.rows(FRAMES)] == frames else [there], 'a link shows the same stack')
    browser.click(FRAMES + ' tbody tr:nth-child(3) td:first-child')
    opened = browser.evaluate("[state.get('view'), state.get('metric'), document.querySelector('main strong').textContent]")
    report([] if opened == ['callers', 'heapleakbytes', 'allocate'] else opened,
           'a frame opens the callers of its function, with the metric of the list')


def try_links(browser, page):
    browser.open(page, "view=heap&search=/^allocate$/")
    frames = browser.rows(FRAMES)
    current = browser.evaluate(f"document.querySelector('{FRAMES} tr.current').cells[0].textContent")
    report([] if current == 'allocate' else [current], "the first frame of the program is the current one")
    place = next(row[1] for row in frames if row[0] == 'allocate')
    browser.evaluate(f"[...document.querySelectorAll('{FRAMES} a')].find((link) => link.textContent === '{place}').click()")
    browser.wait_for("state.get('view') === 'code'")
    line = browser.evaluate("document.querySelector('main tr.current').cells[4].textContent")
    report([] if place.endswith(f'program.c:{line}') else [place, line], 'the source of a frame leads to its line')
    report([] if browser.evaluate(f"document.querySelectorAll('{FRAMES} a').length") == 0 else ['still there'], 'in the view of code')


def try_sentences(browser, page):
    browser.open(page, 'view=summary')
    told = browser.evaluate("[...document.querySelectorAll('.finding')].map((one) => one.textContent)")
    expected = [r'Where the time went: .* in squared\.', r'What waited: .* in pthread_\w+, called for (use|main)\.',
                r'What leaked: .* in malloc, called for allocate\.']
    report([pair for pair in zip(told, expected) if not re.fullmatch(pair[1], pair[0])] if len(told) == 3 else told,
           'the first view says where the time went, what waited and what leaked')


def main(page, experiment):
    browser = Browser()
    try:
        try_locks(browser, page, experiment)
        try_files(browser, page, experiment)
        try_heap(browser, page, experiment)
        try_links(browser, page)
        try_sentences(browser, page)
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
