"""Runs a program and tells the processor time of all that came of it: `whole-tree.py FILE PROGRAM ARGUMENT...` writes
`{"cpuMs": ...}` to FILE and ends with the program's exit code.

Times of children do not hold what ran inside a sandbox: nobody waits for its first process, and the kernel forgets the
times of what it ends together with that one. So the program runs in a control group of its own, which counts all that
ran there (Linux, as root). As a child subreaper this process waits until everything in it has ended.
"""

import ctypes
import json
import os
import sys

PR_SET_CHILD_SUBREAPER = 36


def counting_group():
    """A fresh group below our own, and the file that counts its time with the file's units in a millisecond."""
    for line in open("/proc/self/cgroup"):
        _, controllers, path = line.strip().split(":", 2)
        if "cpuacct" in controllers.split(","):
            return "/sys/fs/cgroup/cpuacct" + path, "cpuacct.usage", 1e6
        if controllers == "" and os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
            return "/sys/fs/cgroup" + path, "cpu.stat", 1e3
    sys.exit("whole-tree.py: this system has no control group that counts processor time")


file, *command = sys.argv[1:]
parent, counter, units = counting_group()
group = os.path.join(parent, f"bench-perf-{os.getpid()}")
os.mkdir(group)
try:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    first = os.fork()
    if first == 0:
        with open(os.path.join(group, "cgroup.procs"), "w") as procs:
            procs.write(str(os.getpid()))
        os.execvp(command[0], command)
    status = 0
    while True:
        try:
            pid, ended = os.wait()
        except ChildProcessError:
            break
        if pid == first:
            status = ended
    with open(os.path.join(group, counter)) as usage:
        used = float(usage.readline().split()[-1])
finally:
    os.rmdir(group)
with open(file, "w") as out:
    json.dump({"cpuMs": used / units}, out)
sys.exit(os.waitstatus_to_exitcode(status))
