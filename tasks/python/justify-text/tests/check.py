import re


def check(candidate):
    cases = [
        ("", 5, []),
        (" \n\t\n ", 5, []),
        ("word", 4, ["word"]),
        ("word", 5, ["word"]),
        ("a b", 3, ["a b"]),
        ("a b", 2, ["a", "b"]),
        ("aa bb cc", 5, ["aa bb", "cc"]),
        ("aa bb cc", 4, ["aa", "bb", "cc"]),
        # wider gaps on the left in odd lines, on the right in even ones
        ("a b c d e f g h", 6, ["a  b c", "d e  f", "g h"]),
        ("a b c d e f g h i", 6, ["a  b c", "d e  f", "g h i"]),
        ("a b c dddddd a b c dddddd x", 8, ["a   b  c", "dddddd a", "b      c", "dddddd x"]),
        ("a b c d eeeeeeeee a b c d eeeeeeeee x", 9, ["a  b  c d", "eeeeeeeee", "a  b  c d", "eeeeeeeee", "x"]),
        ("aaaa bb a b c dd eeeeee x", 9, ["aaaa bb a", "b  c   dd", "eeeeee x"]),
        ("a a a a bbbbb a a a a bbbbbb x", 11, ["a   a  a  a", "bbbbb a a a", "a bbbbbb x"]),
        # several spaces over
        ("aa bb cc dddddddd x", 12, ["aa   bb   cc", "dddddddd x"]),
        ("aa bb cc ddddddddd x", 11, ["aa   bb  cc", "ddddddddd x"]),
        ("zzzzzzzzzzz aa bb cc ddddddddd x", 11, ["zzzzzzzzzzz", "aa  bb   cc", "ddddddddd x"]),
        # the last line is never stretched, single words neither
        ("a b", 9, ["a b"]),
        ("aaa bbb ccc", 5, ["aaa", "bbb", "ccc"]),
        # long words are cut
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("abcdef", 3, ["abc", "def"]),
        ("abcdefgh i jk", 4, ["abcd", "efgh", "i jk"]),
        ("x abcdefg y", 4, ["x", "abcd", "efg", "y"]),
        ("abcdefg y z", 5, ["abcde", "fg  y", "z"]),
        ("abc d", 1, ["a", "b", "c", "d"]),
        # paragraphs
        ("a b\nc d\n\n\n \t\ne\nf\n\n", 20, ["a b c d", "", "e f"]),
        ("\n\na\n\nb\n", 1, ["a", "", "b"]),
        ("  a\tb  ", 5, ["a b"]),
        ("zz yy xx\n\na b c d e", 6, ["zz  yy", "xx", "", "a  b c", "d e"]),
        ("a b c d\n\na b c d", 6, ["a  b c", "d", "", "a  b c", "d"]),
    ]
    for text, width, lines in cases:
        got = candidate(text, width)
        assert got == lines, "%r in %d: %r" % (text, width, got)

    text = "The harbour master counts the boats twice, once in the morning and once before the lamps are lit."
    for width in range(1, 60):
        lines = candidate(text, width)
        assert "".join("".join(lines).split()) == "".join(text.split()), width
        for line in lines[:-1]:
            assert len(line) == width or " " not in line, (width, line)
            sizes = [len(gap) for gap in re.findall(" +", line)]
            assert not sizes or max(sizes) - min(sizes) <= 1, (width, line)
        assert all(len(line) <= width and line == line.rstrip() for line in lines), width

    for width in [0, -1, -5]:
        for text in ["", "a"]:
            try:
                candidate(text, width)
            except ValueError:
                continue
            raise AssertionError("accepted a width of %d" % width)
