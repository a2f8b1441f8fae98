"""Browsers that visit pages, as their tests drive them, and the servers that they visit."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

from axe_core_python.base import AXE_SCRIPT
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

LIMIT = 60
"""Seconds that nothing may take longer than."""

BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'"act"',
    b'{"players": ["human", "\\ud800"]}',
    b"[" * 50_000,
    b'{"do": 1}',
)
"""Bodies that are no question of any page."""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
"""What axe-core looks for."""

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
)


class BoardServer:
    """A page's server in a folder, which can be killed and started again at the same port."""

    def __init__(self, folder, *command):
        self._command = command or ("board",)
        self._folder = folder
        self._errors = folder / "standard-error.txt"
        self._process = None
        self.address = None

    def start(self):
        """Serve, at the port that it had before if there was one."""
        port = re.search(r":(\d+)/", self.address)[1] if self.address else "0"
        with self._errors.open("a") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "protocol", *self._command, "--port", port],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=os.environ | {"XDG_STATE_HOME": str(self._folder)},
                start_new_session=True,
            )
        line = self._process.stdout.readline()
        self.address = line.split()[-1]

    @property
    def group(self):
        """The number of its group of processes."""
        return self._process.pid

    def kill(self):
        """End it at once, with all its workers."""
        os.killpg(self.group, 9)
        self._process.wait(LIMIT)
        self._process.stdout.close()

    def break_a_kept_game(self):
        """Leave a kept game that cannot be read."""
        (self._folder / "blot" / "broken.json").write_text("{")

    def post(self, path, values=None, *, body=None, kind="application/json"):
        """The status and the values that a question is answered with."""
        content = json.dumps(values or {}).encode() if body is None else body
        request = urllib.request.Request(self.address + path, content, {"Content-Type": kind})
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def state(self):
        """The state as a page that comes now is told."""
        with urllib.request.urlopen(self.address + "events", timeout=LIMIT) as events:
            for line in events:
                if line.startswith(b"data: ") and b'"asks"' in line:
                    return json.loads(line[6:])
        raise AssertionError("the stream ended without a state")

    def act(self, name, **more):
        """Do something at the table as it is now."""
        status, told = self.post("act", {"version": self.state()["version"], "do": name, **more})
        assert status == 200, told

    def begin(self, *players, seed=1, length=1, **more):
        """A new game, with dice from the seed and bots that do not dawdle."""
        wish = {"players": players, "length": length, "dice": "auto", "seed": seed, **more}
        status, told = self.post("new", wish)
        assert status == 200, (told, self._errors.read_text()[-3000:])
        self.act("settings", delay=0, advice="easy", tutor=None, auto=True)


class Visitor:
    """A person at the page, with mouse and keys."""

    def __init__(self, driver, address):
        self.driver = driver
        self._address = address

    def come(self, **settings):
        """Open the page, with settings that this browser remembers."""
        self.driver.get(self._address + "icon.svg")
        wishes = json.dumps({"speed": "off", "language": "en", **settings})
        self.run("localStorage.setItem('blot', arguments[0])", wishes)
        self.driver.get(self._address)
        self.wait_for("return document.body.dataset.version")

    def run(self, script, *arguments):
        """The value of a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script, *arguments):
        """The first value of the script that is true."""
        waiting = WebDriverWait(self.driver, LIMIT, poll_frequency=0.01)
        return waiting.until(lambda driver: driver.execute_script(script, *arguments))

    def one(self, selector):
        """The first element of that selector, as soon as there is one."""
        return self.wait_for("return document.querySelector(arguments[0])", selector)

    def many(self, selector):
        """All elements of that selector."""
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        """The text of the first element of that selector."""
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    @property
    def version(self):
        """The version of the table that is shown."""
        return int(self.run("return document.body.dataset.version"))

    def asked(self):
        """The thing that a person is asked for, once the page shows it."""
        return self.wait_for(
            "const {asks, busy} = document.body.dataset;"
            "return busy === undefined && asks !== 'bot' && asks"
        )

    def after(self, version):
        """Wait until another version than that one is shown."""
        self.wait_for(
            "const {version, busy} = document.body.dataset;"
            "return busy === undefined && Number(version) !== arguments[0]",
            version,
        )

    def catch_up(self, server):
        """Wait until the page shows what a page that comes now is told."""
        waiting = WebDriverWait(self.driver, LIMIT, poll_frequency=0.01)
        waiting.until(lambda _: self.version == server.state()["version"])

    def press(self, *keys):
        """Press keys, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def open_dialog(self, name):
        """Open a dialog in place of one that is open."""
        self.close_dialog()
        self.run("document.querySelector(`[data-open=${arguments[0]}]`).click()", name)
        self.one(f"dialog[open][data-name={name}]")

    def close_dialog(self):
        """Close the dialog, if one is open."""
        self.run("document.getElementById('dialog').close()")

    def top_of(self, place):
        """The topmost checker of a place."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].pop()",
            f'[data-place="{place}"] .checker',
        )

    def places(self, kind):
        """The names of the places of a class: sources that may be left, targets to go to."""
        script = "return [...document.querySelectorAll(arguments[0])].map((at) => at.dataset.place)"
        return self.run(script, f".place.{kind}")

    def faults(self):
        """The faults that axe-core finds on the page as it is."""
        self.run(AXE_SCRIPT)
        return self.driver.execute_async_script(
            "const [runOnly, done] = arguments;"
            "axe.run({runOnly, resultTypes: ['violations']}).then(({violations}) =>"
            " done(violations.map(({id, nodes}) => `${id}: ${nodes.map((node) =>"
            " `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`).join(' | ')}`)))",
            RULES,
        )

    def size(self, width, height):
        """Give the page that many pixels."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )


@contextmanager
def chromium():
    """A headless Chromium that is driven."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(LIMIT)
    driver.set_page_load_timeout(LIMIT)
    try:
        yield driver
    finally:
        driver.quit()
