#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""large.py PAGE EXPERIMENT - compare ranges of a page whose events are known by part of the run with er_print."""
import sys

from browser import Browser
from page import figures_differ, report


def main(page, experiment):
    browser = Browser()
    try:
        browser.open(page, 'view=functions')
        unit = browser.evaluate('page.model.timeUnit')
        report([] if unit > 1 else [f'{unit} ns'], 'events are known by part of the run')
        for start, end in ((.2, .6), (.50001, .9)):
            browser.drag('.strip canvas', start, end)
            first, last = (round(float(text) * 1e9) for text in browser.evaluate("state.get('range')").split('-'))
            report([] if first % unit == last % unit == 0 and first < last else [first, last],
                   'a range that was dragged has whole parts')
            report(figures_differ(browser, experiment, 'totalcpu', '-filters', f'TSTAMP >= {first} && TSTAMP < {last}'),
                   'its figures are those of er_print')
        browser.evaluate("state.set({ range: '0-0.000000001' })")
        report([] if browser.evaluate('state.range().join()') == f'0,{unit}' else [browser.evaluate('state.range()')],
               'a range has at least one part')
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
