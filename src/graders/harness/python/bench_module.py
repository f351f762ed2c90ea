"""Loads the solution as the module `solution`, so that no part for `__main__` runs."""
import sys


def create_module(path):
    """Returns the names of a new module, which others can import."""
    module = type(sys)("solution")
    module.__file__ = path
    sys.modules["solution"] = module
    return module.__dict__


def run_module(text, path, namespace, seeded):
    seed(seeded)
    exec(compile(text, path, "exec", 0, True), namespace)


def seed(seeded):
    if seeded == "seeded":
        import random

        random.seed(0)
