import re

ITEM = re.compile(r"([0-9]*)\s*(-?)\s*([0-9]*)")


def page_ranges(text, last):
    """Pages asked for in a text such as "1-3, 7, 12-", in order, each once."""
    items = [item.strip() for item in text.split(",")]
    items = [item for item in items if item]
    if not items:
        return list(range(1, last + 1))
    asked = [page for item in items for page in pages_of(item.lower(), last)]
    return list(dict.fromkeys(page for page in asked if 1 <= page <= last))


def pages_of(item, last):
    if item == "odd":
        return range(1, last + 1, 2)
    if item == "even":
        return range(2, last + 1, 2)
    match = ITEM.fullmatch(item)
    if not match:
        raise ValueError("not a page range: " + item)
    start, dash, end = match.groups()
    if not dash:
        if not start or end:
            raise ValueError("not a page: " + item)
        return [int(start)]
    if not start and not end:
        raise ValueError("a range needs a page: " + item)
    if not end:
        return range(int(start), last + 1)
    first = int(start) if start else 1
    final = int(end)
    if first <= final or not start:
        return range(first, min(final, last) + 1)
    return range(min(first, last), final - 1, -1)
