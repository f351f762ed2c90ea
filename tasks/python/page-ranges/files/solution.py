def page_ranges(text, last):
    """Pages asked for in a text such as "1-3, 7, 12-", in order, each once."""
