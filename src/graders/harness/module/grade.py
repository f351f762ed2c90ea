"""Calls the function `grade` of a task's module with what was handed in, and reports what it returns under a secret token.

The work is data in the job: no file of it is in this folder.
"""

import importlib.util
import json
import math
import os
import sys
import traceback

leave = os._exit
job = json.loads(sys.stdin.buffer.read().decode("utf-8"))
token, file = job.pop("token"), job.pop("file")
job.pop("typescript", None)
dumps = json.dumps
write = os.write


def say(message):
    sys.stderr.flush()
    data = f"\n{token} {dumps(message)}\n".encode()
    while data:
        data = data[write(2, data) :]


def plain(value):
    """Returns a value that JSON can hold: NaN and infinite numbers become texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    # A number of numpy.
    return plain(value.item()) if hasattr(value, "item") else str(value)


def describe(error):
    """Returns the kind and message of an error, and the last of its places that is in the task's tests."""
    here = os.getcwd() + os.sep
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(here + "tests" + os.sep)]
    place = f" ({own[-1].filename[len(here):]}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


say({"ready": True})
try:
    path = os.path.abspath(file)
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("bench_grader", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_grader"] = module
    spec.loader.exec_module(module)
    if callable(getattr(module, "grade", None)):
        say({"returned": dumps(plain(module.grade(job)))})
    else:
        say({"lacks": "grade"})
except Exception as error:
    say({"threw": describe(error)})
leave(0)
