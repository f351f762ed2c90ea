import type { KindOfWork } from '../ask.ts'
import { rolesOf } from '../loop/plan/row-agents.ts'
import { describeType } from '../schema/method/ask-options.ts'
import type { Strategy } from '../strategy.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { scriptProblems } from './check-script.ts'
import { inputProblems } from './input-problems.ts'
import { type Scene, SceneInput } from './scene.ts'

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
