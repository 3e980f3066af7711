"""Chromium without a screen and without a way to any other machine, and what it says of a page.

The tests are skipped where Chromium, its driver or Selenium is missing.
"""

import json
import shutil
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

NEEDED = ("chromium", "chromedriver")
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--window-size=1280,1000", OFFLINE,
)  # fmt: skip
LOCAL = ("", "localhost", "127.0.0.1")
READY = "return document.readyState === 'complete' && !document.querySelector('meta[http-equiv=refresh]')"
PATIENCE = 60
"""Seconds."""
BROKEN = "return [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.currentSrc || i.src)"


class Seen(NamedTuple):
    """What is wrong with a page.

    Attributes
    ----------
    errors : list of str
        Of the console.
    broken : list of str
        Addresses of pictures that did not load.
    elsewhere : list of str
        Addresses that it asked for on other machines.
    """

    errors: list[str]
    broken: list[str]
    elsewhere: list[str]


SOUND = Seen([], [], [])


class Browser:
    """A Chromium, and pages in it."""

    def __init__(self, driver):
        self.driver = driver

    def see(self, address):
        """Open a page; what is wrong with it."""
        for log in ("browser", "performance"):
            self.driver.get_log(log)  # of the page before
        self.driver.get(str(address))
        self.wait(lambda: self.run(READY))
        broken = self.driver.execute_script(BROKEN)
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        said = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [each["params"]["request"]["url"] for each in said if each["method"] == "Network.requestWillBeSent"]
        return Seen(errors, broken, [url for url in asked if (urlsplit(url).hostname or "") not in LOCAL])

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition):
        """Until a condition holds; what it returns then."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, PATIENCE).until(lambda _: condition())

    def command(self, name, **parameters):
        """One of Chromium's own commands."""
        return self.driver.execute_cdp_cmd(name, parameters)

    @property
    def text(self):
        return " ".join(self.driver.find_element("css selector", "body").text.split())

    def sorts(self, table):
        """The cells of the first column that is not sorted yet, before and after a click on its head, and a second."""
        cells = "return [...arguments[0].tBodies[0].rows].map(row => row.cells[arguments[1]].textContent.trim())"
        for column, head in enumerate(table.find_elements("css selector", "thead th")):
            before = self.run(cells, table, column)
            if len(set(before)) > 1 and (buttons := head.find_elements("css selector", "button.sort")):
                found = [before]
                for _ in range(2):
                    self.run("arguments[0].click()", buttons[0])
                    found.append(self.run(cells, table, column))
                return found
        raise AssertionError("no head of the table sorts anything")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs Selenium: pip install '.[docs]'")
    paths = {name: shutil.which(name) for name in NEEDED}
    if missing := [name for name, path in paths.items() if path is None]:
        pytest.skip(f"needs {' and '.join(missing)}: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = paths["chromium"]
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(paths["chromedriver"]))
    driver.get("about:blank")  # away from Chromium's own first page
    yield Browser(driver)
    driver.quit()


@pytest.fixture
def browser(chromium):
    """As it was at the start: wide, and with scripts."""
    yield chromium
    chromium.command("Emulation.clearDeviceMetricsOverride")
    chromium.command("Emulation.setScriptExecutionDisabled", value=False)


@pytest.fixture
def narrow(browser):
    """As wide as a telephone."""
    browser.command("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=1, mobile=False)
    return browser


@pytest.fixture
def scriptless(browser):
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    return browser


def overflow(browser):
    """By how many pixels a page is wider than the window."""
    return browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
