import { counted } from '../reports/words/numbers.ts'
import type { FoundHistory } from './find-history.ts'

const mostNamed = 20

/** Returns what a reader of a history must know of its runs: which are left out and why, which are not whole, and what changed between them. */
export function historyNotes({ folder, runs, leftOut, unjoined }: FoundHistory): string[] {
  const open = runs.filter(({ recorded, trials }) => recorded < trials)
  const graders = new Set(runs.flatMap((run) => run.graders ?? []))
  return [
    ...(leftOut.length > 0
      ? [`${counted(leftOut.length, 'run')} in ${folder} ${leftOut.length === 1 ? 'is' : 'are'} left out:`]
      : []),
    ...leftOut.slice(0, mostNamed).map(({ why }) => why.split('\n', 1)[0] ?? ''),
    ...(leftOut.length > mostNamed
      ? [`${leftOut.length - mostNamed} more: bench history --json lists them`]
      : []),
    ...open
      .slice(0, mostNamed)
      .map(
        ({ run, recorded, trials }) =>
          `${run} is not whole: ${recorded} of ${counted(trials, 'trial')} count`,
      ),
    ...unjoined.slice(0, mostNamed),
    ...(graders.size > 1
      ? [
          `these runs were graded by ${graders.size} versions of bench's graders, which may judge alike or not`,
        ]
      : []),
  ]
}
