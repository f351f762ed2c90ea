import { z } from 'zod'
import type { KindOfWork } from '../ask.ts'
import { rolesOf } from '../loop/plan/row-agents.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { describeType, isPromise } from '../schema/method/ask-options.ts'
import type { Strategy } from '../strategy.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { inputProblems } from './input-problems.ts'
import { type Scene, SceneInput } from './scene.ts'
import { splitWho } from './script.ts'

/**
 * Returns the options of a strategy that is to be played, and its roles. Throws `UserError` with everything that is wrong with the
 * arguments of `play`: a test may be written without types.
 */
export function checkPlay(
  strategy: Strategy,
  options: unknown,
  script: unknown,
  scene: unknown,
): { options: unknown; roles: Readonly<Record<string, KindOfWork>> } {
  requireStrategy(strategy)
  const problems = optionProblems(strategy, options)
  const parsed = problems.length === 0 ? strategy.options.parse(options) : undefined
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
  if (typeof options === 'object' && options !== null && !Array.isArray(options))
    return inputProblems(where, schema, options)
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
