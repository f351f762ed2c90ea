"""The process of the solution: loads it, and calls its function on request of the checking process."""
import sys

import bench_values
from bench_calls import answer_call
from bench_errors import raised
from bench_link import connect
from bench_module import create_module, run_module
from bench_report import describe, read

try:
    from posix import _exit, getcwd
except ImportError:  # Windows
    from nt import _exit, getcwd


def reach():
    import bench_library


def main(path, entry):
    # What the harness imports later must not hide a module of the solution.
    sys.path[:] = [getcwd(), *sys.path[1:], sys.path[0]]
    texts = {path: read(path)}
    namespace = create_module(path)
    bench_values.own, bench_values.reach = namespace, reach

    def load(seeded):
        try:
            run_module(texts[path], path, namespace, seeded)
            return ["value", None]
        except BaseException as error:
            return ["unloaded", path, describe(error, texts)]

    def find(name):
        return ["value", None] if name in namespace else ["missing"]

    def call(args, named):
        try:
            return answer_call(namespace[entry], args, named)
        except BaseException as error:
            return raised(error, texts)

    link = connect({"load": load, "find": find, "call": call}, texts, lambda problem: _exit(0))
    while True:
        values = {}
        link.answer(link.receive({}, values), values)


main(*sys.argv[1:])
