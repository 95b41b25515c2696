#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""views_subjects.py PAGE EXPERIMENT - compare locks and files of several threads with er_print, for each thread alone."""
import re
import subprocess
import sys

from acts import all_rows, report
from browser import Browser

LIST = 'main .traced > .rows'


def er_print(experiment, *commands):
    return subprocess.run(['er_print', '-limit', '0', *commands, experiment], check=True, capture_output=True, text=True).stdout


def files(experiment, *filters):
    found = re.findall(r'^\s*(\d+)\s+((?:\S*/)?file\d+)\b', er_print(experiment, *filters, '-metrics', 'e.iowritecnt:name', '-ioactivity'), re.M)
    return {name: int(count) for count, name in found if count != '0'}


def locks(experiment, *filters):
    found = re.findall(r'^\s*(\d+)\s+Locks.*?0x0*([0-9a-f]+)',
                       er_print(experiment, *filters, '-metrics', 'e.syncn:name', '-indxobj_define', 'Locks', 'SOBJ', '-indxobj', 'Locks'), re.M)
    return {'0x' + name: int(count) for count, name in found if count != '0'}


def shown(browser, view, metric, wanted):
    browser.evaluate(f"state.set({{ view: '{view}' }})")
    column = browser.evaluate(f"page.view().view.metrics.findIndex((metric) => metric.name === '{metric}')")
    rows = [(re.sub(r' \(\w+\)$', '', row[-1]), int(row[column])) for row in all_rows(browser, LIST)]
    return {name: count for name, count in rows if re.search(wanted, name) and count > 0}


def differences(browser, experiment, *filters):
    pairs = [(shown(browser, 'io', 'iowritecnt', r'file\d+$'), files(experiment, *filters)),
             (shown(browser, 'locks', 'syncn', '^0x'), locks(experiment, *filters))]
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs]


def main(page, experiment):
    browser = Browser()
    try:
        browser.open(page)
        report(differences(browser, experiment) or ([] if len(files(experiment)) == 12 else [files(experiment)]), 'files and locks of several threads are those of er_print')
        wrong, used = [], 0
        threads = browser.evaluate('page.model.threads.map((thread) => thread.id)')
        for number, thread in enumerate(threads):
            browser.evaluate(f'state.setThreads(new Set([{number}]))')
            wrong += differences(browser, experiment, '-thread_select', str(thread))
            used += len(shown(browser, 'io', 'iowritecnt', r'file\d+$')) == 12
        report(wrong or ([] if used == 6 else [f'{used} threads write to all files']), 'so are those of each thread')
        browser.evaluate("state.set({ view: 'lanes', threads: '999' })")
        report([] if browser.evaluate('page.sums().all > 0') else ['nothing'], 'a link with a thread that is not there shows all')
        report(browser.errors, 'no error in the console')
    finally:
        browser.close()


main(*sys.argv[1:])
