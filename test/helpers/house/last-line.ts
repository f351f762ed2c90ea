import type { Reporter, TestModule } from 'vitest/node'

/** How the tests of a run ended. */
export interface Counts {
  passed: number
  failed: number
  /** The name of each test that was left out. */
  skipped: readonly string[]
}

/** One line: how many tests passed and failed, and how many were left out for what they need; see `needs`. */
export function lastLine({ passed, failed, skipped }: Counts): string {
  const reasons = new Map<string, number>()
  for (const name of skipped) {
    const needed = [...name.matchAll(/\(needs ([^()]+)\)/g)].map(([, what]) => what).join(' and ')
    reasons.set(needed, (reasons.get(needed) ?? 0) + 1)
  }
  const parts = [...reasons]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([needed, count]) => reason(needed, count))
  const counts = `${number(passed)} passed, ${number(failed)} failed, ${number(skipped.length)} skipped`
  return parts.length === 0 ? counts : `${counts}: ${parts.join(', ')}`
}

const reason = (needed: string, count: number): string => {
  if (needed === '') return `${number(count)} for another reason`
  return `${number(count)} ${count === 1 ? 'needs' : 'need'} ${needed}`
}

const number = (value: number) => value.toLocaleString('en')

/** Counts the tests of modules that have run. A module that failed without a failed test counts as one. */
function countsOf(modules: readonly TestModule[], errors: number): Counts {
  const counts = { passed: 0, failed: errors, skipped: [] as string[] }
  for (const module of modules) {
    const failedBefore = counts.failed
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed++
      else if (state === 'failed') counts.failed++
      else counts.skipped.push(test.fullName)
    }
    if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed++
  }
  return counts
}

/** Prints the line when all other reporters have printed theirs. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    process.stdout.write(`${lastLine(countsOf(modules, errors.length))}\n`)
  }
}
