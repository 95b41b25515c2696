#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""views_difference.py PAGE EXPERIMENT... - compare the differences of experiments in the page with those of er_print."""
import re
import subprocess
import sys

from acts import all_rows, choose, report
from browser import Browser

ROWS = 'main .rows'


def er_print(experiments, *commands):
    return subprocess.run(['er_print', '-inline', 'on', '-limit', '0', *commands, *experiments],
                          check=True, capture_output=True, text=True).stdout


def figure(word):
    return float(word.rstrip('.')) if word.strip('+-0.') else 0


def values(experiments, flavor):
    """By function: the values in both."""
    found = {}
    for line in er_print(experiments, '-metrics', f'{flavor}.totalcpu:name', '-compare', 'on', '-functions').splitlines():
        match = re.match(r'\s*(\d+\.\d*)\s+(\d+\.\d*)\s+[*]?\s*(\S.*)$', line)
        if match:
            found[match[3]] = figure(match[1]), figure(match[2])
    return found


def named(experiments, flavor):
    """The functions that differ by more than chance."""
    text = er_print(experiments, '-metrics', f'{flavor}.totalcpu:name', '-compare', 'on', '-differences')
    return sorted(re.findall(r'\*(\S+)$', text, re.M))


def try_flavor(browser, experiments, flavor, letter):
    choose(browser, 'flavor', flavor)
    rows = all_rows(browser, ROWS)
    ours = {row[5]: (float(row[0]), float(row[1])) for row in rows if float(row[0]) or float(row[1])}
    theirs = {name: pair for name, pair in values(experiments, letter).items() if any(pair)}
    report([f'{name}: {ours.get(name)} {theirs.get(name)}' for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)],
           f'{flavor} values of both are those of er_print')
    stars = sorted(row[5] for row in rows if row[4])
    theirs = named([*experiments], letter)
    report([] if stars == theirs and stars else [stars, theirs], f'{flavor}: what differs is what er_print names: {" ".join(stars)}')


def main(page, *experiments):
    browser = Browser()
    try:
        browser.open(page, 'view=difference')
        try_flavor(browser, experiments, 'exclusive', 'e')
        try_flavor(browser, experiments, 'inclusive', 'i')
        browser.click('main input[type=checkbox]')
        rows = all_rows(browser, ROWS)
        report([] if rows and all(row[4] for row in rows) and browser.evaluate("state.get('significant')") == '1' else rows,
               'the others can be left out')
        browser.open(page, 'view=flame')
        browser.evaluate("document.querySelector('main canvas').focus()")
        browser.key('ArrowDown')
        text = browser.evaluate("document.querySelector('main .detail').textContent")
        report([] if re.search(r'\d+\.\d\d\d → \d+\.\d\d\d \([+-]\d+\.\d\d\d\)', text) else [text], 'the flame graph tells the change')
        colours = browser.evaluate('''[1, -1].map((sign) => {
            const view = page.view().view, list = view.boxes.filter(({ path }) => {
                const [first, other] = page.comparison().values(path); return sign * (other - first) > 0.5 * (first + other); });
            return [...new Set(list.map(({ path }) => page.comparison().colour(path)))].map((text) => text.match(/\\d+/g).map(Number)); })''')
        report([] if colours[0] and colours[1] and all(red > blue for red, _, blue in colours[0]) and
               all(red < blue for red, _, blue in colours[1]) else colours, 'more is orange, less is blue')
        browser.evaluate("document.querySelector('main input[type=checkbox]').click()")
        report([] if browser.evaluate("state.get('inverted')") == '1' else ['no'], 'so it is from the leaves')
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
