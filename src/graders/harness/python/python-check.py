"""Runs HumanEval-style `check(candidate)` functions, one test a file, on a solution that runs in another process.

`candidate` sends its arguments by value, and copies them back if the call has changed them. Helpers that a check uses come from
the task's version of the file, never from the solution.
"""
import builtins

from bench_report import BYTE_ORDER_MARK, Report, read, take_job
from bench_values import Channel, NotUnderstood, decode, encode

KINDS = [["value"], ["raised"], ["unloaded"], ["missing"]]


def main():
    token, progress, seeded, entry, stub, *tests = take_job()
    report, channel = Report(token, progress), Channel()
    texts = {path: read(path) for path in tests}
    given = decode(stub).lstrip(BYTE_ORDER_MARK)
    report.say("ready")

    def ask(question):
        try:
            channel.write(encode(question))
            line = channel.read()
            if line is None:
                report.finish("gone")
            answer = decode(line)
            if type(answer) is not list or answer[:1] not in KINDS:
                raise NotUnderstood("sent an answer that cannot be understood")
            return answer[0], answer[1:]
        except BrokenPipeError:
            return report.finish("gone")
        except NotUnderstood as error:
            report.add("confused", "", str(error))
            return report.finish("gone")

    def candidate(*args, **named):
        kind, answer = ask(["call", args, named])
        if kind == "raised":
            raise as_exception(*answer)
        value, *changed = answer
        for mine, theirs in zip(args, changed[0] if changed else ()):
            take_back(mine, theirs)
        return value

    def run_check(path):
        if ask(["find", entry])[0] == "missing":
            return "the solution defines no %s" % entry
        namespace = {"__name__": "check"}
        try:
            exec(compile(given, "stub.py", "exec", 0, True), namespace)
        except Exception:
            pass  # the task's file may not run; then its check needs nothing from it
        namespace[entry] = candidate
        exec(compile(texts[path], path, "exec", 0, True), namespace)
        namespace["check"](candidate)
        return None

    kind, answer = ask(["load", seeded == "seeded"])
    if kind == "unloaded":
        report.add("unloaded", *answer)
    else:
        for path in tests:
            seed(seeded)
            report.attempt("check(%s)" % entry, lambda: run_check(path), texts)
    report.finish()


def as_exception(names, message, place):
    """Creates an exception of the nearest built-in type, under its original name."""
    kinds = [vars(builtins).get(name) for name in names]
    base = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)
    kind = type(names[0], (base,), {"__str__": lambda self: message, "place_in_solution": place})
    return kind.__new__(kind, message)


def take_back(mine, theirs):
    """Updates a value in place to its state after the call."""
    if isinstance(mine, list) and isinstance(theirs, list):
        mine[:] = theirs
    elif isinstance(mine, (dict, set)) and type(mine) is type(theirs):
        mine.clear()
        mine.update(theirs)


def seed(seeded):
    if seeded == "seeded":
        import random

        random.seed(0)


main()
