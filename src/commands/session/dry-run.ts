import { existsSync } from 'node:fs'
import { isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import { readVerdicts } from '../../graders/verdicts/verdict-file.ts'
import { counted, formatUsd } from '../../reports/words/numbers.ts'
import { UserError } from '../../text/errors.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { readConfig } from '../config/config-file.ts'
import type { RunOptions } from '../config/run-options.ts'
import { usualLimitText } from '../config/trial-limits.ts'
import { reportNote } from '../terminal/report-error.ts'
import { confirm } from '../terminal/say.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import { parseDecimal } from '../values/parse-values.ts'
import { checkRun, shownEstimate } from './checked-run.ts'
import { limitNotes, mostCost } from './estimate-limits.ts'
import { estimateText } from './estimate-text.ts'
import { openVerdicts } from './kept-verdicts.ts'
import { recordedCosts, recordedCostText } from './recorded-cost.ts'

/** `--dry-run`: prints the estimate and runs nothing. Throws `UserError` with `--resume`, since only new runs are estimated. */
export async function printEstimate(options: RunOptions, signal: AbortSignal): Promise<number> {
  const old = options.resume ?? options.extend
  if (old !== undefined)
    throw new UserError({
      where: '--dry-run',
      what: `conflicts with ${options.extend === undefined ? '--resume' : '--extend'}`,
      fix: `Only new runs are estimated. bench show ${old} shows what this run has spent.`,
    })
  const run = await checkRun(options, signal, { estimates: true })
  for (const warning of run.warnings) reportNote(warning)
  for (const note of await verdictNotes(run.given.options)) reportNote(note)
  if (run.manifest.recorded && options.estimateFrom === undefined) {
    const costs = await recordedCosts(run)
    const width = terminalWidth()
    const text = options.json
      ? JSON.stringify({ source: 'the recorded tokens', methods: costs }, null, 2)
      : [...wrapWords(asksNobody(run.manifest.trials), width), '', ...recordedCostText(costs, width)]
          .join('\n')
          .trimEnd()
    process.stdout.write(`${text}\n`)
    return 0
  }
  const estimate = await shownEstimate(options, run, signal)
  const { methods, source, prices, parallel } = estimate
  const { limits, budgets } = run.manifest
  const text = options.json
    ? JSON.stringify({ source, methods, prices, parallel, limits, ...(budgets && { budgets }) }, null, 2)
    : [
        estimateText(estimate, terminalWidth()),
        ...[...limitNotes(methods, run.manifest, options), usualLimitText(run.manifest)]
          .filter(Boolean)
          .flatMap((note) => wrapWords(note, terminalWidth())),
      ].join('\n')
  process.stdout.write(`${text}\n`)
  return 0
}

// A simulation would only guess what the files hold.
const asksNobody = (trials: number) =>
  `${counted(trials, 'trial')} with recorded replies: the run asks nobody and costs nothing. Its bill is what the recorded tokens cost by --prices:`

/** Reads the file of verdicts as the run would. Throws `UserError` if it cannot be read. */
async function verdictNotes({ verdicts, updateVerdicts, proveVerdicts }: RunOptions): Promise<string[]> {
  const notes: string[] = []
  const given = { verdicts, updateVerdicts, proveVerdicts, cwd: process.cwd() }
  const kept = await openVerdicts(given, (note) => notes.push(note))
  if (!kept || verdicts === undefined || notes.length > 0) return notes
  const count = existsSync(verdicts) ? (await readVerdicts(verdicts)).verdicts.size : 0
  return [
    `--verdicts: ${verdicts} holds ${counted(count, 'verdict')} of code, which the run takes where they fit`,
  ]
}

/**
 * Returns whether the run may start. If an agent is paid, and the estimate exceeds `--confirm-above` or is unknown, it asks
 * at the terminal. The limits of the run count: it costs no more than they allow. Throws `UserError` if there is no terminal.
 */
export async function confirmCost(options: RunOptions, signal: AbortSignal): Promise<boolean> {
  const file = typeof options.config === 'string' ? readConfig(options.config).config : {}
  const typed = options.confirmAbove
  const amount = typed === undefined ? file.confirmAboveUsd : parseDecimal(typed)
  if (amount !== undefined && !(amount >= 0))
    throw new UserError({
      where: `--confirm-above ${typed}`,
      what: 'is not an amount of dollars',
      fix: 'Write for example --confirm-above 5.',
    })
  if (amount === undefined && options.estimateFrom !== undefined)
    throw new UserError({
      where: `--estimate-from ${options.estimateFrom}`,
      what: 'requires --dry-run or --confirm-above',
      fix: 'Add --dry-run, or --confirm-above USD.',
    })
  const goesOn = options.resume !== undefined || options.extend !== undefined
  if (amount === undefined || options.yes || goesOn) return true
  const run = await checkRun(options, signal, { estimates: false })
  if (!run.asked.some(isPaidOrProgram)) return true
  const estimate = await shownEstimate(options, run, signal)
  const { methods } = estimate
  const high = mostCost(methods, run.manifest)
  if (high !== undefined && high <= amount) return true
  const width = terminalWidth(process.stderr)
  const text = [estimateText(estimate, width), ...limitNotes(methods, run.manifest, options)].join('\n')
  if (!process.stdin.isTTY)
    throw new UserError({
      where: typed === undefined ? `${options.config} confirmAboveUsd` : `--confirm-above ${typed}`,
      what: `the run may cost more than ${formatUsd(amount)}:\n${text}`,
      fix: 'Add --yes to run it anyway.',
    })
  process.stderr.write(`${text}\n`)
  return confirm(`The run may cost more than ${formatUsd(amount)}. Run it?`, signal)
}
