def justify(text, width):
    """Lines of at most `width` characters, stretched to that width but for the last one of each paragraph."""
    if width < 1:
        raise ValueError("the width must be at least 1")
    result = []
    for words in paragraphs(text):
        if result:
            result.append("")
        lines = fill(cut(words, width), width)
        for index, line in enumerate(lines[:-1]):
            result.append(stretch(line, width, index % 2 == 0))
        result.append(" ".join(lines[-1]))
    return result


def paragraphs(text):
    """The words of each paragraph."""
    found = [[]]
    for line in text.split("\n"):
        words = line.split()
        if words:
            found[-1].extend(words)
        else:
            found.append([])
    return [words for words in found if words]


def cut(words, width):
    return [word[at : at + width] for word in words for at in range(0, len(word), width)]


def fill(words, width):
    """Words of each line."""
    lines = []
    room = 0
    for word in words:
        if lines and len(word) + 1 <= room:
            lines[-1].append(word)
            room -= len(word) + 1
        else:
            lines.append([word])
            room = width - len(word)
    return lines


def stretch(words, width, left_first):
    gaps = len(words) - 1
    if gaps == 0:
        return words[0]
    spaces = width - sum(len(word) for word in words)
    small, wider = divmod(spaces, gaps)
    line = words[0]
    for index, word in enumerate(words[1:]):
        is_wider = index < wider if left_first else index >= gaps - wider
        line += " " * (small + 1 if is_wider else small) + word
    return line
