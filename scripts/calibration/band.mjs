// How often a procedure that keeps its 5% may be wrong in so many experiments.

/** Maximum number of accepted errors in 1,000 experiments. */
const mostOfThousand = 69
const rate = 0.05

/**
 * The most errors accepted in `experiments`: 69 of 1,000, else the least number that the same share of procedures with an
 * error rate of 5% stays within (binomial, 99.5%).
 */
export function mostErrors(experiments) {
  const beyond = 1 - sharesUpTo(1000)[mostOfThousand]
  const shares = sharesUpTo(experiments)
  return shares.findIndex((share) => 1 - share <= beyond)
}

/** P(X <= k) for k = 0, 1, …, of a binomial number of errors; the powers in logarithms, which do not underflow. */
function sharesUpTo(n) {
  const shares = []
  let log = n * Math.log(1 - rate)
  let sum = 0
  for (let k = 0; k <= n; k++) {
    sum += Math.exp(log)
    shares.push(Math.min(1, sum))
    log += Math.log((n - k) / (k + 1)) + Math.log(rate / (1 - rate))
  }
  return shares
}
