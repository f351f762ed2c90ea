import { dollarMark } from '../../analysis/evidence.ts'
import { noBudgets } from '../../loop/budget/run-budget.ts'
import type { SettledSession } from '../../loop/join/shared-session.ts'
import { blocksOfShard } from '../../loop/plan/block-order.ts'
import { amountText, budgetsText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { wholeRunId } from '../../schema/run/same-run.ts'
import type { Problem } from '../../text/errors.ts'
import type { BudgetOption } from '../config/budget-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import {
  parseShard,
  type ShardOption,
  shareBudgets,
  shareTyped,
  wholeRunProblems,
} from '../config/shard-option.ts'

/** Which part of a run its folder does, and the limits of its session: of a shard its share of those of the run. */
export interface Split {
  shard: ShardOption | undefined
  share: Budgets
}

/** Reads which part of a run its folder does. Adds every problem. */
export function splitRun(options: RunOptions, budgets: Budgets, problems: Problem[]): Split {
  const shard = parseShard(problems, options)
  return { shard, share: shard ? shareBudgets(problems, budgets, shard.of) : budgets }
}

/** Returns the manifest of the part, with a note of what it is. */
export function takePart(
  manifest: RunManifest,
  { shard, share }: Split,
): { manifest: RunManifest; notes: string[] } {
  if (!shard) return { manifest, notes: [] }
  const { index, of, from } = shard
  const own = { index, of, run: wholeRunId(manifest) }
  const trials = (manifest.trials / manifest.tasks.length) * blocksOfShard(manifest, own).length
  const limits = budgetsText(share, dollarMark(manifest))
  const note = `shard ${index} of ${of}${from === undefined ? '' : `, a number from ${from}`}: ${trials} of ${counted(manifest.trials, 'trial')}`
  return {
    manifest: { ...manifest, trials, shard: own },
    notes: [limits === '' ? note : `${note}; its share of the limits: ${limits}`],
  }
}

/**
 * Returns the limits of a run that goes on: those of its last session, and those that are typed, of a shard its share. A run that was
 * joined has its limits whole. Adds a problem for what a shard cannot have, and returns notes of its share.
 */
export function limitsToGoOn(
  manifest: RunManifest,
  last: SettledSession | undefined,
  { typed, asked }: { typed: readonly BudgetOption[]; asked: RunOptions },
  problems: Problem[],
): { before: Budgets; limits: readonly BudgetOption[]; notes: string[] } {
  const { shard, budgets = noBudgets } = manifest
  if (!shard) return { before: last && !last.shard ? last.budgets : budgets, limits: typed, notes: [] }
  problems.push(...wholeRunProblems(asked))
  const before = last?.budgets ?? shareBudgets(problems, budgets, shard.of)
  const limits = shareTyped(problems, typed, shard.of)
  const notes = limits.flatMap(({ where, unit, amount }, i) => {
    if (amount === null || amount === typed[i]?.amount) return []
    const share = amountText(unit, amount, dollarMark(manifest))
    return [`${where} is for the whole run, of which this shard has 1/${shard.of}: ${share}`]
  })
  return { before, limits, notes }
}
