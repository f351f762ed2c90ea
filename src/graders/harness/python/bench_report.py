"""What a run of tests tells the harness, under a token that only the two know.

All that the report needs is taken before any of the solution runs. Modules that are slow to import (json, doctest,
traceback) are left out: they would double the cost of a run.
"""
import sys

try:
    from posix import _exit, remove, write
except ImportError:  # Windows
    from nt import _exit, remove, write
try:
    from _json import encode_basestring_ascii as quote
except ImportError:  # another implementation of Python
    from json.encoder import encode_basestring_ascii as quote

# Standard error: standard output may belong to the channel.
DESCRIPTOR = 2
BYTE_ORDER_MARK = "\ufeff"


def take_job():
    """The lines of the job beside the program, which is removed before anything else happens."""
    path = sys.path[0] + "/job"
    lines = read(path).split("\n")
    remove(path)
    return lines


class Report:
    def __init__(self, token, progress):
        self.token, self.progress, self.lines = token, progress, []

    def say(self, text):
        put("\n%s %s\n" % (self.progress, text))

    def add(self, kind, name, message=""):
        self.lines.append("%s\t%s\t%s" % (kind, quote(name), quote(cut(message))))

    def attempt(self, name, work, texts):
        """Runs one test: `work` gives what is wrong, or raises."""
        self.say(quote(name))
        try:
            message = work()
            self.add("failed" if message else "passed", name, message or "")
        except BaseException as error:  # SystemExit as well: it must not end the run
            self.add("failed", name, describe(error, texts))

    def finish(self, end="finished"):
        """Ends the process, at once: threads and exit handlers of the solution are none of our business."""
        put("\n%s\n%s\n%s end\n" % (self.token, "\n".join([*self.lines, end]), self.token))
        _exit(0)


def cut(text):
    """At most 2000 characters, and a mark where more were left out."""
    return text if len(text) <= 2000 else text[:2000] + "\u2026"


def describe(error, texts):
    """Kind and message of an exception, and the last line of the given files that it passed through."""
    try:
        if isinstance(error, SyntaxError):
            return "%s: %s (%s, line %s)" % (type(error).__name__, error.msg, error.filename, error.lineno)
        message = str(error)
        return "%s%s%s" % (type(error).__name__, ": " + message if message else "", place_of(error, texts))
    except BaseException:
        return "raised something that cannot be read"


def place_of(error, texts):
    if hasattr(error, "place_in_solution"):
        return error.place_in_solution
    place, step = "", error.__traceback__
    while step is not None:
        path, number = step.tb_frame.f_code.co_filename, step.tb_lineno
        if path in texts:
            place = " (%s:%d: %s)" % (path, number, texts[path].split("\n")[number - 1].strip())
        step = step.tb_next
    return place


def read(path):
    """Text of a file, without the mark that some editors begin it with: Python itself takes that off source code."""
    with open(path, encoding="utf-8") as file:
        return file.read().lstrip(BYTE_ORDER_MARK)


def put(text):
    rest = text.encode("utf-8", "backslashreplace")
    while rest:
        rest = rest[write(DESCRIPTOR, rest):]
