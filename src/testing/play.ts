import { z } from 'zod'
import type { KindOfWork } from '../ask.ts'
import { validateResult } from '../loop/branch/check-result.ts'
import { nothingShared, outputsIn, type Sharing } from '../loop/branch/shared.ts'
import { rolesOf } from '../loop/plan/row-agents.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { readPrograms } from '../loop/stage/program.ts'
import { describeType, isPromise } from '../schema/method/ask-options.ts'
import type { CheckResult, Strategy, StrategyResult, TraceEvent } from '../strategy.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { inWords } from '../text/issue-text.ts'
import { inputProblems } from './input-problems.ts'
import { type PlayedAsk, type PlayedTrial, playContext } from './play-context.ts'
import { startFiles } from './play-files.ts'
import type { PlayedStage } from './play-stage.ts'
import { type Scene, SceneInput } from './scene.ts'
import { openScript, type Script, splitWho } from './script.ts'

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
    properties = {},
    files = {},
    checks,
    approvals = [],
    stages = [],
    seed = 'play',
    output = 'answer',
    tools,
  } = scene
  const trial: PlayedTrial<z.output<Options>> = {
    ...{
      instruction,
      properties,
      options: parsed,
      programs: readPrograms(strategy.programs ?? []),
      seed,
      output,
      roles,
    },
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

/**
 * Returns the options of a strategy that is to be played, and its roles. Throws `UserError` with everything that is wrong with the
 * arguments of `play`: a test may be written without types.
 */
function checkPlay(
  strategy: Strategy,
  options: unknown,
  script: unknown,
  scene: unknown,
): { options: unknown; roles: Readonly<Record<string, KindOfWork>> } {
  requireStrategy(strategy)
  const problems = optionProblems(strategy, options)
  const parsed = problems.length === 0 ? strategy.options.parse(options, inWords) : undefined
  const roles = parsed && rolesOf(strategy, parsed)
  problems.push(...scriptProblems(script, roles && Object.keys(roles)))
  problems.push(...inputProblems('play() scene', SceneInput, scene))
  if (Array.isArray(script) && (scene as Scene | undefined)?.tools !== undefined)
    problems.push({
      where: 'play() scene.tools',
      what: 'has no effect, because the lines of a script call no tools',
      fix: "Play it with a double: callingTools([[{ name: 'NAME' }]], ['reply']).",
    })
  if (!roles || problems.length > 0) throw new UserError(problems)
  return { options: parsed, roles }
}

function requireStrategy(strategy: unknown): void {
  const { options, roles, run } = (strategy ?? {}) as Partial<Strategy>
  const isOne =
    typeof run === 'function' &&
    typeof roles === 'object' &&
    roles !== null &&
    typeof options?.safeParse === 'function'
  if (isOne) return
  throw new UserError({
    where: 'play() strategy',
    what: `must be a strategy, got ${describeType(strategy)}`,
    fix: "Pass the default export of its module: import strategy from './my-strategy.mjs'.",
  })
}

function optionProblems({ options: schema }: Strategy, options: unknown): Problem[] {
  const where = 'play() options'
  if (isObject(options)) return inputProblems(where, schema, options)
  const what = `must be an object, got ${describeType(options)}`
  return [{ where, what, fix: 'Write {} for the defaults.' }]
}

const Files = z.record(z.string(), z.string().nullable())

const where = 'play() script'
const lineFix = "Write ['ROLE', 'reply'] or ['ROLE', 'reply', { 'FILE': 'text' }]."
const doubleFix = "Make one: scriptedAgent(['reply'])."

/** Returns what is wrong with a script. `roles` are those of the strategy; undefined where they are not known. */
function scriptProblems(script: unknown, roles: readonly string[] | undefined): Problem[] {
  const roleProblem = (at: string, role: string): Problem[] =>
    !roles || roles.includes(role) ? [] : [unknownName(at, 'role', role, roles, 'roles of the strategy')]
  if (Array.isArray(script))
    return script.flatMap((line: unknown, i) => lineProblems(`${where}.${i}`, line, roleProblem))
  if (typeof script === 'function') return doubleProblems(where, script)
  if (typeof script === 'object' && script !== null && !isPromise(script))
    return Object.entries(script).flatMap(([role, double]) => [
      ...roleProblem(where, role),
      ...doubleProblems(`${where}.${role}`, double),
    ])
  const given = isPromise(script) ? 'a promise' : describeType(script)
  return [{ where, what: `must be lines, a double, or a double for each role, got ${given}`, fix: lineFix }]
}

function doubleProblems(at: string, double: unknown): Problem[] {
  if (typeof double === 'function' && typeof (double as { answer?: unknown }).answer === 'function') return []
  return [{ where: at, what: `is ${describeType(double)}, not a double`, fix: doubleFix }]
}

function lineProblems(
  at: string,
  line: unknown,
  roleProblem: (at: string, role: string) => Problem[],
): Problem[] {
  if (!Array.isArray(line))
    return [{ where: at, what: `is no line, but ${describeType(line)}`, fix: lineFix }]
  const [who, reply, files] = line as unknown[]
  if (typeof who !== 'string')
    return [{ where: at, what: `must begin with a role, got ${describeType(who)}`, fix: lineFix }]
  const problems = roleProblem(at, splitWho(who).role)
  if (reply === undefined) problems.push({ where: at, what: 'has no reply', fix: lineFix })
  if (isPromise(reply))
    problems.push({ where: at, what: 'has a reply that is a promise', fix: 'Await it first.' })
  if (line.length > 3)
    problems.push({ where: at, what: `has ${line.length} parts; the limit is 3`, fix: lineFix })
  if (files !== undefined) problems.push(...inputProblems(`${at}.2`, Files, files))
  return problems
}
