"""A page with a fault is not sound: the checks of the other files can fail.

Source of truth: pages with one fault each.
"""

import pytest
from browser.conftest import SOUND, overflow

PAGE = "<!doctype html><html><head><link rel='icon' href='data:,'><title>a</title></head><body>{}</body></html>"
FAULTS = {
    "a script": ("<script>missing()</script>", "errors", "missing is not defined"),
    "a file of scripts": ("<script src='gone.js'></script>", "errors", "gone.js"),
    "a picture": ("<img src='gone.png'>", "broken", "gone.png"),
    "no picture": ("<img src='data:image/png;base64,AAAA'>", "broken", "data:image/png"),
    "another machine": ("<script src='https://example.org/a.js'></script>", "elsewhere", "https://example.org/a.js"),
    "data from another machine": ("<script>fetch('http://example.org/b')</script>", "elsewhere", "example.org/b"),
}


def address(folder, body):
    path = folder / "page.html"
    path.write_text(PAGE.format(body))
    return path.as_uri()


def test_a_page_without_a_fault_is_sound(browser, tmp_path):
    assert browser.see(address(tmp_path, "<p>words</p>")) == SOUND


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name, browser, tmp_path):
    body, field, words = FAULTS[name]
    assert any(words in said for said in getattr(browser.see(address(tmp_path, body)), field))


def test_a_page_that_is_too_wide_is_found(narrow, tmp_path):
    narrow.see(address(tmp_path, "<p style='width: 500px'>words</p>"))
    assert overflow(narrow) > 100


def test_a_table_that_does_not_sort_is_found(browser, tmp_path):
    table = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>2</td></tr><tr><td>1</td></tr></tbody></table>"
    browser.see(address(tmp_path, table))
    with pytest.raises(AssertionError, match="sorts"):
        browser.sorts(browser.driver.find_element("css selector", "table"))
