"""Runs HumanEval-style `check(candidate)` functions, one test a file, in the process of the solution, as the task says.

A solution can fake the results here. The tests see its names, those of the task's version of the file where it has none, and the
module `solution`.
"""
import builtins
import sys

from bench_module import create_module, run_module, seed
from bench_report import BYTE_ORDER_MARK, Report, describe, read, take_job
from bench_values import decode

try:
    from posix import getcwd
except ImportError:  # Windows
    from nt import getcwd


def main():
    token, progress, seeded, entry, stub, solution, *tests = take_job()
    report = Report(token, progress)
    sys.path[0] = getcwd()
    texts = {path: read(path) for path in [solution, *tests]}
    shown = {**dict.fromkeys(tests), solution: texts[solution]}
    own_builtins = dict(vars(builtins))
    report.say("ready")
    namespace = create_module(solution)
    given = {"__name__": "check"}

    def run_check(path):
        if entry not in namespace:
            return "the solution defines no %s" % entry
        names = {**given, **namespace, "__name__": "check"}
        exec(compile(texts[path], path, "exec", 0, True), names)
        names["check"](namespace[entry])
        return None

    try:
        run_module(texts[solution], solution, namespace, seeded)
    except BaseException as error:
        report.add("unloaded", solution, describe(error, texts))
    else:
        # Restores builtins such as len or abs that the solution may have replaced.
        vars(builtins).update(own_builtins)
        try:
            exec(compile(decode(stub).lstrip(BYTE_ORDER_MARK), "stub.py", "exec", 0, True), given)
        except Exception:
            pass  # the task's file may not run; then its check needs nothing from it
        for path in tests:
            seed(seeded)
            report.attempt("check(%s)" % entry, lambda: run_check(path), shown)
    report.finish()


main()
