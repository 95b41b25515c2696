#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""consumers.py FORMAT FILE METRIC - the same as consumers.mjs, of what speedscope shows in Chromium. Without operands: print
what is missing for it, or nothing."""
import os
import re
import sys
from collections import defaultdict

TOP = os.environ['TOP']
sys.path.insert(0, os.path.join(TOP, 'tests/er_html'))
PLACES = [place for place in os.environ.get('NODE_PATH', '').split(':') if place]
PLACES += ['/usr/local/lib/node_modules', '/usr/lib/node_modules']
MS_OF = {'ns': 1e-6, 'µs': 1e-3, 'us': 1e-3, 'ms': 1, 's': 1000, 'm': 60_000, 'min': 60_000}


def show(exclusive, inclusive, digits=3):
    for name in sorted(set(exclusive) | set(inclusive)):
        figures = exclusive.get(name, 0), inclusive.get(name, 0)
        if any(figures):
            print('%s\t%.*f\t%.*f' % (name, digits, figures[0], digits, figures[1]))


def to_ms(text):
    """1.25s (12%)"""
    number, unit = re.match(r'([\d.,]+) ?([^\W\d]+)', text).groups()
    return float(number.replace(',', '')) * MS_OF[unit]


def speedscope(path):
    """Its sandwich view is a table of functions, for one profile at a time."""
    import base64
    import json
    from browser import Browser
    with open(path, 'rb') as file:
        content = base64.b64encode(file.read()).decode()
    page = os.path.join(place_of_speedscope(), 'dist/release/index.html')
    exclusive, inclusive = defaultdict(float), defaultdict(float)
    browser = Browser()
    try:
        browser.call('Page.navigate', url=f'file://{page}#localProfilePath=/dev/null')
        browser.wait_for('window.speedscope')
        browser.evaluate(f'speedscope.loadFileFromBase64({json.dumps(os.path.basename(path))}, {json.dumps(content)})')
        browser.wait_for("document.body.textContent.includes('Sandwich')")
        browser.key('3')
        profiles = browser.evaluate(r"Number((/\(1\/(\d+)\)/.exec(document.body.textContent) || [0, 1])[1])")
        for number in range(profiles):
            browser.wait_for(f"{profiles} === 1 || document.body.textContent.includes('({number + 1}/{profiles})')")
            browser.wait_for("document.querySelectorAll('td').length > 3")
            for row in browser.evaluate("""[...document.querySelectorAll('tr')].map((row) =>
                    [...row.cells].map((cell) => cell.textContent)).filter((cells) => /[\\d.]+.?s? \\(/.test(cells[0]))"""):
                inclusive[row[2]] += to_ms(row[0])
                exclusive[row[2]] += to_ms(row[1])
            browser.key('n')
    finally:
        browser.close()
    show(exclusive, inclusive)


def place_of_speedscope():
    return next((place for place in (os.path.join(root, 'speedscope') for root in PLACES) if os.path.isdir(place)), None)


def missing():
    from browser import find
    if not place_of_speedscope():
        return 'speedscope of npm'
    return '' if find() else 'Chromium'


if len(sys.argv) == 1:
    print(missing())
else:
    speedscope(sys.argv[2])
