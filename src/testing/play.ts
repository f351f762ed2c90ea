import type { z } from 'zod'
import type { KindOfWork } from '../ask.ts'
import { nothingShared, outputsIn } from '../loop/files/shared.ts'
import { readPrograms } from '../loop/stage/shipped-programs.ts'
import { validateResult } from '../loop/state/check-result.ts'
import type { Sharing } from '../loop/state/join-shared.ts'
import type { CheckResult, Strategy, StrategyResult, TraceEvent } from '../strategy.ts'
import { checkPlay } from './check-play.ts'
import { type PlayedAsk, type PlayedTrial, playContext } from './play-context.ts'
import { startFiles } from './play-files.ts'
import type { PlayedStage } from './play-stage.ts'
import type { Scene } from './scene.ts'
import { openScript, type Script } from './script.ts'

/** What a strategy did. */
export interface Played {
  result: StrategyResult
  answer: string | undefined
  asks: PlayedAsk[]
  /** The stages that it ran, as it gave them. */
  stages: PlayedStage[]
  notes: TraceEvent[]
  /** Files at the end. */
  files: Record<string, string>
  /** Outputs at the end. */
  outputs: Record<string, string>
}

/**
 * Plays a strategy against a script or doubles, without a run. Throws `UserError` with everything that is wrong with its
 * arguments. With a script each ask takes the next line of its branch, and takes a second on its branch's clock. Throws if the
 * line is for another role, if a line, a check, an approval or a stage of the scene is left over, and if the strategy does a
 * second effect beside a pending one. A reply that is an Error is thrown.
 */
export async function play<Role extends string, Options extends z.ZodType>(
  strategy: Strategy<Role, Options>,
  options: z.input<Options>,
  script: Script<Role>,
  scene: Scene = {},
): Promise<Played> {
  const { options: parsed, roles } = checkPlay(strategy as Strategy, options, script, scene) as {
    options: z.output<Options>
    roles: Readonly<Record<Role, KindOfWork>>
  }
  const {
    instruction = 'The task.',
    files = {},
    checks,
    approvals = [],
    stages = [],
    seed = 'play',
    output = 'answer',
    tools,
  } = scene
  const trial: PlayedTrial<z.output<Options>> = {
    ...{ instruction, options: parsed, programs: readPrograms(strategy.programs ?? []), seed, output, roles },
    script: openScript(script, { instruction, roles, tools }),
    checks: checks?.map(wholeCheck),
    approvals: [...approvals],
    stageScenes: [...stages],
    ...{ stages: [], asks: [], spent: [], notes: [] },
  }
  const root = startFiles(files)
  const sharing: Sharing = { path: '', state: { shared: nothingShared } }
  const context = playContext<Role, z.output<Options>>(trial, {
    ...{ path: '', files: root, sharing, clock: { now: 0 } },
  })
  const result = await strategy.run(context)
  requireAllPlayed(trial)
  requirePlainResult(result, strategy.name)
  return {
    ...{ result, answer: result.answer, asks: trial.asks, notes: trial.notes },
    stages: trial.stages,
    files: Object.fromEntries(root.files()),
    outputs: Object.fromEntries([...outputsIn(sharing.state.shared)].map(([path, { text }]) => [path, text])),
  }
}

const wholeCheck = (check: CheckResult | 'passed' | 'failed'): CheckResult => {
  if (typeof check === 'object') return check
  if (check === 'passed') return { status: check, passed: 2, total: 2, output: '' }
  return { status: check, passed: 1, total: 2, output: 'test two failed' }
}

function requireAllPlayed({ script, checks, approvals, stageScenes }: PlayedTrial<unknown>): void {
  const left = script.left()
  if (left.length > 0) throw new Error(`there are lines that nobody played: ${left.join(', ')}`)
  if (checks && checks.length > 0) throw new Error(`there are checks that nobody ran: ${checks.length}`)
  if (stageScenes.length > 0)
    throw new Error(`there are stages that nobody ran: ${stageScenes.map(({ id }) => id).join(', ')}`)
  if (approvals.length > 0) throw new Error(`there are approvals that nobody asked for: ${approvals.length}`)
}

function requirePlainResult(result: StrategyResult, name: string): void {
  validateResult(result, name)
  if (!isPlainJson(result.state)) throw new Error('the strategy returned a state that is not plain JSON')
}

/** Whether a value survives JSON. A field may be undefined: JSON leaves it out. */
function isPlainJson(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (Array.isArray(value)) return value.every(isPlainJson)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainJson)
}
