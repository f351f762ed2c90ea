"""Runs a HumanEval-style check, or the >>> examples of a text, on a solution and reports what they said.

The token that authenticates the report is read, and all that the report needs is taken, before the solution runs.
Modules that are slow to import (json, doctest, traceback) are left out: they would double the cost of a run.
"""
import builtins
import io
import sys

try:
    from posix import _exit, getcwd, write
except ImportError:  # Windows
    from nt import _exit, getcwd, write
try:
    from _json import encode_basestring_ascii as quote
except ImportError:  # another implementation of Python
    from json.encoder import encode_basestring_ascii as quote


def main():
    mode, token, progress, solution, entry, *tests = sys.stdin.read().split("\n")
    sys.path[0] = getcwd()
    texts = {path: read(path) for path in [solution, *tests]}
    seeded = any("random" in text for text in texts.values())
    own_builtins = dict(vars(builtins))
    lines = []

    def say(text):
        put("\n%s %s\n" % (progress, text))

    def add(kind, name, message=""):
        lines.append("%s\t%s\t%s" % (kind, quote(name), quote(message[:2000])))

    def seed():
        if seeded:
            import random

            random.seed(0)

    def attempt(name, work):
        say(quote(name))
        try:
            message = work()
            add("failed" if message else "passed", name, message or "")
        except BaseException as error:  # SystemExit as well: it must not end the run
            add("failed", name, describe(error, texts))

    say("ready")
    module = type(sys)("solution")
    module.__file__ = solution
    sys.modules["solution"] = module
    namespace = module.__dict__
    try:
        seed()
        exec(compile(texts[solution], solution, "exec", 0, True), namespace)
    except BaseException as error:
        add("unloaded", solution, describe(error, texts))
    else:
        # A solution that replaces len or abs does not get to judge itself with them.
        vars(builtins).update(own_builtins)
        for path in tests:
            seed()
            if mode == "check":
                attempt("check(%s)" % entry, lambda: run_check(texts[path], path, entry, namespace))
                continue
            for source, want in examples(texts[path]):
                attempt(source, lambda: run_example(source, want, namespace, own_builtins))
    put("\n%s\n%s\n%s end\n" % (token, "\n".join([*lines, "finished"]), token))


def run_check(text, path, entry, namespace):
    if entry not in namespace:
        return "the solution defines no %s" % entry
    candidate = namespace[entry]
    exec(compile(text, path, "exec", 0, True), namespace)
    namespace["check"](candidate)


def run_example(source, want, namespace, own_builtins):
    """What is wrong with the example's result; None where it is as wanted."""
    printed, before = io.StringIO(), sys.stdout
    sys.stdout = printed
    value, raised = None, None
    try:
        try:
            code = compile(source, "<example>", "eval", 0, True)
        except SyntaxError:
            exec(compile(source, "<example>", "exec", 0, True), namespace)
        else:
            value = eval(code, namespace)
    except BaseException as error:
        raised = error
    finally:
        sys.stdout = before
    if want.startswith("Traceback"):
        expected = want.split("\n")[-1].split(":")[0].strip().split(".")[-1]
        if type(raised).__name__ == expected:
            return None
        return "expected %s, got %s" % (expected, outcome(value, raised))
    if raised is not None:
        return "expected %s, got %s" % (want or "no error", outcome(value, raised))
    got = printed.getvalue() + ("" if value is None else repr(value))
    # `>>> f(1) == 2` without a line below it says that this is true.
    if got.strip() == want.strip() or (not want and value is True) or same_value(value, want, own_builtins):
        return None
    wanted = want or ("True" if value is False else "nothing")
    return "expected %s, got %s" % (wanted, got.strip() or "nothing")


def same_value(value, want, own_builtins):
    """Examples are written by hand: "a" for 'a', 2 for 2.0 and other spaces mean the same."""
    try:
        expected = eval(want, {"__builtins__": own_builtins})
        return isinstance(expected, bool) == isinstance(value, bool) and bool(expected == value)
    except Exception:
        return False


def examples(text):
    """Pairs of source and wanted output, as in a docstring."""
    found, in_want = [], False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(">>>"):
            found.append([[bare[3:].strip()], []])
            in_want = False
        elif found and not in_want and line.lstrip().startswith("..."):
            found[-1][0].append(line.lstrip()[4:])
        elif found and bare and found[-1] is not None:
            found[-1][1].append(bare)
            in_want = True
        elif found and not bare:
            found.append(None)
    return [("\n".join(source), "\n".join(want)) for source, want in filter(None, found)]


def outcome(value, raised):
    return repr(value) if raised is None else describe(raised, {})


def describe(error, texts):
    """Kind and message of an exception, and the last line of the task's files that it passed through."""
    try:
        name = type(error).__name__
        if isinstance(error, SyntaxError):
            return "%s: %s (%s, line %s)" % (name, error.msg, error.filename, error.lineno)
        place, step = "", error.__traceback__
        while step is not None:
            path, number = step.tb_frame.f_code.co_filename, step.tb_lineno
            if path in texts:
                place = " (%s:%d: %s)" % (path, number, texts[path].split("\n")[number - 1].strip())
            step = step.tb_next
        message = str(error)
        return "%s%s%s" % (name, ": " + message if message else "", place)
    except BaseException:
        return "raised something that cannot be read"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def put(text):
    rest = text.encode("utf-8", "backslashreplace")
    while rest:
        rest = rest[write(1, rest):]


main()
# At once: threads and exit handlers of the solution are none of our business.
_exit(0)
