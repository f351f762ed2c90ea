import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { chained } from '../../../strategies/chained.ts'

/** The chain with other programs in place of some of its own. */
export const chainedWith = (programs: Readonly<Record<string, string>>): Strategy => ({
  ...(chained as Strategy),
  run: (context) => chained.run({ ...context, programs: { ...context.programs, ...programs } } as never),
})

/** A stage that does its work, in a few lines: `code` may use `state` and `write`, which replaces the state file whole. */
export const stageProgram = (
  code: string,
): string => `import { readFileSync, renameSync, writeFileSync } from 'node:fs'
const path = process.env.BENCH_STATE
const state = JSON.parse(readFileSync(path, 'utf8'))
const write = (value) => {
  writeFileSync(path + '.draft', JSON.stringify(value))
  renameSync(path + '.draft', path)
}
${code}
`

/** The final state of a played chain, and how its stages ended. */
export const chainOfTrial = ({ record }: { record: TrialRecord }) =>
  record.state as unknown as {
    state: ChainState
    ends: { stage: string; exit: number | null; broken?: string }[]
  }
