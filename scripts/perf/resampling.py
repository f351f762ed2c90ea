"""The bootstrap of resampling.mjs by scipy.stats.bootstrap, a call for each pair and metric: `resampling.py ROUNDS`.

Reads the columns from standard input. Prints the CPU milliseconds of each round, and the intervals.
"""

import json
import sys
import time

import numpy as np
import scipy
from scipy import stats

columns = [np.array(column) for column in json.load(sys.stdin)]
pairs = [(a, b) for a in range(len(columns)) for b in range(a + 2, len(columns), 2)]
generator = np.random.default_rng(1)


def interval(a, b):
    data = (columns[a] - columns[b],)
    options = {"n_resamples": 10_000, "method": "percentile", "vectorized": True, "random_state": generator}
    return list(stats.bootstrap(data, np.mean, **options).confidence_interval)


cpu = []
for _ in range(int(sys.argv[1])):
    started = time.process_time()
    intervals = [interval(a, b) for a, b in pairs]
    cpu.append((time.process_time() - started) * 1000)
json.dump({"cpuMs": cpu, "intervals": intervals, "version": scipy.__version__}, sys.stdout)
