import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { isGated } from '../../agents/what-answers.ts'
import { formatUsd } from '../../reports/words/numbers.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { usualLimitText } from '../agents/trial-limits.ts'
import { readConfig } from '../config/config-file.ts'
import { atItsOrigin, type Given, givenOptions } from '../config/given-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunFolder } from '../open/open-run.ts'
import { requireSandbox, selectSandbox } from '../open/sandbox-option.ts'
import { confirm } from '../open/trust-code.ts'
import { tellNote } from '../terminal/tell-error.ts'
import { decimalOf } from '../values/parse-values.ts'
import { estimateRun, estimateText, highestCost, type MethodEstimate } from './estimate.ts'
import { executeRun } from './execute.ts'
import { resolveRun } from './new-run.ts'

/** What a run will probably cost, and by what that was found. */
interface RunEstimate {
  methods: MethodEstimate[]
  source: string
}

/** A run as asked for, which was checked like one that is to begin, and is not begun. */
interface CheckedRun {
  given: Given
  manifest: RunManifest
  asked: readonly Agent[]
  /** What the run itself would tell before it starts. */
  warnings: readonly string[]
}

/** Checks a run as asked for. Throws `UserError` for whatever the run itself would refuse. */
async function checkRun(options: RunOptions, signal: AbortSignal): Promise<CheckedRun> {
  const given = givenOptions(options)
  const problems: Problem[] = []
  const sandbox = selectSandbox(problems, given.options)
  const tools = { redact: undefined, sandbox, signal, onWarning: () => {} }
  try {
    const { manifest, asked, tasks, warnings } = await resolveRun(given, problems, [], tools)
    const ofSandbox = await requireSandbox(sandbox, { agents: asked, tasks })
    return {
      given,
      manifest,
      asked,
      warnings: [...warnings, ...(ofSandbox === undefined ? [] : [ofSandbox])],
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => atItsOrigin(given, problem)))
  }
}

/**
 * Estimates a run before it starts, by an earlier one (`--estimate-from`) or else by playing each of its trials' first
 * epoch with simulated agents in a folder that is removed.
 */
async function estimateOf(
  options: RunOptions,
  { given, manifest }: CheckedRun,
  signal: AbortSignal,
): Promise<RunEstimate> {
  if (options.estimateFrom !== undefined) {
    const folder = findRunFolder(options.estimateFrom)
    return { methods: await estimateRun(manifest, folder), source: folder }
  }
  const temporary = mkdtempSync(join(tmpdir(), 'bench-estimate-'))
  try {
    const { agents: _, agent: __, mode: ___, prices: ____, ...rest } = options
    const { inject } = given.options
    const simulated = {
      ...{ ...rest, dev: true, epochs: '1', out: join(temporary, 'run') },
      // A process that kills itself estimates nothing.
      ...(inject && { inject: inject.map((text) => text.replace(/\bkill\s*=[^,]*/g, 'kill=0')) }),
    }
    const { folder } = await executeRun(simulated, { signal, onEvent: () => {} })
    return { methods: await estimateRun(manifest, folder), source: 'a simulation' }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** `--dry-run`: prints the estimate, and runs nothing. Throws `UserError` with `--resume`: a run is estimated before it begins. */
export async function printEstimate(options: RunOptions, signal: AbortSignal): Promise<number> {
  if (options.resume !== undefined)
    throw new UserError({
      where: '--dry-run',
      what: 'does not go with --resume',
      fix: `A run is estimated before it begins. bench show ${options.resume} tells what this one has spent.`,
    })
  const run = await checkRun(options, signal)
  for (const warning of run.warnings) tellNote(warning)
  const { methods, source } = await estimateOf(options, run, signal)
  const { limits } = run.manifest
  const text = options.json
    ? JSON.stringify({ source, methods, limits }, null, 2)
    : [estimateText(methods, source), usualLimitText(run.manifest)].filter(Boolean).join('\n')
  process.stdout.write(`${text}\n`)
  return 0
}

/**
 * Whether a run may begin: where some agent is paid, it asks if that may cost more than the amount that was set, or nobody
 * knows. Throws `UserError` where nobody can be asked.
 */
export async function confirmCost(options: RunOptions, signal: AbortSignal): Promise<boolean> {
  const file = typeof options.config === 'string' ? readConfig(options.config).config : {}
  const typed = options.confirmAbove
  const amount = typed === undefined ? file.confirmAboveUsd : decimalOf(typed)
  if (amount !== undefined && !(amount >= 0))
    throw new UserError({
      where: `--confirm-above ${typed}`,
      what: 'is not an amount of dollars',
      fix: 'Write for example --confirm-above 5.',
    })
  if (amount === undefined && options.estimateFrom !== undefined)
    throw new UserError({
      where: `--estimate-from ${options.estimateFrom}`,
      what: 'has nothing to estimate for',
      fix: 'Add --dry-run, or --confirm-above USD.',
    })
  if (amount === undefined || options.yes || options.resume !== undefined) return true
  const run = await checkRun(options, signal)
  if (!run.asked.some(isGated)) return true
  const { methods, source } = await estimateOf(options, run, signal)
  const high = highestCost(methods)
  if (high !== undefined && high <= amount) return true
  const text = estimateText(methods, source)
  if (!process.stdin.isTTY)
    throw new UserError({
      where: typed === undefined ? `${options.config} confirmAboveUsd` : `--confirm-above ${typed}`,
      what: `the run may cost more than ${formatUsd(amount)}:\n${text}`,
      fix: 'Add --yes to run it all the same.',
    })
  process.stderr.write(`${text}\n`)
  return confirm(`That may be more than ${formatUsd(amount)}. Run it?`, signal)
}
