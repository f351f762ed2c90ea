import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import { createResultMemory } from '../../graders/result-memory.ts'
import { counted, formatUsd } from '../../reports/words/numbers.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { readConfig } from '../config/config-file.ts'
import { type MergedOptions, mergeOptions, withLocatedProblems } from '../config/merge-options.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { usualLimitText } from '../config/trial-limits.ts'
import { findRunFolder } from '../open/named-runs.ts'
import { selectSandbox } from '../open/sandbox-option.ts'
import { createProgress, onlyProgress } from '../terminal/progress.ts'
import { reportNote } from '../terminal/report-error.ts'
import { confirm } from '../terminal/say.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import { parseDecimal } from '../values/parse-values.ts'
import { agentPriceList } from './agent-price-list.ts'
import { estimateRun, type MethodEstimate } from './estimate.ts'
import { limitNotes, mostCost } from './estimate-limits.ts'
import { estimateText, type ShownEstimate } from './estimate-text.ts'
import { executeRun } from './execute.ts'
import { resolveRun } from './new-run.ts'

/** The estimated cost of a run, and what it was estimated from. */
interface RunEstimate {
  methods: MethodEstimate[]
  source: string
}

/** A requested run that passed all checks and was not started. */
interface CheckedRun {
  given: MergedOptions
  manifest: RunManifest
  asked: readonly Agent[]
  /** Warnings that the run would print before it starts. */
  warnings: readonly string[]
}

/** Checks a requested run. Throws `UserError` for what the run itself would refuse; with `estimates`, what agents lack is a warning. */
async function checkRun(
  options: RunOptions,
  signal: AbortSignal,
  { estimates }: { estimates: boolean },
): Promise<CheckedRun> {
  const given = mergeOptions(options)
  const problems: Problem[] = []
  const sandbox = selectSandbox(problems, given.options)
  const tools = { redact: undefined, sandbox, signal, estimates, onWarning: () => {} }
  return withLocatedProblems(given, async () => {
    const { manifest, asked, warnings } = await resolveRun(given, problems, [], tools)
    return { given, manifest, asked, warnings }
  })
}

/** Epochs of a simulation: one trial of a method does not show how much trials vary. */
const simulatedEpochs = 2

/**
 * Estimates a run before it starts: from an earlier run (`--estimate-from`), or else by simulating two epochs of its tasks with
 * simulated agents in a temporary folder. Work that is equal is graded once.
 */
async function estimateCheckedRun(
  options: RunOptions,
  { given, manifest }: CheckedRun,
  signal: AbortSignal,
): Promise<RunEstimate> {
  if (options.estimateFrom !== undefined) {
    const folder = findRunFolder(options.estimateFrom)
    return { methods: await estimateRun(manifest, folder), source: folder }
  }
  const temporary = mkdtempSync(join(tmpdir(), 'bench-estimate-'))
  const progress = createProgress(process.stderr, options.quiet === true, 'to estimate the run')
  try {
    const { agents: _, agent: __, mode: ___, prices: ____, judges: _____, ...rest } = options
    const { inject } = given.options
    const simulated = {
      // An estimate asks nobody.
      ...{
        ...rest,
        dev: true,
        epochs: String(simulatedEpochs),
        // Simulated trials wait for nobody: more of them than processors take no less time.
        parallel: undefined,
        out: join(temporary, 'run'),
        ...withoutRunLimits,
        approve: 'yes',
        keepWorkspaces: 'none',
      },
      // An injected kill would end this process.
      ...(inject && { inject: inject.map((text) => text.replace(/\bkill\s*=[^,]*/g, 'kill=0')) }),
    }
    const tools = { signal, memory: createResultMemory(), onEvent: onlyProgress(progress) }
    const { folder } = await executeRun(simulated, tools)
    return {
      methods: await estimateRun(manifest, folder),
      source: `a simulation of ${counted(simulatedEpochs, 'epoch')}`,
    }
  } finally {
    progress.end()
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Estimates a run, with what its text says beside the numbers. */
async function shownEstimate(
  options: RunOptions,
  run: CheckedRun,
  signal: AbortSignal,
): Promise<ShownEstimate> {
  const { methods, source } = await estimateCheckedRun(options, run, signal)
  return {
    ...{ methods, source },
    prices: await agentPriceList(run.manifest),
    parallel: readWhole([], run.given.options, 'parallel', availableParallelism()),
    simulated: run.manifest.simulated,
  }
}

/** Limits of the run and its methods stop a run; what it would use without them is to be estimated. */
const withoutRunLimits = {
  ...{ maxCost: 'none', maxTokens: 'none', maxCalls: 'none', maxTime: 'none' },
  methodLimit: 'costUsd=none,tokens=none,calls=none,timeMs=none',
}

/** `--dry-run`: prints the estimate and runs nothing. Throws `UserError` with `--resume`, since only new runs are estimated. */
export async function printEstimate(options: RunOptions, signal: AbortSignal): Promise<number> {
  if (options.resume !== undefined)
    throw new UserError({
      where: '--dry-run',
      what: 'conflicts with --resume',
      fix: `Only new runs are estimated. bench show ${options.resume} shows what this run has spent.`,
    })
  const run = await checkRun(options, signal, { estimates: true })
  for (const warning of run.warnings) reportNote(warning)
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
  if (amount === undefined || options.yes || options.resume !== undefined) return true
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
