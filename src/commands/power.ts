import { compareMethods } from '../analysis/compare/compare.ts'
import type { PairComparison } from '../analysis/compare/comparison.ts'
import { planTasks } from '../analysis/compare/pairs/pair-planning.ts'
import { createComparisonData } from '../analysis/compare/rows/comparison-data.ts'
import { type McnemarPlan, mcnemarPlan } from '../analysis/planning/mcnemar-planning.ts'
import { type Refusal, refusals } from '../analysis/refusal.ts'
import { readAmendments } from '../loop/record/amendments.ts'
import { readRecords } from '../loop/record/records.ts'
import { missingSessionsNote, verifyLedgerQuickly } from '../loop/record/verify-ledger.ts'
import { amendmentsText } from '../reports/words/amendments-text.ts'
import { counted } from '../reports/words/numbers.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { rowNames } from '../schema/agent/agent-set.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { compareOptions } from './compare/compare-options.ts'
import { reportInterimLook } from './compare/interim-look.ts'
import { findRunFolder, openRun } from './open/open-run.ts'
import { type PilotOptions, pilotProblems, withPilot } from './session/pilot.ts'
import { reportNote } from './terminal/report-error.ts'
import { parseDecimal, parseWholeNumber } from './values/parse-values.ts'

interface PowerOptions extends PilotOptions {
  difference: string
  power: string
  epochs?: string
  json?: boolean
}

/** Significance level of all pairs together. */
const level = 0.05

/** The plan for a pair of methods, computed from a pilot. */
interface PairPlan {
  a: string
  b: string
  tasks: number
  /** Smallest difference that this number of tasks detects, as a share. */
  detectable: number | null
  /** Why it is null although tasks can be planned, as a run of fewer than six tasks. */
  detectableRefusal: string | null
  /** Tasks that the requested difference requires; the same at the 80% upper limit of the pilot's variance, and with infinitely many epochs. */
  needed: number | null
  neededUpper: number | null
  neededEndlessEpochs: number | null
  /** The same for McNemar's test; only for a pilot of one epoch with pass/fail outcomes, else null. */
  mcnemar: McnemarPlan | null
  /** Epochs of each of the pilot's tasks that detect it, for each method; null if no number does, or epochs are unknown. */
  neededEpochs: number | null
  /** Why `neededEpochs` is null. */
  epochsRefusal: string | null
  refusal: string | null
}

/**
 * `bench power RUN`: reports how many tasks the pairs of a run's family require to detect a difference, and which difference
 * the present tasks detect. `bench power --tasks … --methods …` simulates the pilot, so it plans for what the profile
 * describes. It never computes power at the observed difference.
 */
export default async function power(run: string | undefined, options: PowerOptions): Promise<number> {
  const problems: Problem[] = pilotProblems(run, options)
  const delta = percentToShare(problems, '--difference', options.difference, {
    unit: 'percentage points',
    example: 10,
  })
  const wanted = percentToShare(problems, '--power', options.power, { unit: 'percent', example: 80 })
  if (wanted <= level)
    problems.push({
      where: `--power ${options.power}`,
      what: `is not above the significance level of ${100 * level}%`,
      fix: 'Power is in percent: write --power 80 for 80%.',
    })
  const epochs =
    options.epochs === undefined ? undefined : parseWholeNumber(problems, '--epochs', options.epochs, 5)
  if (problems.length > 0) throw new UserError(problems)
  if (run === undefined)
    // A simulated pilot has many epochs, but the planned run has one by default.
    return await withPilot(options, (folder) =>
      plan(folder, { ...options, delta, wanted, epochs: epochs ?? 1 }),
    )
  const folder = findRunFolder(run)
  return plan(folder, { ...options, delta, wanted, epochs })
}

function plan(
  folder: string,
  {
    delta,
    wanted,
    epochs,
    json,
  }: { delta: number; wanted: number; epochs: number | undefined; json?: boolean },
): number {
  const { manifest } = openRun(folder)
  reportNote(verifyLedgerQuickly(folder))
  reportNote(missingSessionsNote(folder))
  const comparisonData = createComparisonData()
  let records = 0
  for (const record of readRecords(folder)) {
    comparisonData.add(record)
    records++
  }
  if (records === 0 && rowNames(manifest).length > 1)
    throw new UserError({
      where: folder,
      what: 'no trial of this run has ended yet, so there is nothing to plan from',
      fix: `Resume it: bench run --resume ${folder}`,
    })
  const { stop: _, ...compared } = compareOptions(manifest, null)
  const { pairs } = compareMethods(comparisonData, { ...compared, resamples: 1 })
  const amended = amendmentsText(readAmendments(folder))
  const test = { delta, alpha: level / Math.max(1, pairs.length), power: wanted }
  const rows = pairs.map((pair) => planPair(pair, test, epochs))
  reportInterimLook(folder, manifest, records, 'power')
  process.stdout.write(
    json
      ? `${JSON.stringify({ run: folder, simulated: manifest.simulated, ...test, epochs: epochs ?? null, ...(amended !== null && { amended }), pairs: rows }, null, 2)}\n`
      : text(rows, { ...test, simulated: manifest.simulated, epochs, amended }),
  )
  return 0
}

function planPair(
  { a, b, outcome, planning }: PairComparison,
  test: { delta: number; alpha: number; power: number },
  epochs: number | undefined,
): PairPlan {
  const none = {
    ...{
      detectable: null,
      detectableRefusal: null,
      needed: null,
      neededUpper: null,
      neededEndlessEpochs: null,
    },
    ...{ mcnemar: null, neededEpochs: null, epochsRefusal: null },
  }
  const pair = { a, b, tasks: outcome.nTasks }
  // One epoch does not show the noise within tasks, so another number of epochs cannot be planned.
  if (
    planning.parts === null ||
    planning.refusal === 'no-spread' ||
    (epochs && planning.refusal === 'one-epoch')
  )
    return { ...pair, ...none, refusal: textOf(planning.refusal ?? 'no-task') }
  const planned = planTasks({ planning, outcome }, test, epochs)
  if (planned === null) return { ...pair, ...none, refusal: textOf('no-task') }
  const known = planning.refusal !== 'one-epoch'
  const more = known ? planned.more : { epochs: null, refusal: 'one-epoch' as const }
  return {
    ...pair,
    detectable: planned.detectable.mde,
    detectableRefusal: planned.detectable.refusal && refusals[planned.detectable.refusal],
    needed: planned.n,
    neededUpper: planned.nUpper,
    neededEndlessEpochs: known ? planned.nEndlessEpochs : null,
    mcnemar: outcome.interval === 'newcombe' ? mcnemarPlan(outcome.separated / outcome.nTasks, test) : null,
    neededEpochs: more.epochs,
    epochsRefusal: more.refusal && textOf(more.refusal),
    refusal: null,
  }
}

const textOf = (refusal: Refusal) =>
  refusal === 'one-epoch' ? `${refusals[refusal]}; run a pilot with --epochs 2` : refusals[refusal]

function text(
  rows: readonly PairPlan[],
  {
    delta,
    alpha,
    power,
    simulated,
    epochs,
    amended,
  }: {
    delta: number
    alpha: number
    power: number
    simulated: boolean
    epochs: number | undefined
    amended: string | null
  },
): string {
  const percent = (value: number) => Number((100 * value).toPrecision(6))
  const lines = rows.map((row) => {
    const { tasks, detectable, detectableRefusal, needed, neededUpper, neededEndlessEpochs, refusal } = row
    const name = safeLine(`${row.a} - ${row.b}`)
    if (needed === null) return `${name}: ${refusal}`
    const finds =
      detectable === null
        ? `${counted(tasks, 'task')} can detect nothing (${detectableRefusal})`
        : `${counted(tasks, 'task')} can detect ${percent(detectable).toFixed(1)} points`
    const upper =
      neededUpper === null ? '' : `, up to ${neededUpper} at the 80% upper limit of the pilot's variance`
    const endless =
      neededEndlessEpochs === null ? '' : `; even with infinitely many epochs ${neededEndlessEpochs}`
    return `${name}: ${finds}; ${percent(delta)} points require ${counted(needed, 'task')}${upper}${endless}${mcnemarText(row)}; ${epochsText(row)}`
  })
  const each = `${percent(power)}% power, two-sided at ${Number((100 * alpha).toPrecision(3))}% (5% over ${counted(rows.length, 'pair')})${epochs ? `, ${counted(epochs, 'epoch')}` : ', with the epochs of the run'}`
  return `${[
    ...(rows.length === 0 ? ['nothing to compare: the run needs several methods'] : lines),
    `${each}. Valid only if the number of tasks is fixed beforehand, not for running "until significant".`,
    ...(amended === null ? [] : [safeLine(amended)]),
    ...(simulated ? ['Simulated: this plan is valid only for what the profile describes.'] : []),
  ].join('\n')}\n`
}

function mcnemarText({ mcnemar }: PairPlan): string {
  if (!mcnemar) return ''
  const power = mcnemar.power === null ? '' : ` (${(100 * mcnemar.power).toFixed(0)}% power by enumeration)`
  return `; McNemar's test requires ${counted(mcnemar.n, 'task')}${power}`
}

function epochsText({ tasks, neededEpochs, epochsRefusal }: PairPlan): string {
  const those = `on ${tasks === 1 ? 'this task' : `these ${tasks} tasks`}`
  return neededEpochs === null
    ? `${those}: ${epochsRefusal}`
    : `${those} ${counted(neededEpochs, 'epoch')} per task`
}

/** Converts percent to a share between 0 and 1. */
function percentToShare(
  problems: Problem[],
  flag: string,
  given: string,
  { unit, example }: { unit: string; example: number },
): number {
  const value = parseDecimal(given)
  if (value > 0 && value < 100) return value / 100
  problems.push({
    where: `${flag} ${given}`,
    what: `is not a number of ${unit} between 0 and 100`,
    fix: `Write for example ${flag} ${example}.`,
  })
  return 0.5
}
