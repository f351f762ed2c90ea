"""Runs the >>> examples of text files on a solution in the same process, since a method sees them anyway."""
import builtins
import io
import sys

from bench_module import create_module, run_module, seed
from bench_report import Report, describe, read, take_job

try:
    from posix import getcwd
except ImportError:  # Windows
    from nt import getcwd


def main():
    token, progress, seeded, solution, *tests = take_job()
    report = Report(token, progress)
    sys.path[0] = getcwd()
    texts = {path: read(path) for path in [solution, *tests]}
    own_builtins = dict(vars(builtins))
    report.say("ready")
    namespace = create_module(solution)
    try:
        run_module(texts[solution], solution, namespace, seeded)
    except BaseException as error:
        report.add("unloaded", solution, describe(error, texts))
    else:
        # Restores builtins such as len or abs that the solution may have replaced.
        vars(builtins).update(own_builtins)
        for path in tests:
            seed(seeded)
            for source, want in examples(texts[path]):
                report.attempt(source, lambda: run_example(source, want, namespace, own_builtins), texts)
    report.finish()


def run_example(source, want, namespace, own_builtins):
    """Returns what is wrong with the example's result; None if it is as expected."""
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
    # `>>> f(1) == 2` without a line below it expects True.
    if got.strip() == want.strip() or (not want and value is True) or same_value(value, want, own_builtins):
        return None
    wanted = want or ("True" if value is False else "nothing")
    return "expected %s, got %s" % (wanted, got.strip() or "nothing")


def same_value(value, want, own_builtins):
    """Compares values, since examples are written by hand: "a" equals 'a', and 2 equals 2.0."""
    try:
        expected = eval(want, {"__builtins__": own_builtins})
        return isinstance(expected, bool) == isinstance(value, bool) and bool(expected == value)
    except Exception:
        return False


def examples(text):
    """Returns pairs of source and expected output, as in a docstring."""
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



main()
