"""Runs a program and tells the processor time of all that came of it: `whole-tree.py FILE PROGRAM ARGUMENT...` writes
`{"cpuMs": ...}` to FILE and ends with the program's exit code.

A sandbox's first process is not waited for by the one that started it, so what ran inside is lost to whoever reads the
times of its children. Here it is not: whatever loses its parent becomes a child of this process (a child subreaper, which
only Linux has), is waited for, and so counted with all that it had waited for itself.
"""

import ctypes
import json
import os
import resource
import sys

PR_SET_CHILD_SUBREAPER = 36

file, *command = sys.argv[1:]
if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
    sys.exit("whole-tree.py: this system has no child subreaper")
first = os.posix_spawnp(command[0], command, os.environ)
status = 0
while True:
    try:
        pid, ended = os.wait()
    except ChildProcessError:
        break
    if pid == first:
        status = ended
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(file, "w") as out:
    json.dump({"cpuMs": (used.ru_utime + used.ru_stime) * 1000}, out)
sys.exit(os.waitstatus_to_exitcode(status))
