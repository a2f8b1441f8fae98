"""A browser for the tests of pages; each module has its own, and the server that it visits."""

import pytest

from tests.browsers import Visitor, chromium


@pytest.fixture(scope="module")
def driver():
    with chromium() as driven:
        yield driven


@pytest.fixture
def visitor(driver, server):
    """A person at the page; whatever the browser complains of is a fault."""
    driver.get_log("browser")
    person = Visitor(driver, server.address)
    person.size(1366, 650)
    yield person
    complaints = [entry["message"] for entry in driver.get_log("browser")]
    assert not [each for each in complaints if "ERR_" not in each and "status of 4" not in each]
