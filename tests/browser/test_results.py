"""The pages of ``ockham select``, ``compare`` and ``search`` and of studies work in a browser, by themselves.

On any screen, by keyboard, and without scripts.

Source of truth: Chromium, and the results in Python.
"""

import numpy as np
import pandas as pd
import pytest
from browser.conftest import SOUND, overflow
from matplotlib.figure import Figure

import ockham
from ockham import families
from ockham.io.figures import save
from ockham.studies.pages import write_page

ROWS = pd.DataFrame({"x": list("abababab"), "y": list("abcabcab"), "z": list("aabbabab")})


@pytest.fixture(scope="module")
def selection():
    return ockham.select(ROWS, [1, 2, 3], priors=[1.0, 0.5], progress=False)


@pytest.fixture(scope="module")
def comparison():
    sizes = {"x": 2, "y": 3, "z": 2}
    free = ockham.DiscreteNetwork.build(sizes, {}, hidden=[])
    chain = ockham.DiscreteNetwork.build(sizes, {"y": ["x"], "z": ["y"]}, hidden=[])
    return ockham.compare({"free": free, "chain": chain}, ROWS, progress=False)


@pytest.fixture(scope="module")
def mixed():
    """Of a table with a number."""
    size = np.random.default_rng(1).normal(size=len(ROWS)).round(2)
    return ockham.select(ROWS.assign(size=size), [1, 2, 3], priors=[1.0, "within=0.25"], progress=False)


@pytest.fixture(scope="module")
def search():
    return ockham.search(ROWS, climbs=2, judged=2, max_hidden=1, max_values=2, max_indegree=1, progress=False)


@pytest.fixture(params=["selection", "mixed", "comparison", "search"])
def found(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def address(found, tmp_path):
    path = tmp_path / "a page & more.html"
    path.write_text(found.to_html(), encoding="utf-8")
    return path.as_uri()


def tables(browser):
    return browser.driver.find_elements("css selector", "table")


def test_a_page_is_sound_and_stands_by_itself(found, address, browser):
    assert browser.see(address) == SOUND
    for words in (found.methods, *found.references, *found.remarks):
        assert " ".join(words.split()) in browser.text


def test_every_table_sorts_both_ways(address, browser):
    browser.see(address)
    assert len(tables(browser)) > 1
    for table in tables(browser):
        before, up, down = browser.sorts(table)
        assert sorted(before) == sorted(up) == sorted(down)
        assert up == down[::-1]
    (order,) = {head.get_attribute("aria-sort") for head in tables(browser)[0].find_elements("css selector", "th")} - {
        None
    }
    assert order == "descending"


def test_numbers_are_sorted_as_numbers(selection, browser, tmp_path):
    (tmp_path / "page.html").write_text(selection.to_html(), encoding="utf-8")
    browser.see((tmp_path / "page.html").as_uri())
    table = tables(browser)[0]
    heads = table.find_elements("css selector", "th")
    column = [head.text for head in heads].index("MAP")
    heads[column].find_element("css selector", "button").click()
    shown = browser.run(
        "return [...arguments[0].tBodies[0].rows].map(row => Number(row.cells[arguments[1]].dataset.value))",
        table,
        column,
    )
    assert shown == sorted(selection.table["map"])


def test_a_keyboard_reaches_what_sorts(address, browser):
    from selenium.webdriver import ActionChains, Keys

    browser.see(address)
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()
    focused = browser.driver.switch_to.active_element
    assert focused.get_attribute("class") == "sort"
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    head = focused.find_element("xpath", "..")
    assert head.get_attribute("aria-sort") == "ascending"


def test_a_narrow_screen_shows_all_of_it(address, narrow):
    assert narrow.see(address) == SOUND
    assert overflow(narrow) <= 0


def test_it_can_be_read_without_scripts(found, address, scriptless):
    assert scriptless.see(address) == SOUND
    assert " ".join(found.methods.split()) in scriptless.text
    assert not scriptless.driver.find_elements("css selector", "button.sort")
    assert len(tables(scriptless)[0].find_elements("css selector", "tbody tr")) == len(found.models)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A page of a study with one figure and two tables."""
    folder = tmp_path_factory.mktemp("study")
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([1, 2])
    save(figure, folder / "evidence.png")
    (folder / "evidences.csv").write_text("structure,score,log evidence\n<b>one</b>,vb,-10\ntwo,vb,-9.5\nthree,vb,\n")
    (folder / "cost.csv").write_text("scorer,jobs\nvb,2\nem,10\n")
    record = families.load("ockham.papers.generic:PAPER")
    tables = {name: folder / f"{name}.csv" for name in ("evidences", "cost")}
    write_page(folder / "page.html", "survey", record, {"evidence": folder / "evidence.png"}, tables)
    return (folder / "page.html").as_uri()


def test_the_page_of_a_study_is_sound_and_its_tables_sort(study, browser):
    assert browser.see(study) == SOUND
    assert "<b>one</b>" in browser.text
    evidences, cost = tables(browser)
    button = evidences.find_elements("css selector", "button.sort")[2]
    button.click()
    first = "return arguments[0].tBodies[0].rows[0].cells[arguments[1]].textContent"
    assert browser.run(first, evidences, 2) == "-10"
    cost.find_elements("css selector", "button.sort")[1].click()
    assert browser.run(first, cost, 1) == "2"  # as a number, before 10


def test_the_page_of_a_study_fits_a_narrow_screen(study, narrow):
    assert narrow.see(study) == SOUND
    assert overflow(narrow) <= 0
