# The bootstrap of resampling.mjs by scipy.stats.bootstrap, a call for each pair and metric. Standard input: its data.
# Prints CPU milliseconds of that part and the first interval.
import json
import sys
import time

import numpy as np
import scipy
from scipy import stats

columns = [np.array(column) for column in json.load(sys.stdin)]
pairs = [
    (2 * a + metric, 2 * b + metric) for metric in (0, 1) for a in range(8) for b in range(a + 1, 8)
]
generator = np.random.default_rng(1)
first = None
started = time.process_time()
for a, b in pairs:
    interval = stats.bootstrap(
        (columns[a] - columns[b],),
        np.mean,
        n_resamples=10_000,
        method="percentile",
        vectorized=True,
        random_state=generator,
    ).confidence_interval
    first = first or {"lower": interval.low, "upper": interval.high}
cpu = (time.process_time() - started) * 1000
json.dump({"cpuMs": cpu, "pairs": len(pairs), "first": first, "version": scipy.__version__}, sys.stdout)
