"""Runs files of Python's unittest in the process of the solution, as the task says, or as visible checks.

A solution can fake the results here, but what it replaces in builtins and in unittest is restored and reported, and a process that it ends
reports nothing. Test files are loaded from memory: a changed file changes no test.
"""
import builtins
import sys
import unittest
import unittest.case
import unittest.mock
import unittest.suite

from bench_module import seed
from bench_report import Report, describe, read, take_job

try:
    from posix import getcwd
except ImportError:  # Windows
    from nt import getcwd

# What a solution could replace so that wrong tests pass.
WATCHED = [unittest, unittest.case, unittest.suite, unittest.TestCase, unittest.TestSuite, unittest.mock.Mock]
PARTS = frozenset(dir(unittest.TestCase))


def main():
    token, progress, seeded, secret, files, *guarded = take_job()
    report = Report(token, progress)
    sys.path[0] = getcwd()
    sources = {path: read(path) for path in guarded}
    tests = Tests(sources)
    sys.meta_path.insert(0, tests)
    kept = {owner: dict(vars(owner)) for owner in WATCHED}
    own_builtins = dict(vars(builtins))
    shown = dict.fromkeys(sources) if secret else sources
    result = Result(report, shown)
    modules = []

    def restore(test=None):
        """Puts back what was replaced, and reports that of unittest and of the test's own class and instance."""
        vars(builtins).update(own_builtins)
        for owner, names in kept.items():
            for name, value in [*names.items()] if owner in WATCHED else ():
                if vars(owner).get(name) is not value and not name.startswith("__"):
                    setattr(owner, name, value)
                    report.add("changed", "unittest")
            if isinstance(owner, type) and replaces_part(vars(owner), names):
                report.add("changed", "unittest")
        if test is not None and (type(test) not in kept or replaces_part(vars(test), {})):
            report.add("changed", "unittest")

    result.restore = restore
    report.say("ready")
    seed(seeded)
    for path in files.split("\0"):
        try:
            modules.append((path, tests.load(path)))
        except BaseException as error:
            report.add("unloaded", path, describe(error, shown))
        restore()
    for path, module in modules:
        try:
            suite = unittest.TestLoader().loadTestsFromModule(module)
            for owner in classes_in(suite):
                kept.setdefault(owner, dict(vars(owner)))
            suite.run(result)
        except BaseException as error:
            report.add("unloaded", path, describe(error, shown))
        restore()
    report.finish()


def classes_in(suite):
    """Yields the classes of all tests in a suite, with their bases."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from classes_in(test)
        else:
            yield from type(test).__mro__[:-1]


def replaces_part(now, before):
    """Whether a class or an instance has another assert, test or part of `unittest.TestCase` than before."""

    def matters(name):
        return name.startswith(("assert", "__")) or name in PARTS or name in before and name.startswith("test")

    return any(
        now.get(name) is not before.get(name) and matters(name) and (callable(now.get(name)) or name not in now)
        for name in {*now, *before}
    )


class Tests:
    """Finds the modules of test files, whose texts were read before the solution ran."""

    def __init__(self, sources):
        self.paths = {path[:-3].replace("/", "."): path for path in sources if path.endswith(".py")}
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        if name not in self.paths:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, origin=self.paths[name])

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        path = self.paths[module.__name__]
        module.__file__ = path
        exec(compile(self.sources[path], path, "exec", 0, True), module.__dict__)

    def load(self, path):
        from importlib import import_module

        return import_module(path[:-3].replace("/", "."))


class Result(unittest.TestResult):
    """Hands each result to the report."""

    def __init__(self, report, shown):
        super().__init__()
        self.report, self.shown, self.restore, self.outcome = report, shown, None, {}

    def startTest(self, test):
        self.restore()
        self.outcome[name_of(test)] = None
        self.report.say(quoted(name_of(test)))

    def stopTest(self, test):
        name = name_of(test)
        self.restore(test)
        kind, message = self.outcome.pop(name) or ("failed", "ended without a result")
        self.report.add(kind, name, message)

    def addSuccess(self, test):
        self.note(test, "passed", "")

    def addSkip(self, test, reason):
        self.note(test, "skipped", "")

    def addExpectedFailure(self, test, error):
        self.note(test, "passed", "")

    def addUnexpectedSuccess(self, test):
        self.note(test, "failed", "passed, but was expected to fail")

    def addFailure(self, test, error):
        self.note(test, "failed", describe(error[1], self.shown))

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note(test, "failed", describe(error[1], self.shown))

    def note(self, test, kind, message):
        name = name_of(test)
        if name not in self.outcome:
            # A fixture of a class or a module.
            self.report.add(kind, name, message)
        elif self.outcome[name] is None or self.outcome[name][0] != "failed":
            self.outcome[name] = (kind, message)


def name_of(test):
    method = getattr(test, "_testMethodName", None)
    return str(test) if method is None else "%s.%s" % (type(test).__name__, method)


def quoted(text):
    from bench_report import quote

    return quote(text)


main()
