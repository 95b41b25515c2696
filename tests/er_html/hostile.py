#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile.py PAGE TAG - look at a page whose names are hostile. Prints "good TEXT" or "bad TEXT"."""
import sys

from browser import Browser


def report(is_good, text, found=''):
    if not is_good:
        print('#', found)
    print('good' if is_good else 'bad', text)
    sys.stdout.flush()


def main(page, tag):
    browser = Browser()
    try:
        browser.open(page.replace('<', '%3C').replace('>', '%3E'), 'view=functions')
        browser.wait_for("document.querySelectorAll('main tbody tr:not(.space)').length > 3")
        names = [row[4] for row in browser.rows()]
        report(tag in names, 'a name that is markup is text', names)
        report('safe\\u{202e}elif\\u{202c}' in names, 'a mark that turns the text is shown', names)
        report(any(name.startswith('broken\ufffd') for name in names), 'what is not UTF-8 is replaced', names)
        browser.open(page.replace('<', '%3C').replace('>', '%3E'), 'view=summary')
        text = browser.evaluate("document.querySelector('main').textContent")
        report(text.count(tag) >= 2, 'so are the notes and the command', text)
        address, file = page.replace('<', '%3C').replace('>', '%3E'), '<img src=x onerror=window.hacked=5>'
        browser.open(address, 'view=code')
        browser.evaluate("state.set({ code: 'source', focus: page.names.indexOf('main') })")
        text = browser.evaluate("document.querySelector('main').textContent")
        report(f'/* {tag} */' in text, 'so is the text of the source', text)
        report(f'{file}.c' in text, 'so is the name of its file', text)
        browser.open(address, 'view=io')
        text = browser.evaluate("document.querySelector('main').textContent")
        report(file in text and f'{file}.c:' in text, 'so is the name of a file that was written, and those in its stack', text)
        browser.evaluate("state.set({ 'io-by': 'function' })")
        for view in browser.evaluate('VIEWS.map(([name]) => name)'):
            browser.open(page.replace('<', '%3C').replace('>', '%3E'), f'view={view}&search={tag}&focus=3')
        report(browser.evaluate('window.hacked') is None, 'nothing of it is executed')
        report(browser.evaluate("document.querySelector('main img, main b, main script')") is None, 'nothing is an element')
        report(not browser.errors, 'no error in the console', browser.errors)
        browser.evaluate("document.body.append(Object.assign(document.createElement('script'), "
                         "{ textContent: 'window.hacked = 4' }))")
        report(browser.evaluate('window.hacked') is None, 'the policy holds back a script that was put in')
    finally:
        browser.close()


main(*sys.argv[1:])
