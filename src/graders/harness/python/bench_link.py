"""Questions and answers between the checking process and the solution's process, each a line of encoded values.

A process that waits for an answer answers the other's questions meanwhile: a call may read an iterator that was passed to it.
"""
from _thread import RLock

from bench_errors import as_exception, raised
from bench_values import UNKNOWN, NotUnderstood, decode, encode

try:
    from posix import O_RDONLY, dup, dup2, open as open_file, read, write

    NOTHING = "/dev/null"
except ImportError:  # Windows
    from nt import O_RDONLY, dup, dup2, open as open_file, read, write

    NOTHING = "nul"

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
    link = Link(answers, texts, end)
    return link


class Link:
    def __init__(self, answers, texts, end):
        self.channel, self.lock, self.streamed = Channel(), RLock(), 0
        self.answers, self.texts, self.end = answers, texts, end
        # The length of the last line that was read, and of the last one that was written.
        self.size = self.written = 0

    def ask(self, kinds, *question):
        """Returns the answer, which is one of some kinds. That of a question that raised an exception is the exception."""
        sent = {}
        line = encode(list(question), {}, sent)
        try:
            with self.lock:
                self.channel.write(line)
                while True:
                    values = {}
                    message = self.receive(sent, values)
                    if message[0] == "raised" and "raised" in kinds:
                        return ["raised", as_exception(*message[1:])]
                    if message[0] in kinds:
                        return message
                    self.answer(message, values)
        except BrokenPipeError:
            self.end(None)
        except NotUnderstood as error:
            self.end(str(error))

    def receive(self, sent, values):
        """Returns the next message. `sent` has what this process has just sent, and `values` gets what the message has, by number."""
        line = self.channel.read()
        if line is None:
            self.end(None)
        self.size = len(line)
        message = decode(line, sent, values)
        if type(message) is not list or not message or type(message[0]) is not str:
            raise NotUnderstood(UNKNOWN)
        if message[0] == "item":
            self.streamed += len(line)
            if self.streamed > LONGEST_STREAM:
                raise NotUnderstood("sent more items of iterators than 128 MB hold")
        return message

    def answer(self, message, values):
        kind, *question = message
        if kind not in self.answers:
            raise NotUnderstood(UNKNOWN)
        try:
            answer = self.answers[kind](*question)
            line = encode(answer, {id(value): number for number, value in values.items()})
        except NotUnderstood:
            raise
        except BaseException as error:  # also of a deque that contains itself
            line = encode(raised(error, self.texts))
        self.written = len(line)
        self.channel.write(line)
