# SPDX-License-Identifier: Apache-2.0
"""What the programs that look at pages share."""
import json
import sys


def report(differences, text):
    """Print "good TEXT", or "bad TEXT" after some of the differences."""
    for difference in list(differences)[:10]:
        print('#', difference)
    print('bad' if differences else 'good', text)
    sys.stdout.flush()


def all_rows(browser, selector):
    """The cells of all rows of a table, by scrolling through them."""
    rows, place = {}, json.dumps(selector)
    browser.evaluate(f'document.querySelector({place}).scrollTop = 0')
    while True:
        browser.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        found = browser.evaluate(f'''[...document.querySelectorAll({json.dumps(selector + ' tbody tr:not(.space)')})].map((row) =>
            [row.getAttribute('aria-rowindex'), ...[...row.cells].map((cell) => cell.textContent)])''')
        rows.update({int(row[0]): row[1:] for row in found})
        if not browser.evaluate(f'''(() => {{ const rows = document.querySelector({place}); const top = rows.scrollTop;
                rows.scrollTop += rows.clientHeight; return rows.scrollTop > top; }})()'''):
            return [rows[key] for key in sorted(rows)]


def choose(browser, name, value):
    """Choose from a list by the id of its element."""
    browser.evaluate(f"""(() => {{ const list = document.getElementById('{name}'); list.value = '{value}';
        list.dispatchEvent(new Event('change')); }})()""")


def choose_half(browser, metric):
    """Choose the part of the run before the middle one of all cells of a metric; return the same as a filter of er_print."""
    end = browser.evaluate(f"""(() => {{ const {{ kind: {{ part }} }} = page.model.cells(page.model.metric('{metric}'));
        state.setRange([0, part[part.length >> 1] * page.model.timeUnit]); return state.range()[1]; }})()""")
    return '-filters', f'TSTAMP < {end}'
