import { compareMethods } from '../analysis/compare/compare.ts'
import { createComparisonData } from '../analysis/compare/rows.ts'
import { meanUsd, planPair, planRun } from '../analysis/compare/run-plan.ts'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { readAmendments } from '../loop/record/amendments.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { readRecords } from '../loop/record/records.ts'
import { missingSessionsNote, verifyLedgerQuickly } from '../loop/record/verify-ledger.ts'
import { amendmentsText } from '../reports/words/amendments-text.ts'
import { rowNames } from '../schema/agent/agent-set.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { compareOptions } from './compare/compare-options.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import { findRunFolder } from './open/named-runs.ts'
import { openRun } from './open/open-run.ts'
import { powerText } from './power/power-text.ts'
import { type PilotOptions, pilotProblems, withPilot } from './session/pilot.ts'
import { reportNote } from './terminal/report-error.ts'
import { terminalWidth } from './terminal/terminal-width.ts'
import { parseDecimal, parseWholeNumber } from './values/parse-values.ts'

interface PowerOptions extends PilotOptions {
  difference: string
  power: string
  epochs?: string
  json?: boolean
  peek?: boolean
}

interface AskedPlan {
  delta: number
  wanted: number
  /** Epochs of the planned run; undefined: those of the pilot. */
  epochs: number | undefined
  json?: boolean
  peek?: boolean
}

/** Significance level of all pairs together. */
const level = 0.05

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

async function plan(folder: string, asked: AskedPlan): Promise<number> {
  const { delta, wanted, epochs, json } = asked
  const { manifest } = openRun(folder)
  reportNote(verifyLedgerQuickly(folder))
  reportNote(missingSessionsNote(folder, manifest))
  reportNote(unjoinedNote(folder))
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
      fix: `Resume it: ${resumeCommand(folder)}`,
    })
  await askToLook(folder, manifest, { command: 'power', peek: asked.peek === true })
  const { stop: _, ...compared } = compareOptions(manifest, null)
  const comparison = compareMethods(comparisonData, { ...compared, resamples: 1 })
  const { pairs } = comparison
  const amended = amendmentsText(readAmendments(folder))
  const test = { delta, alpha: level / Math.max(1, pairs.length), power: wanted }
  const shown = epochs ?? manifest.epochs
  const usdOf = meanUsd(comparison)
  const samples = Object.values(manifest.recorded ?? {}).map((one) => one.samples)
  const mostEpochs = samples.length > 0 ? Math.min(...samples) : null
  if (mostEpochs !== null && epochs !== undefined && epochs > mostEpochs)
    throw new UserError({
      where: `--epochs ${epochs}`,
      what: `is more than the recorded replies have: ${mostEpochs} of a task at most`,
      fix: 'Plan for fewer epochs, and take more tasks.',
    })
  const rows = pairs.map((pair) => planPair(pair, test, { asked: epochs, shown, usdOf, mostEpochs }))
  const labels = comparison.methods.map(({ label }) => label)
  const run = planRun(rows, labels.map(usdOf), shown)
  reportInterimLook(folder, manifest, records, 'power')
  const { simulated } = manifest
  process.stdout.write(
    json
      ? `${JSON.stringify({ run: folder, simulated, ...test, epochs: epochs ?? null, take: run, ...(amended !== null && { amended }), pairs: rows }, null, 2)}\n`
      : powerText(rows, { ...test, run, simulated, amended }, terminalWidth()),
  )
  return 0
}

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
