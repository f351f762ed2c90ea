import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Problem, UserError } from '../errors.ts'
import { formatUsd } from '../reports/numbers.ts'
import type { RunManifest } from '../schema/run.ts'
import { readConfig } from './config-file.ts'
import { decimalOf } from './decimal.ts'
import { estimateRun, estimateText, highestCost, type MethodEstimate } from './estimate.ts'
import { executeRun } from './execute.ts'
import { atItsOrigin, givenOptions } from './given-options.ts'
import { resolveRun } from './new-run.ts'
import { findRunFolder } from './reopen.ts'
import type { RunOptions } from './run-options.ts'
import { chosenSandbox } from './sandbox-option.ts'
import { usualLimitText } from './trial-limits.ts'

/** What a run will probably cost, and by what that was found. */
export interface RunEstimate {
  manifest: RunManifest
  methods: MethodEstimate[]
  source: string
}

/**
 * Estimates a run before it starts, by an earlier one (`--estimate-from`) or else by playing each of its trials' first
 * epoch with simulated agents in a folder that is removed. Throws `UserError` for whatever the run itself would refuse.
 */
export async function estimateOf(options: RunOptions, signal: AbortSignal): Promise<RunEstimate> {
  const given = givenOptions(options)
  const problems: Problem[] = []
  const sandbox = chosenSandbox(problems, given.options)
  const tools = { redact: undefined, sandbox, signal, onWarning: () => {} }
  const { manifest } = await resolveRun(given, problems, [], tools).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => atItsOrigin(given, problem)))
  })
  if (options.estimateFrom !== undefined) {
    const folder = findRunFolder(options.estimateFrom)
    return { manifest, methods: await estimateRun(manifest, folder), source: folder }
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
    return { manifest, methods: await estimateRun(manifest, folder), source: 'a simulation' }
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
  const { manifest, methods, source } = await estimateOf(options, signal)
  const { limits } = manifest
  const text = options.json
    ? JSON.stringify({ source, methods, limits }, null, 2)
    : [estimateText(methods, source), usualLimitText(manifest)].filter(Boolean).join('\n')
  process.stdout.write(`${text}\n`)
  return 0
}

/** Whether a live run may begin: it asks where it may cost more than the amount that was set, or nobody knows. Throws `UserError` where nobody can be asked. */
export async function isConfirmed(options: RunOptions, signal: AbortSignal): Promise<boolean> {
  const file = typeof options.config === 'string' ? readConfig(options.config).config : {}
  const typed = options.confirmAbove
  const amount = typed === undefined ? file.confirmAboveUsd : decimalOf(typed)
  const mode = options.dev ? 'dev' : (options.mode ?? file.run?.mode)
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
  if (amount === undefined || options.yes || options.resume !== undefined || mode !== 'live') return true
  const { methods, source } = await estimateOf(options, signal)
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
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const question = `That may be more than ${formatUsd(amount)}. Run it? [y/N] `
  // Whoever presses Ctrl-C means no.
  const answer = await terminal.question(question, { signal }).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
