"""The documentation site works from its files: no error, no picture missing, no other machine, tables that sort.

Source of truth: Chromium. ``OCKHAM_SITE`` names the folder of the site: ``sphinx-build -W -c docs . build/site``.
"""

import os
from pathlib import Path

import pytest
from browser.conftest import SOUND, overflow

SITE = Path(os.environ.get("OCKHAM_SITE", "")).resolve()
PAGES = sorted(SITE.rglob("*.html")) if "OCKHAM_SITE" in os.environ else []
pytestmark = pytest.mark.skipif(not PAGES, reason="needs the built site, and its folder in OCKHAM_SITE")
TO_READ = ("docs/index", "docs/tutorials/latent_classes", "docs/trust", "docs/api", "docs/papers/beal_ghahramani_2006")


def address(page):
    return (SITE / f"{page}.html").as_uri()


def test_every_page_is_sound(browser):
    seen = {page.relative_to(SITE).as_posix(): browser.see(page.as_uri()) for page in PAGES}
    assert {page: found for page, found in seen.items() if found != SOUND} == {}
    assert {"index.html", *(f"{page}.html" for page in TO_READ)} <= set(seen)


def test_the_first_page_leads_to_the_site(browser):
    browser.see(address("index"))
    assert browser.driver.current_url == address("docs/index")
    assert browser.run("return document.images.length") > 0


def test_papers_have_pictures_and_tutorials_have_what_they_drew(browser):
    for page in ("docs/papers/chen_welling_2013", "docs/tutorials/latent_classes", "docs/gallery/zoo"):
        browser.see(address(page))
        assert browser.run("return [...document.images].filter(i => i.naturalWidth > 300).length") > 0, page


@pytest.mark.parametrize("page", ["docs/trust", "docs/scorers", "docs/gallery/house_votes", "config/README"])
def test_tables_sort(page, browser):
    browser.see(address(page))
    before, up, down = browser.sorts(browser.driver.find_element("css selector", "article table"))
    assert sorted(before) == sorted(up) == sorted(down)
    assert up != down


def test_the_search_finds_words(browser):
    assert browser.see(f"{address('search')}?q=evidence") == SOUND
    assert browser.wait(lambda: len(browser.driver.find_elements("css selector", "#search-results li a")) > 5)


@pytest.mark.parametrize("page", TO_READ)
def test_a_narrow_screen_shows_all_of_it(page, narrow):
    assert narrow.see(address(page)) == SOUND
    assert overflow(narrow) <= 0


@pytest.mark.parametrize("page", TO_READ)
def test_it_can_be_read_without_scripts(page, scriptless):
    assert scriptless.see(address(page)) == SOUND
    article = scriptless.driver.find_element("css selector", "article")
    assert article.is_displayed()
    assert len(article.text) > 500
    assert scriptless.driver.find_elements("css selector", "nav a, .sidebar-tree a")
