"""Questions and answers between the checking process and the solution's process, each a line of encoded values.

A process that waits for an answer answers the other's questions meanwhile: a call may read an iterator that was passed to it.
"""
import builtins
from _thread import RLock

from bench_report import cut, place_of
from bench_values import NotUnderstood, decode, encode

try:
    from posix import O_RDONLY, dup, dup2, open as open_file, read, write

    NOTHING = "/dev/null"
except ImportError:  # Windows
    from nt import O_RDONLY, dup, dup2, open as open_file, read, write

    NOTHING = "nul"

UNKNOWN = "sent an answer that cannot be understood"
LONGEST_LINE = 32 * 1024 * 1024
# Of all items of iterators together; the time limit ends a run that reads without end, this one that keeps what it reads.
LONGEST_STREAM = 4 * LONGEST_LINE


class Channel:
    """Lines over the descriptors that were standard input and output. Standard input is then empty; output goes to standard error."""

    def __init__(self):
        self.input, self.output, self.rest = dup(0), dup(1), b""
        dup2(open_file(NOTHING, O_RDONLY), 0)
        dup2(2, 1)

    def read(self):
        """Returns the next line; None if the other process has ended."""
        parts, size = [self.rest], 0
        while b"\n" not in parts[-1]:
            chunk = read(self.input, 65536)
            size += len(chunk)
            if not chunk:
                return None
            if size > LONGEST_LINE:
                raise NotUnderstood("sent a line without an end")
            parts.append(chunk)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return line.decode("ascii", "replace")

    def write(self, line):
        rest = line.encode("ascii") + b"\n"
        while rest:
            rest = rest[write(self.output, rest):]


# The process's only link, for what is read later.
link = None


def connect(answers, texts, end):
    """Returns the link to the other process, which may ask what `answers` has. `end(problem)` ends this process."""
    global link
    link = Link({**answers, "pull": pull}, texts, end)
    return link


class Link:
    def __init__(self, answers, texts, end):
        self.channel, self.lock, self.streamed = Channel(), RLock(), 0
        self.answers, self.texts, self.end = answers, texts, end

    def ask(self, kinds, *question):
        """Returns the answer, which is one of some kinds. That of a question that raised an exception is the exception."""
        line = encode(list(question))
        try:
            with self.lock:
                self.channel.write(line)
                while True:
                    message = self.receive()
                    if message[0] == "raised" and "raised" in kinds:
                        return ["raised", as_exception(*message[1:])]
                    if message[0] in kinds:
                        return message
                    self.answer(message)
        except BrokenPipeError:
            self.end(None)
        except NotUnderstood as error:
            self.end(str(error))

    def receive(self):
        line = self.channel.read()
        if line is None:
            self.end(None)
        message = decode(line)
        if type(message) is not list or not message or type(message[0]) is not str:
            raise NotUnderstood(UNKNOWN)
        if message[0] == "item":
            self.streamed += len(line)
            if self.streamed > LONGEST_STREAM:
                raise NotUnderstood("sent more items of iterators than 128 MB hold")
        return message

    def answer(self, message):
        kind, *question = message
        if kind not in self.answers:
            raise NotUnderstood(UNKNOWN)
        try:
            line = encode(self.answers[kind](*question))
        except NotUnderstood:
            raise
        except BaseException as error:  # also of a list that contains itself, or is nested too deeply
            line = encode(raised(error, self.texts))
        self.channel.write(line)


def pull(number):
    from bench_streams import next_item

    return next_item(number)


def raised(error, texts):
    """Returns an exception as an answer."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return ["raised", names, message_of(error), place_of(error, texts)]


def message_of(error):
    try:
        return cut(str(error))
    except BaseException:
        return ""


def as_exception(names=None, message=None, place=None, *others):
    """Creates an exception of the nearest built-in type, under its original name."""
    if type(names) is not list or not names or others or {type(text) for text in [*names, message, place]} != {str}:
        raise NotUnderstood(UNKNOWN)
    kinds = [vars(builtins).get(name) for name in names]
    base = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)
    kind = type(names[0], (base,), {"__str__": lambda self: message, "place_in_solution": place})
    return kind.__new__(kind, message)
