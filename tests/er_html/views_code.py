#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""views_code.py PAGE EXPERIMENT - compare source and instructions in the page with those of er_print."""
import re
import subprocess
import sys

from acts import all_rows, choose, choose_half, report
from browser import Browser


def figure(word):
    return 0 if word == '0.' else float(word)


def er_print(experiment, command, name, *filters):
    """The lines of a listing: (exclusive, inclusive, line or None, text), without the figures that are missing."""
    output = subprocess.run(['er_print', '-inline', 'on', *filters, '-metrics', 'e.totalcpu:i.totalcpu',
                             '-' + command, name, experiment],
                            check=True, capture_output=True, text=True).stdout
    lines = []
    for line in output.splitlines():
        match = re.match(r'(?:##|  )\s+(\d+\.\d*)\s+(\d+\.\d*)\s+(\S.*)$', line)
        if match:
            lines.append((figure(match[1]), figure(match[2]), match[3]))
    return lines


def source_lines(experiment, name, *filters):
    found = {}
    for exclusive, inclusive, text in er_print(experiment, 'source', name, *filters):
        match = re.match(r'(\d+)\. (.*)$', text)
        if match:
            found[int(match[1])] = (exclusive, inclusive, match[2])
    return found


def with_values(lines):
    return {key: value for key, value in lines.items() if value[0] or value[1]}


def page_lines(browser):
    return {int(row[4]): (float(row[0] or 0), float(row[2] or 0), row[5])
            for row in all_rows(browser, 'main .rows') if row[4].isdigit()}


def differences(ours, theirs):
    ours, theirs = with_values(ours), with_values(theirs)
    plain = lambda line: line and (line[0], line[1], ' '.join(line[2].split()))
    return [f'{key}: the page has {ours.get(key)}, er_print {theirs.get(key)}'
            for key in sorted(set(ours) | set(theirs)) if plain(ours.get(key)) != plain(theirs.get(key))]


def number_of(browser, name):
    return browser.evaluate(f"page.names.indexOf('{name}')")


def try_source(browser, page, experiment):
    browser.open(page, 'view=code')
    choose(browser, 'code', number_of(browser, 'work'))
    ours = page_lines(browser)
    report(differences(ours, source_lines(experiment, 'program.c')), 'lines of the source are those of er_print')
    text = [line[2] for line in ours.values() if 'markup' in line[2]]
    report([] if text == [' ' * 24 + 'sum += squared(i);      /* a tab, then <b>markup</b> */'] else text,
           'the text of the source is text, its tabs are blanks')
    ours = all_rows(browser, 'main .rows')
    report([] if any(row[5] == '<Function: recursive>' for row in ours) else ours, 'functions have a heading')
    unseen = [line for line in range(1, max(int(row[4]) for row in ours if row[4].isdigit()))
              if str(line) not in [row[4] for row in ours]]
    report([] if not unseen or any(row[5] == '⋯' for row in ours) else unseen, 'what is left out is marked')
    choose(browser, 'code', number_of(browser, 'squared'))
    report(differences(page_lines(browser), source_lines(experiment, 'inlined.h')),
           'so are those of a function that was inlined')


def try_instructions(browser, page, experiment):
    browser.open(page, f'view=code&focus={0}')
    for name in 'work', 'recursive':
        choose(browser, 'code', number_of(browser, name))
        choose(browser, 'code-kind', 'disasm')
        ours = [(float(row[0]), float(row[2]), ' '.join(row[5].split())) for row in all_rows(browser, 'main .rows')
                if row[4].startswith('[')]
        theirs = [(exclusive, inclusive, ' '.join(re.sub(r'^\[.*?\]', '', text).split()))
                  for exclusive, inclusive, text in er_print(experiment, 'disasm', name) if text.startswith('[')]
        report([] if ours == theirs and ours else [pair for pair in zip(ours, theirs) if pair[0] != pair[1]] or [len(ours), len(theirs)],
               f'the instructions of {name} are those of er_print')


def try_range(browser, page, experiment):
    browser.open(page, 'view=code')
    choose(browser, 'code', number_of(browser, 'work'))
    whole = page_lines(browser)
    filters = choose_half(browser, 'totalcpu')
    ours = page_lines(browser)
    report(differences(ours, source_lines(experiment, 'program.c', *filters)) or ([whole] if with_values(ours) in ({}, with_values(whole)) else []),
           'lines of the source follow a range')


def try_keys(browser, page):
    browser.open(page, 'view=functions')
    number = [name for name in browser.evaluate('page.offered.map(([name]) => name)')].index('code') + 1
    browser.key(str(number))
    choose(browser, 'code', number_of(browser, 'work'))
    browser.evaluate("document.querySelector('main .rows').focus()")
    browser.key('n')
    first = browser.evaluate("document.querySelector('main tr.current')?.className")
    report([] if first == 'hot current' else [first], 'N goes to a line with much of the metric')
    said = browser.evaluate('status.textContent')
    browser.key('ArrowDown')
    report([] if browser.evaluate('status.textContent') not in ('', said) else [said], 'the line that is reached is announced')
    state = browser.evaluate('location.hash')
    shown = browser.rows()
    browser.open(page, state[1:])
    report([] if browser.evaluate("document.querySelector('main .rows').getAttribute('role')") == 'region' and shown else [state],
           'the view has a role and a state')


def main(page, experiment):
    browser = Browser()
    try:
        try_source(browser, page, experiment)
        try_instructions(browser, page, experiment)
        try_range(browser, page, experiment)
        try_keys(browser, page)
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
