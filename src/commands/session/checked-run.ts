import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createResultMemory } from '../../graders/result-memory.ts'
import { counted } from '../../reports/words/numbers.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type MergedOptions, mergeOptions, withLocatedProblems } from '../config/merge-options.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { findRunFolder } from '../open/named-runs.ts'
import { selectSandbox } from '../open/sandbox-option.ts'
import { createProgress, onlyProgress } from '../terminal/progress.ts'
import { agentPriceList } from './agent-price-list.ts'
import { estimateRun } from './estimate.ts'
import type { ShownEstimate } from './estimate-text.ts'
import { executeRun } from './execute.ts'
import { type NewRun, resolveRun } from './new-run.ts'

/** A requested run that passed all checks and was not started. */
interface CheckedRun
  extends Pick<NewRun, 'manifest' | 'asked' | 'warnings' | 'strategies' | 'agents' | 'tasks'> {
  given: MergedOptions
}

/** Checks a requested run. Throws `UserError` for what the run itself would refuse; with `estimates`, what agents lack is a warning. */
export async function checkRun(
  options: RunOptions,
  signal: AbortSignal,
  { estimates }: { estimates: boolean },
): Promise<CheckedRun> {
  const given = mergeOptions(options)
  const problems: Problem[] = []
  const sandbox = selectSandbox(problems, given.options)
  const tools = { redact: undefined, sandbox, signal, estimates, onWarning: () => {} }
  return withLocatedProblems(given, async () => {
    return { given, ...(await resolveRun(given, problems, [], tools)) }
  })
}

/** The label of the baseline that stands for the agents of a bracket; its strategy finds it. */
const aloneLabel = 'bench-estimate'

/** Epochs of a simulation: one trial of a method does not show how much trials vary. */
const simulatedEpochs = 2

/**
 * Estimates a run before it starts: from an earlier run (`--estimate-from`), or else by simulating two epochs of its tasks with
 * simulated agents in a temporary folder. Work that is equal is graded once.
 */
async function estimateCheckedRun(
  options: RunOptions,
  { given, manifest, strategies }: CheckedRun,
  signal: AbortSignal,
): Promise<Pick<ShownEstimate, 'methods' | 'source'>> {
  if (options.estimateFrom !== undefined) {
    const folder = findRunFolder(options.estimateFrom)
    return { methods: await estimateRun(manifest, folder), source: folder }
  }
  const unsimulated = strategies.find(({ strategy }) => strategy.asksModels)?.strategy
  if (unsimulated)
    throw new UserError({
      where: `--methods ${unsimulated.name}`,
      what: 'cannot be simulated, so nothing is known of its cost before a run',
      fix: 'Run one task with --max-cost, and estimate from that: --estimate-from RUN.',
    })
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
        updateVerdicts: undefined,
        proveVerdicts: undefined,
        keepWorkspaces: 'none',
        // Simulated agents are one agent, so there is nothing to bracket; the rows of its agents alone are estimated by this one.
        ...(manifest.bracket && {
          bracket: undefined,
          methods: `${aloneLabel}=baseline,${given.options.methods}`,
        }),
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
export async function shownEstimate(
  options: RunOptions,
  run: CheckedRun,
  signal: AbortSignal,
): Promise<ShownEstimate> {
  const problems: Problem[] = []
  const parallel = readWhole(problems, run.given.options, 'parallel', availableParallelism())
  if (problems.length > 0) throw new UserError(problems)
  const { methods, source } = await estimateCheckedRun(options, run, signal)
  return {
    ...{ methods, source },
    prices: await agentPriceList(run.manifest),
    parallel,
    simulated: run.manifest.simulated,
  }
}

/** Limits of the run and its methods stop a run; what it would use without them is to be estimated. */
const withoutRunLimits = {
  ...{ maxCost: 'none', maxTokens: 'none', maxCalls: 'none', maxTime: 'none' },
  methodLimit: 'costUsd=none,tokens=none,calls=none,timeMs=none',
}
