// The tables of docs/studies/same-model.md, of runs that were imported in three ways.
import { difference, holm, markdownTable } from './study-tables.mjs'

const orchestrator = 'orchestrator'
const level = 0.05
const share = (value) => (100 * value).toFixed(1)
const pText = (p) => (p < 0.001 ? '< 0.001' : p.toFixed(3))

/** Each agent with what it solved in both ways. */
export function agentsTable({ failed, missing }) {
  const success = ({ report }, agent) => {
    const { estimate, lower, upper } = methodOf(report, agent).success
    return `${share(estimate)} [${share(lower)}, ${share(upper)}]`
  }
  return markdownTable(
    [
      ...['agent', 'solved', 'no grade', 'no grade failed, % [95%]', 'no grade missing, % [95%]'],
      ...['solved, but out of time', 'flaky tasks'],
    ],
    bestFirst(failed).map((agent) => {
      const own = failed.records.filter(({ method }) => method === agent)
      const passed = own.filter((record) => record.passed)
      const { notGraded } = missing.manifest.imported.rows.find(({ row }) => row === agent)
      return [
        ...[agent, `${passed.length} of ${own.length}`, notGraded],
        ...[success(failed, agent), success(missing, agent)],
        passed.filter(({ outcome }) => outcome.status === 'limited').length,
        failed.report.flips.methods.find(({ label }) => label === agent).flaky.length,
      ]
    }),
  )
}

/** All pairs, those of the orchestrator first; every p is after Holm over all pairs. */
export function pairsTable({ failed, failedByTask, missing }) {
  const order = bestFirst(failed)
  const names = [orchestrator, ...order.filter((agent) => agent !== orchestrator)]
  const inFailed = testsOf(failed)
  const byTask = testsOf(failedByTask)
  const inMissing = testsOf(missing)
  const rows = names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b]))
  return markdownTable(
    [
      ...['pair', 'no grade failed, points [95%]', 'p', 'p by task', 'no grade missing, points [95%]', 'p'],
      ...['p in the worst case', 'different'],
    ],
    rows.map(([a, b]) => {
      const [one, task, other] = [inFailed, byTask, inMissing].map((tests) => tests(a, b))
      const isDifferent =
        one.p < level && other.p < level && one.outcome.estimate * other.outcome.estimate > 0
      return [
        ...[`${a} than ${b}`, difference(one.outcome), pText(one.p), pText(task.p)],
        ...[difference(other.outcome), pText(other.p), pText(other.worstP), isDifferent ? 'yes' : 'no'],
      ]
    }),
  )
}

/** Tasks that most runs of one solve and most of the other do not. */
export function flipsTable({ failed }) {
  const { pairs } = failed.report.flips
  return markdownTable(
    ['against', 'only the orchestrator', 'only the other', 'both', 'neither', 'tie'],
    bestFirst(failed)
      .filter((agent) => agent !== orchestrator)
      .map((agent) => {
        const pair = pairs.find(({ a, b }) => isPair([a, b], orchestrator, agent))
        const lists = pair.a === orchestrator ? [pair.onlyA, pair.onlyB] : [pair.onlyB, pair.onlyA]
        return [agent, ...lists.map((tasks) => tasks.length), pair.both, pair.neither, pair.ties.length]
      }),
  )
}

/** What the files tell of tokens and time. */
export function spendingTable({ failed: { report, ...run } }) {
  return markdownTable(
    [
      'agent',
      'trials with tokens',
      'tokens a trial, over these',
      'of them one task',
      'minutes a task, median',
    ],
    bestFirst({ report, ...run }).map((agent) => {
      const { mean, largest } = methodOf(report, agent).spent.tokens
      const { clockMs } = report.methods.find(({ method }) => method === agent)
      return [
        agent,
        mean.nTrials,
        mean.estimate === null ? 'unknown' : Math.round(mean.estimate).toLocaleString('en'),
        largest === null ? '' : `${share(largest.share)}%`,
        clockMs === null ? 'unknown' : (clockMs / 60_000).toFixed(1),
      ]
    }),
  )
}

const methodOf = ({ comparison }, agent) => comparison.methods.find(({ label }) => label === agent)

const bestFirst = ({ report }) =>
  report.comparison.methods
    .toSorted((a, b) => b.success.estimate - a.success.estimate || (a.label < b.label ? -1 : 1))
    .map(({ label }) => label)

const isPair = (names, a, b) => names.includes(a) && names.includes(b)

/** Returns what finds the tests of two agents: the difference of the first, its p after Holm, and that if missing trials are its worst case. */
function testsOf({ report }) {
  const { pairs } = report.comparison
  const adjusted = holm(pairs.map(({ outcome }) => outcome.missing?.knownP ?? outcome.claimP))
  return (a, b) => {
    const at = pairs.findIndex((pair) => isPair([pair.a, pair.b], a, b))
    const { outcome, adjustedP, ...pair } = pairs[at]
    const [estimate, lower, upper] =
      pair.a === a
        ? [outcome.estimate, outcome.lower, outcome.upper]
        : [-outcome.estimate, -outcome.upper, -outcome.lower]
    return { outcome: { estimate, lower, upper }, p: adjusted[at], worstP: adjustedP }
  }
}
