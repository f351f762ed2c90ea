import { median } from 'simple-statistics'
import { groupBy } from '../base/grouping.ts'
import type { ToolRun, TrialRecord } from '../schema/ledger/record.ts'

/** What compact reports of tools saved over some runs of tools; estimated tokens. */
export interface SavingSums {
  runs: number
  /** Tokens of what the tools printed, and of their reports. */
  rawTokens: number
  compactTokens: number
  /** 1 - report / output, of the sums; below 0 where reports are the longer ones. Null: the tools printed nothing. */
  share: number | null
  /** The median of the same over the runs that printed something. */
  medianShare: number | null
}

/** The sums of one method, and those of each stage and tool. */
export interface ToolSavings extends SavingSums {
  /** Trials in which a tool ran. */
  trials: number
  parts: ({ stage: string; tool: string } & SavingSums)[]
}

/** Runs of tools in the trials of a method. */
export interface ToolRunTally {
  trials: number
  runs: ToolRun[]
}

/** Adds the runs of a trial's tools. */
export function addToolRuns(tally: ToolRunTally, { savings }: TrialRecord): void {
  if (!savings) return
  tally.trials++
  for (const run of savings) tally.runs.push(run)
}

/** Returns the sums of a method; nothing if no tool ran. */
export function toolSavings(tally: ToolRunTally): { savings?: ToolSavings } {
  if (tally.runs.length === 0) return {}
  const groups = groupBy(tally.runs, ({ stage, tool }) => `${stage}\n${tool}`)
  const parts = [...groups.values()].map((runs) => {
    const [{ stage, tool }] = runs
    return { stage, tool, ...sumRuns(runs) }
  })
  return { savings: { trials: tally.trials, ...sumRuns(tally.runs), parts } }
}

/** Sums up runs of tools. */
export function sumRuns(runs: readonly Omit<ToolRun, 'stage' | 'tool'>[]): SavingSums {
  const sum = (of: 'rawTokens' | 'compactTokens') => runs.reduce((total, run) => total + run[of], 0)
  const [rawTokens, compactTokens] = [sum('rawTokens'), sum('compactTokens')]
  const shares = runs.flatMap((run) => shareOf(run) ?? [])
  return {
    runs: runs.length,
    rawTokens,
    compactTokens,
    share: shareOf({ rawTokens, compactTokens }),
    medianShare: shares.length === 0 ? null : median(shares),
  }
}

const shareOf = ({
  rawTokens,
  compactTokens,
}: Pick<SavingSums, 'rawTokens' | 'compactTokens'>): number | null =>
  rawTokens === 0 ? null : 1 - compactTokens / rawTokens
