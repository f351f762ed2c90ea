import type { TestResults } from '../../src/schema/stage/tool-reports.ts'

/** A report, and the runner that it is of. */
interface Run {
  name: string
  report: TestResults
}

/**
 * Returns one report for the tests of several runners. A runner that is not installed says nothing beside one that ran: it stands
 * under `not_run`, as do `others`, the runners that are not run here.
 */
export function mergeTestResults(runs: readonly Run[], others: readonly string[]): TestResults {
  const ran = runs.some(({ report }) => !isAbsent(report))
    ? runs.filter(({ report }) => !isAbsent(report))
    : runs
  const absent = runs.filter((run) => !ran.includes(run)).map(({ name }) => `${name} is not installed`)
  const not_run = [...absent, ...others.map((name) => `${name} is not one of the runners`)]
  const reports = ran.map(({ report }) => report)
  const raws = reports.flatMap(({ raw }) => (raw ? [raw] : []))
  const sum = (name: keyof TestResults['summary']) =>
    reports.reduce((total, { summary }) => total + summary[name], 0)
  return {
    success: reports.every(({ success }) => success),
    summary: { total: sum('total'), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    failures: reports.flatMap(({ failures }) => failures),
    ...(not_run.length > 0 && { not_run }),
    ...(raws.length > 0 && {
      raw: {
        reason: raws.map(({ reason }) => reason).join('; '),
        text: raws.map(({ text }) => text).join('\n'),
      },
    }),
  }
}

/** Whether no test was run, since the runner is not on this machine. */
const isAbsent = ({ summary, raw }: TestResults): boolean =>
  summary.total === 0 &&
  raw !== undefined &&
  (/^\w+ is not installed/.test(raw.reason) ||
    /^(?:spawnSync |spawn )?python3 ENOENT$|^[^\n]*: No module named pytest$/.test(raw.text.trim()))
