# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, driven over a pipe: what a person does, and what the page says."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome')
WAIT_S = 120


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. Errors and requests of the page are collected in errors and requests."""

    def __init__(self, width=1280, height=800):
        self.profile = tempfile.mkdtemp(prefix='browser.')
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def place_pipes():
            # The browser reads from 3 and writes to 4.
            first = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first[0], 3)
            os.dup2(first[1], 4)

        self.log = open(os.path.join(self.profile, 'log'), 'w')
        self.process = subprocess.Popen(
            [find(), '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage',
             '--remote-debugging-pipe', f'--user-data-dir={self.profile}', f'--window-size={width},{height}',
             'about:blank'],
            preexec_fn=place_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.session = b'', 0, None
        self.errors, self.requests = [], []
        target = next(info for info in self.call('Target.getTargets')['targetInfos'] if info['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- messages ----

    def read(self, deadline):
        while b'\0' not in self.pending:
            if not select.select([self.input], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError('the browser does not answer')
            part = os.read(self.input, 1 << 20)
            if not part:
                raise EOFError('the browser has ended')
            self.pending += part
        message, self.pending = self.pending.split(b'\0', 1)
        return json.loads(message)

    def note(self, message):
        method, parameters = message.get('method'), message.get('params', {})
        if method == 'Runtime.exceptionThrown':
            details = parameters['exceptionDetails']
            self.errors.append(details.get('exception', {}).get('description') or details['text'])
        elif method == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
            self.errors.append(parameters['entry']['text'])
        elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning', 'assert'):
            self.errors.append(json.dumps(parameters['args']))
        elif method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])

    def call(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.output, json.dumps(message).encode() + b'\0')
        deadline = time.monotonic() + WAIT_S
        while True:
            answer = self.read(deadline)
            if answer.get('id') != self.number:
                self.note(answer)
            elif 'error' in answer:
                raise RuntimeError(f'{method}: {answer["error"]}')
            else:
                return answer['result']

    # ---- what the page says ----

    def evaluate(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'].get('exception', {}).get('description'))
        return result['result'].get('value')

    def wait_for(self, expression):
        deadline = time.monotonic() + WAIT_S
        while not self.evaluate(f'Boolean({expression})'):
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(.05)

    def rows(self, selector='main table'):
        """The texts of the cells of the rows in view, as lists."""
        return self.evaluate(f'''[...document.querySelectorAll({json.dumps(selector + ' tbody tr:not(.space)')})]
            .map((row) => [...row.cells].map((cell) => cell.textContent))''')

    # ---- what a person does ----

    def open(self, path, fragment=''):
        self.call('Page.navigate', url='about:blank')
        self.requests = []
        self.call('Page.navigate', url=f'file://{os.path.abspath(path)}#{fragment}')
        self.wait_for("document.documentElement?.dataset.ready === 'yes'")

    def place(self, selector):
        return self.evaluate(f'''(() => {{ const box = document.querySelector({json.dumps(selector)})
            .getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; }})()''')

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, selector, x=.5, y=.5):
        """At a part of the element's width and height."""
        left, top, width, height = self.place(selector)
        at = left + x * width, top + y * height
        self.mouse('mouseMoved', *at)
        self.mouse('mousePressed', *at, button='left', buttons=1, clickCount=1)
        self.mouse('mouseReleased', *at, button='left', clickCount=1)

    def drag(self, selector, start, end, y=.5):
        left, top, width, height = self.place(selector)
        line = top + y * height
        self.mouse('mouseMoved', left + start * width, line)
        self.mouse('mousePressed', left + start * width, line, button='left', buttons=1, clickCount=1)
        for step in range(1, 5):
            self.mouse('mouseMoved', left + (start + (end - start) * step / 4) * width, line, button='left', buttons=1)
        self.mouse('mouseReleased', left + end * width, line, button='left', clickCount=1)

    def key(self, key):
        text = {'text': key} if len(key) == 1 else {'text': '\r'} if key == 'Enter' else {}
        codes = {'Enter': 13, 'Backspace': 8, 'Escape': 27, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39,
                 'ArrowDown': 40, 'Tab': 9}
        code = {'windowsVirtualKeyCode': codes[key]} if key in codes else {}
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, **text, **code)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, **code)

    def type(self, text):
        for character in text:
            self.key(character)

    def picture(self, path):
        import base64
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))
