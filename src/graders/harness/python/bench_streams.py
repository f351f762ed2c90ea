"""Iterators and functions between two processes. Who reads an iterator asks for each item when it needs it, and cannot go back. Who
calls a function asks its process for the result.

Like a function's result, each item is plain data, an error or the end.
"""
import bench_link
from bench_calls import answer_call, ask_call
from bench_values import NotUnderstood, quote

GENERATOR = type((lambda: (yield))())

# What this process sent, by number, and the numbers by identity; what it received, by number and by identity.
sent, numbers, received, returned = {}, {}, {}, {}


class Stream:
    """An iterator of the other process; it is equal only to itself."""

    def __init__(self, number):
        self.number, self.ended = number, False

    def __iter__(self):
        return self

    def __next__(self):
        if self.ended:
            raise StopIteration
        kind, value = bench_link.link.ask(("item", "end", "raised"), "pull", self.number)
        if kind == "raised":
            raise value
        if kind == "item":
            return value
        self.ended = True
        raise StopIteration(value)


def generate(stream):
    while True:
        try:
            item = next(stream)
        except StopIteration as end:
            return end.value
        yield item


def encode_stream(value):
    """Returns JSON of an iterator. One that came from the other process goes back as what it was there."""
    return number_text(value, "stream", "true" if type(value) is GENERATOR else "false")


def encode_function(value):
    """Returns JSON of a function. One that came from the other process goes back as what it was there."""
    return number_text(value, "function", quote(str(getattr(value, "__name__", type(value).__name__))[:100]))


def number_text(value, name, more):
    if id(value) in returned:
        return '["returned",["int","%x"]]' % returned[id(value)]
    number = numbers.setdefault(id(value), len(numbers))
    sent[number] = value
    return '["%s",["int","%x"],%s]' % (name, number, more)


def receive(number, is_generator):
    """Returns an iterator, or a generator, that reads from the other process."""
    if type(number) is not int:
        raise NotUnderstood
    if number not in received:
        stream = Stream(number)
        received[number] = generate(stream) if is_generator else stream
        returned[id(received[number])] = number
    return received[number]


def receive_function(number, name):
    """Returns a function that calls the one of the other process."""
    if type(number) is not int:
        raise NotUnderstood
    name = str(name)[:100]
    if number not in received:

        def stand_in(*args, **named):
            return ask_call(("apply", number), args, named)

        stand_in.__name__ = stand_in.__qualname__ = name
        received[number] = stand_in
        returned[id(stand_in)] = number
    return received[number]


def sent_function(number):
    """Returns a function that this process sent; no iterator, and no class."""
    function = sent_before(number)
    if hasattr(type(function), "__next__") or isinstance(function, type):
        raise NotUnderstood("called what is no function")
    return function


def sent_before(number):
    if type(number) is not int or number not in sent:
        raise NotUnderstood("asked for an iterator that it never received")
    return sent[number]


def next_item(number):
    """Answers with the next item of an iterator that this process sent."""
    stream = sent_before(number)
    try:
        return ["item", next(stream)]
    except StopIteration as end:
        return ["end", end.value]


def apply(number, args, named):
    return answer_call(sent_function(number), args, named)


# The other process can ask for no more of what this one has not sent yet.
bench_link.link.answers.update(pull=next_item, apply=apply)
