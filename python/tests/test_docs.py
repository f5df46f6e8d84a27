"""The examples of docs/python.md and of the package's own documentation."""

import doctest
import re
from pathlib import Path

import pytest
import zeroxor



def examples_of(page: str) -> str:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```pycon\n(.*?)```", text, flags=re.DOTALL))


@pytest.mark.parametrize("name", ["docs/python.md", "zeroxor"])
def test_examples(name: str) -> None:
    text = zeroxor.__doc__ or "" if name == "zeroxor" else examples_of(name)
    examples = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert len(examples.examples) >= 3
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples)
    assert results.failed == 0
