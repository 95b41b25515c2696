#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""views_data.py PAGE EXPERIMENT - compare data objects and layouts in the page with those of er_print."""
import re
import subprocess
import sys

from acts import all_rows, choose_half, report
from browser import Browser

OBJECTS, LAYOUT = 'main .rows:nth-child(2)', 'main .rows:nth-child(4)'


def er_print(experiment, *commands):
    return subprocess.run(['er_print', '-limit', '0', '-data_metrics', 'd.page-faults:name', *commands, experiment],
                          check=True, capture_output=True, text=True).stdout


def rows(text):
    return [list(match) for match in re.findall(r'^ *(\d+) +(\S.*)$', text, re.M)]


def main(page, experiment):
    browser = Browser()
    try:
        browser.open(page, 'view=data')
        ours = [[row[0], row[2]] for row in all_rows(browser, OBJECTS)]
        theirs = rows(er_print(experiment, '-data_objects'))
        report([] if sorted(ours) == sorted(theirs) and ours else [row for row in ours if row not in theirs] +
               [row for row in theirs if row not in ours] or ['none'], 'data objects are those of er_print')
        filters = choose_half(browser, 'page-faults')
        half = [[row[0], row[2]] for row in all_rows(browser, OBJECTS)]
        theirs = [row for row in rows(er_print(experiment, *filters, '-data_objects')) if row[0] != '0']
        report([] if sorted(half) == sorted(theirs) and half != ours else [row for row in half if row not in theirs] +
               [row for row in theirs if row not in half] or ['none'], 'they follow a range')
        browser.evaluate('state.setRange(null)')
        layouts = er_print(experiment, '-data_layout')
        theirs = [[figure, *re.match(r'(\S) +(\d+) +(\d+) +(.*)$', text).groups()] for figure, text in rows(layouts)]
        browser.evaluate("state.set({ search: '{structure:node}' })")
        shown = [row[2] for row in browser.rows(OBJECTS)]
        browser.click(OBJECTS + f' tbody tr:nth-child({2 + shown.index("{structure:node}")}) td:nth-child(3)')
        ours = [[row[0], row[3], row[1], row[2], row[4]] for row in all_rows(browser, LAYOUT)]
        first = next((i for i, row in enumerate(theirs) if row[4] == '{structure:node}'), 0)
        report([] if ours == theirs[first:first + len(ours)] and len(ours) > 5 else [*zip(ours, theirs[first:])],
               'the layout of a structure is that of er_print')
        there = browser.evaluate('location.hash')
        browser.open(page, there[1:])
        report([] if [[row[0], row[3], row[1], row[2], row[4]] for row in all_rows(browser, LAYOUT)] == ours else [there],
               'a link shows the same one')
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
