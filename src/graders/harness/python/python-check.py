"""Runs HumanEval-style `check(candidate)` functions, one test a file, on a solution that runs in another process.

`candidate` sends its arguments by value, and gives them their new contents if the call has changed them. Helpers that a check uses come from
the task's version of the file, never from the solution.
"""
import bench_values
from bench_calls import ask_call
from bench_link import connect
from bench_module import seed
from bench_report import BYTE_ORDER_MARK, Report, read, take_job
from bench_values import decode, foreign_kinds


def reach():
    import bench_library


def main():
    token, progress, seeded, entry, stub, *tests = take_job()
    report = Report(token, progress)
    texts = {path: read(path) for path in tests}
    given = decode(stub).lstrip(BYTE_ORDER_MARK)

    def end(problem):
        if problem is not None:
            report.add("confused", "", problem)
        report.finish("gone")

    bench_values.reach = reach
    link = connect({}, {}, end)
    report.say("ready")

    last = []

    def candidate(*args, **named):
        last[:] = [args, named]
        value = ask_call(("call",), args, named)
        last.append(value)
        return value

    def remark():
        return last_call(entry, *last) + explain_foreign()

    def run_check(path):
        foreign_kinds.clear()
        last.clear()
        if link.ask(("value", "missing"), "find", entry)[0] == "missing":
            return "the solution defines no %s" % entry
        namespace = bench_values.own = {"__name__": "check"}
        try:
            exec(compile(given, "stub.py", "exec", 0, True), namespace)
        except Exception:
            pass  # the task's file may not run; then its check needs nothing from it
        namespace[entry] = candidate
        exec(compile(texts[path], path, "exec", 0, True), namespace)
        namespace["check"](candidate)
        return None

    kind, *answer = link.ask(("value", "unloaded"), "load", seeded)
    if kind == "unloaded":
        report.add("unloaded", *answer)
    else:
        for path in tests:
            seed(seeded)
            report.attempt("check(%s)" % entry, lambda: run_check(path), dict.fromkeys(tests), remark)
    report.finish()


def last_call(entry, args=None, named=None, *returned):
    """States the last call of the solution: the message of an assert may name no values."""
    if args is None:
        return ""
    try:
        from reprlib import Repr

        short = Repr()
        short.maxstring = short.maxother = 60
        given = [*map(short.repr, args), *("%s=%s" % (name, short.repr(value)) for name, value in named.items())]
        answer = ", which returned %s" % short.repr(returned[0]) if returned else ""
        return "; the last call was %s(%s)%s" % (entry, ", ".join(given), answer)
    except Exception:
        return ""  # a value that has no text


def explain_foreign():
    """Explains a failure by values that the tests could not read."""
    kinds = ", ".join(dict.fromkeys(foreign_kinds[:100]))
    return "; the solution returned what tests in another process cannot read: %s" % kinds if kinds else ""


main()
