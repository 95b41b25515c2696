#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py PAGE EXPERIMENT - act on a page as a person does, and compare its figures with those of er_print.

Prints "good TEXT" or "bad TEXT" for each thing that is tried, and differences with "# " before them."""
import re
import subprocess
import sys

from browser import Browser


TIMES = ('totalcpu', 'user', 'system', 'sync', 'ioreadtime', 'iowritetime', 'ioothertime', 'ioerrortime')


def report(differences, text):
    for difference in differences[:10]:
        print('#', difference)
    print('bad' if differences else 'good', text)
    sys.stdout.flush()


def figure(word, is_time):
    """The figure of a word of er_print as the page writes it, or None: a title."""
    if is_time and word == '0.':
        return '0.000'
    return word if re.fullmatch(r'-?\d+\.\d+' if is_time else r'-?\d+', word) else None


def shown(name):
    """The page cuts names that fit no line."""
    return name if len(name) <= 400 else name[:399] + '…'


def er_print(experiment, metrics, *commands):
    """The rows of a table of er_print that have a figure other than 0: figures, and a name."""
    lines = subprocess.run(
        ['er_print', '-inline', 'on', '-limit', '0', '-metrics', metrics + ':name', *commands, experiment],
        check=True, capture_output=True, text=True).stdout.splitlines()
    is_time = [name.split('.')[1] in TIMES for name in metrics.split(':')]
    count = len(is_time)
    rows = []
    for line in lines:
        words = line.split(None, count)
        figures = list(map(figure, words, is_time))
        if len(words) == count + 1 and None not in figures and any(float(text) for text in figures):
            rows.append((figures, shown(words[count])))
    return rows


def by_name(rows):
    """Rows of one name are told apart by their figures only."""
    sums = {}
    for figures, name in rows:
        sums.setdefault(name, []).append(figures)
    return {name: sorted(lists) for name, lists in sums.items()}


def compare(ours, theirs):
    """Rows of less than half of the last digit are in the page, too."""
    ours = by_name([row for row in ours if any(float(text) for text in row[0])])
    theirs = by_name(theirs)
    return [f'{name}: the page has {ours.get(name)}, er_print {theirs.get(name)}'
            for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]


def functions_of_page(browser):
    """All rows, by scrolling through them."""
    rows = {}
    browser.evaluate("document.querySelector('main .rows').scrollTop = 0")
    while True:
        browser.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        found = browser.evaluate('''[...document.querySelectorAll('main tbody tr:not(.space)')].map((row) =>
            [row.getAttribute('aria-rowindex'), ...[...row.cells].map((cell) => cell.textContent)])''')
        rows.update({row[0]: row[1:] for row in found})
        if not browser.evaluate('''(() => { const rows = document.querySelector('main .rows'); const top = rows.scrollTop;
                rows.scrollTop += rows.clientHeight; return rows.scrollTop > top; })()'''):
            return [([row[0], row[2]], row[4]) for row in rows.values()]


def figures_differ(browser, experiment, metric, *filters):
    if metric in TIMES:
        metrics = f'e.{metric}:i.{metric}'
        return compare(functions_of_page(browser), er_print(experiment, metrics, *filters, '-functions'))
    theirs = [([figures[0]], name) for figures, name in
              er_print(experiment, f'i.{metric}', *filters, '-functions')]
    return compare([([figures[1]], name) for figures, name in functions_of_page(browser)], theirs)


def metrics_of(browser):
    return browser.evaluate('page.model.metrics.map((metric) => metric.name)')


def choose_metric(browser, metric):
    browser.evaluate(f"""(() => {{ const list = document.getElementById('metric'); list.value = '{metric}';
        list.dispatchEvent(new Event('change')); }})()""")


def try_functions(browser, page, experiment):
    browser.open(page)
    browser.key('4')
    browser.wait_for("document.querySelector('main tbody tr:not(.space)')")
    report([] if browser.evaluate('page.model.kinds.length') == 4 else ['kinds are missing'],
           'the page has the clock, waits, the heap and I/O')
    for metric in metrics_of(browser):
        choose_metric(browser, metric)
        report(figures_differ(browser, experiment, metric), f'functions by {metric} are those of er_print')


def try_range(browser, page, experiment):
    browser.open(page, 'view=functions')
    browser.drag('.strip canvas', .2, .6)
    first, last = (round(float(text) * 1e9) for text in browser.evaluate("state.get('range')").split('-'))
    filters = '-filters', f'TSTAMP >= {first} && TSTAMP < {last}'
    parts = 0
    for metric in metrics_of(browser):
        choose_metric(browser, metric)
        report(figures_differ(browser, experiment, metric, *filters),
               f'{metric} in a range that was dragged is that of er_print')
        parts += browser.evaluate(f"""page.sums().all !== 0 && page.sums().all !==
            page.model.total({{ metric: page.model.metric('{metric}'), range: null, threads: null }})""")
    report([] if parts >= 4 else [f'{parts} metrics'], 'some of it is in the range, and some is not')
    browser.key('Escape')
    report([] if browser.evaluate("state.get('range')") is None else ['the range is still there'], 'Escape clears it')


def try_threads(browser, page, experiment):
    browser.open(page, 'view=lanes')
    threads = browser.evaluate('page.model.threads.map((thread) => thread.id)')
    browser.click('main canvas', .05, (13 + 26) / browser.place('main canvas')[3])
    chosen = threads[browser.evaluate('[...state.threads()][0]')]
    browser.key('4')
    browser.wait_for("document.querySelector('main tbody tr:not(.space)')")
    report(figures_differ(browser, experiment, 'totalcpu', '-thread_select', str(chosen)),
           'a thread that was clicked is that of er_print')
    browser.open(page, f'view=experiments&range=0.1-0.3')
    total, row = (browser.evaluate(text) for text in (
        'showTime(page.sums().all)', "document.querySelector('main tbody tr:not(.space) td.figure').textContent"))
    report([] if total == row else [total, row], 'experiments follow the range')


def peak_of(experiment):
    text = subprocess.run(['er_print', '-heapstat', experiment], check=True, capture_output=True, text=True).stdout
    return int(re.search(r'Heap size bytes +(\d+)', text)[1])


def try_lanes(browser, page, experiment):
    """The lanes add up to the metrics that they show, whatever the threads."""
    browser.open(page, 'view=lanes')
    found = browser.evaluate("""(() => {
        const lanes = page.view().view, all = {};
        page.model.threads.forEach((thread, i) => { for (const { name, sums } of lanes.useOf(i, 500))
            all[name] = (all[name] || 0) + sums.reduce((sum, value) => sum + value, 0); });
        return lanes.deeds.map(({ name, metrics }) => [name, metrics.length, all[name], metrics.reduce((sum, metric) =>
            sum + page.model.total({ metric, range: null, threads: null }), 0)]); })()""")
    wrong = [str(deed) for deed in found if abs(deed[2] - deed[3]) > 1e-6 * deed[3] or deed[3] == 0]
    report(wrong or ([] if [deed[0] for deed in found] == ['cpu', 'wait', 'io'] else found),
           'lanes show the time on a processor, of waiting and of I/O')
    colours = browser.evaluate("""(() => { const canvas = document.querySelector('main canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height), seen = new Set();
        for (let i = 0; i < data.length; i += 4) seen.add(data.slice(i, i + 3).join());
        return ['cpu', 'wait'].filter((name) => {
            const hex = colour(`use-${name}`).slice(1);
            return !seen.has([0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)).join()); }); })()""")
    report(colours, 'in colours of their own')
    heap = browser.evaluate("""(() => { const { levelMost, levelLast } = page.model.columns;
        const [{ peak, first, end }] = page.model.heaps().values();
        return [levelLast[end - 1], page.model.total({ metric: page.model.metric('heapleakbytes'), range: null, threads: null }),
            Math.max(...heapByTime(page.model, { experiment: 0, first, end }, 300)), peak]; })()""")
    report([] if heap[0] == heap[1] and heap[2] == heap[3] == peak_of(experiment) else heap + [peak_of(experiment)],
           'a lane of memory has the peak of er_print, and ends with what was leaked')


def try_callers(browser, page, experiment):
    browser.open(page, 'view=callers')
    name = browser.evaluate("document.querySelector('main strong').textContent")
    most = [row[1] for row in er_print(experiment, 'e.totalcpu', '-functions') if row[1] != '<Total>'][0]
    report([] if name == most else [name, most], 'without a choice, the function with the most is in the middle')
    browser.open(page, 'view=functions&search=work')
    browser.wait_for("document.querySelectorAll('main tbody tr:not(.space)').length > 1")
    browser.click('main tbody tr:nth-child(3) td:first-child')
    browser.wait_for("state.get('view') === 'callers'")
    name = browser.evaluate("document.querySelector('main strong').textContent")
    ours = [([row[0]], row[2]) for row in browser.rows('main table')]
    theirs = er_print(experiment, 'e.totalcpu', '-csingle', name, '1')
    report(compare([row for row in ours if row[1] != name], [row for row in theirs if row[1] != name]),
           f'callers and callees of {name} are those of er_print')


def try_flame(browser, page):
    browser.open(page, 'view=flame')
    total = browser.evaluate("document.querySelector('main .detail').textContent")
    browser.click('main canvas')	# focus, wherever it is
    browser.open(page, 'view=flame')
    browser.evaluate("document.querySelector('main canvas').focus()")
    browser.key('ArrowDown')
    below = browser.evaluate("document.querySelector('main .detail').textContent")
    browser.key('Enter')
    root = browser.evaluate("state.get('root')")
    browser.key('Backspace')
    report([] if total.startswith('<Total>') and below != total and root and browser.evaluate("state.get('root')") is None
           else [total, below, root], 'keys move through the flame graph, zoom in and out')
    browser.evaluate("state.set({ search: 'work' })")
    found = browser.evaluate("document.querySelector('main .found').textContent")
    report([] if re.fullmatch(r'found: \d+\.\d\d %', found) else [found], 'a search tells the share that it finds')
    browser.evaluate("document.querySelector('main input[type=checkbox]').click()")
    report([] if browser.evaluate("state.get('inverted')") == '1' else ['not inverted'], 'it is turned over')
    browser.evaluate("state.set({ colour: 'object', search: null })")
    legend = browser.evaluate("[...document.querySelectorAll('main .legend span')].map((entry) => entry.textContent)")
    objects = browser.evaluate("[...new Set(page.sums().functions().exclusive.map((value, i) => value > 0 && i > 0 ? i : 0))].slice(1).map("
                               "(number) => page.objectName(number) || words.noObject)")
    report([] if legend and set(legend) <= {*objects, 'all others'} and '<program>' in legend else [legend, objects],
           'the colours of load objects are told')


def try_own(browser, page):
    browser.open(page, 'view=functions')
    count = "Number(document.querySelector('main table').getAttribute('aria-rowcount'))"
    every = browser.evaluate(count)
    browser.evaluate("document.getElementById('own').click()")
    objects = {row[5] for row in browser.rows()}
    report([] if objects <= {'', '<program>', '<DYNAMIC_FUNCTIONS>'} and browser.evaluate(count) < every else [objects],
           'functions of libraries can be left out')


def try_link(browser, page):
    browser.open(page, 'view=functions&range=0.1-0.2&search=work')
    there = browser.evaluate('location.hash')
    shown = browser.rows()
    browser.open(page, there[1:])
    report([] if browser.rows() == shown and shown else [there], 'a link shows what its sender saw')
    browser.key('3')
    browser.evaluate('history.back()')
    browser.wait_for("state.get('view') === 'functions'")
    report([], 'Back returns to the view before')


def try_bytes(browser, page):
    """What the browser decodes is what the page does in an older one."""
    browser.open(page)
    report(browser.evaluate("""['', 'QQ==', 'QUI=', 'QUJDREVG', 'gIGC//79'].filter((text) =>
        decodeBase64Here(text).join() !== [...atob(text)].map((one) => one.charCodeAt(0)).join() ||
        decodeBase64(text).join() !== decodeBase64Here(text).join())"""), 'base64 is decoded')


def try_words(browser, page):
    browser.open(page, 'view=summary&language=ja&theme=dark')
    texts = browser.evaluate("[document.documentElement.lang, document.querySelector('nav a').textContent, "
                             "getComputedStyle(document.body).backgroundColor]")
    report([] if texts[:2] == ['ja', '概要'] and texts[2] == 'rgb(21, 24, 28)' else texts, 'Japanese, and dark')
    missing = browser.evaluate('Object.keys(WORDS.en).filter((key) => !(key in WORDS.ja))')
    report(missing, 'each word is there in Japanese')


def main(page, experiment):
    browser = Browser()
    try:
        try_functions(browser, page, experiment)
        try_range(browser, page, experiment)
        try_threads(browser, page, experiment)
        try_lanes(browser, page, experiment)
        try_callers(browser, page, experiment)
        try_flame(browser, page)
        try_own(browser, page)
        try_link(browser, page)
        try_bytes(browser, page)
        try_words(browser, page)
        for view in browser.evaluate('VIEWS.map(([name]) => name)'):
            browser.open(page, f'view={view}')
        report(browser.errors, 'no error in the console')
        report([url for url in browser.requests if not url.startswith('file:')], 'nothing is asked for outside')
    finally:
        browser.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
