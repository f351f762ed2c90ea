"""Runs a program and tells what it and all that came of it used: `whole-tree.py FILE PROGRAM ARGUMENT...`.

Writes `{"cpuMs": ..., "peakMiB": ..., "sandboxes": ...}` to FILE and ends with the program's exit code. `peakMiB` is the
memory of the largest process. As a child subreaper it waits until everything has ended.

Times of children do not hold what ran inside a sandbox: nobody waits for its first process. So the program runs in a
control group of its own where that is possible (Linux, as root), which counts all of it; `sandboxes` tells.
"""

import ctypes
import json
import os
import resource
import sys

PR_SET_CHILD_SUBREAPER = 36


def make_group():
    """A new group below our own, the file that counts its time, and that file's units in a millisecond."""
    for line in open("/proc/self/cgroup"):
        _, controllers, path = line.strip().split(":", 2)
        if "cpuacct" in controllers.split(","):
            parent, counter, units = "/sys/fs/cgroup/cpuacct" + path, "cpuacct.usage", 1e6
        elif controllers == "" and os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
            parent, counter, units = "/sys/fs/cgroup" + path, "cpu.stat", 1e3
        else:
            continue
        group = os.path.join(parent, f"bench-perf-{os.getpid()}")
        os.mkdir(group)
        return group, os.path.join(group, counter), units
    raise OSError("no control group counts processor time")


def run(command, group):
    first = os.fork()
    if first == 0:
        if group:
            with open(os.path.join(group, "cgroup.procs"), "w") as procs:
                procs.write(str(os.getpid()))
        os.execvp(command[0], command)
    code = 0
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return code
        if pid == first:
            code = os.waitstatus_to_exitcode(status)


file, *command = sys.argv[1:]
try:
    group, counter, units = make_group()
except OSError:
    group = None
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
code = run(command, group)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = (used.ru_utime + used.ru_stime) * 1000
if group:
    cpu = float(open(counter).readline().split()[-1]) / units
    os.rmdir(group)
peak = used.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
json.dump({"cpuMs": cpu, "peakMiB": peak, "sandboxes": group is not None}, open(file, "w"))
sys.exit(code)
