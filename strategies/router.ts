import { z } from 'zod'
import type { RouterState } from '../src/schema/method/router.ts'
import { parseTaskCondition, type TaskCondition } from '../src/schema/task-condition.ts'
import { defineStrategy, type StrategyContext } from '../src/strategy.ts'
import { AgentError, UserError } from '../src/text/errors.ts'
import { endWith } from '../src/workflows/end.ts'
import { filesContext, sections, solve } from '../src/workflows/work-context.ts'

const routes = ['route-1', 'route-2', 'route-3', 'route-4', 'route-5', 'route-6', 'route-7'] as const
const Options = z
  .strictObject({
    routes: z
      .int()
      .min(2)
      .max(routes.length)
      .default(2)
      .describe('number of routes from cheap to dear, each with its own role'),
    table: z
      .string()
      .optional()
      .describe(
        'who answers which tasks, as CONDITION:ROUTE;… with conditions of --where; without it the decider decides',
      ),
    otherwise: z
      .string()
      .optional()
      .describe('who answers where the table says nothing, or the decider names nobody (the last route)'),
    about: z
      .string()
      .default('')
      .describe('what the decider is told of each route, as cheap and quick;strong in mathematics'),
  })
  .superRefine((options, context) => {
    const refuse = (field: keyof typeof options, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const named = routes.slice(0, options.routes)
    const { table, otherwise, about } = options
    for (const line of linesOf(table))
      for (const problem of problemsOf(line, named)) refuse('table', `"${line}" ${problem}`)
    if (table !== undefined && linesOf(table).length === 0)
      refuse('table', 'has no line; write CONDITION:ROUTE, or leave it out: then the decider decides')
    else if (table !== undefined && otherwise === undefined)
      refuse('otherwise', 'must be set with a table: the route of tasks that no line is about')
    if (otherwise !== undefined && !(named as string[]).includes(otherwise))
      refuse('otherwise', `must be one of ${named.join(', ')}`)
    if (about !== '' && table !== undefined)
      refuse('about', 'must be left out with a table, which nobody is told of')
    if (about !== '' && about.split(';').length !== named.length)
      refuse('about', `must have ${named.length} texts with semicolons between them, one for each route`)
  })

/** One agent answers each task: a table of the task's properties says which, or a role decides (RouteLLM, Ong et al. 2024). */
export const router = defineStrategy({
  name: 'router',
  summary:
    'One of several agents answers: a table of properties says which, or a decider is asked once per task.',
  roles: { decider: 'decide', ...produceRoles(routes) },
  rolesOf: (options) => ({
    ...(options.table === undefined && { decider: 'decide' }),
    ...produceRoles(reachable(options)),
  }),
  declaration: (options) => ({
    flow: [...(options.table === undefined ? ['decider' as const] : []), { either: reachable(options) }],
    stop: 'after one reply',
    context: 'routes: the task and its files; decider: the same, and the list of routes',
    ...(options.table !== undefined && { asks: 'task' as const }),
  }),
  conditionsOf: ({ table }) => tableOf(table).map(({ condition }) => condition),
  mixes: true,
  options: Options,

  async run(context) {
    const choice = context.options.table === undefined ? await askDecider(context) : lookUp(context)
    const { route, why } = choice
    const answer = await solve(context, route)
    return endWith(context, {
      ...{ answer, stopReason: 'done', detail: `${route}: ${why}` },
      state: { router: choice satisfies RouterState },
    })
  },
})

type Route = (typeof routes)[number]
type Options = z.output<typeof Options>
type Context = StrategyContext<Route | 'decider', Options>
type Choice = RouterState & { route: Route }

/** A line of the table: tasks for which the condition holds are answered by the route. */
interface Line {
  condition: TaskCondition
  route: Route
}

function produceRoles(roles: readonly Route[]): Record<Route, 'produce'> {
  return Object.fromEntries(roles.map((role) => [role, 'produce'])) as Record<Route, 'produce'>
}

const linesOf = (table = '') =>
  table
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The condition and the route of a line. The value of a condition may have colons of its own. */
function partsOf(line: string): { condition: string; route: string } {
  const colon = line.lastIndexOf(':')
  return { condition: line.slice(0, Math.max(0, colon)).trim(), route: line.slice(colon + 1).trim() }
}

function problemsOf(line: string, named: readonly string[]): string[] {
  const { condition, route } = partsOf(line)
  const unknown = named.includes(route) ? [] : [`names no route; the routes are ${named.join(', ')}`]
  try {
    parseTaskCondition(condition, line)
    return unknown
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [
      ...unknown,
      ...error.problems.map(({ what, fix }) => `begins with "${condition}", which ${what}. ${fix}`),
    ]
  }
}

const tableOf = (table: string | undefined): Line[] =>
  linesOf(table).map((line) => {
    const { condition, route } = partsOf(line)
    return { condition: parseTaskCondition(condition, line), route: route as Route }
  })

const fallbackOf = ({ routes: count, otherwise }: Options) => (otherwise ?? routes[count - 1]) as Route

/** The routes that can be chosen, in their order. */
function reachable(options: Options): Route[] {
  const named = routes.slice(0, options.routes)
  if (options.table === undefined) return named
  const inTable = new Set([...tableOf(options.table).map(({ route }) => route), fallbackOf(options)])
  return named.filter((route) => inTable.has(route))
}

/** The first line that holds decides. */
function lookUp({ options, properties }: Context): Choice {
  const line = tableOf(options.table).find(({ condition }) => condition.holds(properties[condition.name]))
  if (line) return { by: 'table', route: line.route, why: line.condition.text, fallback: false }
  return { by: 'table', route: fallbackOf(options), why: 'no line of the table holds', fallback: true }
}

async function askDecider({ ask, instruction: task, options, workspace, spent }: Context): Promise<Choice> {
  const named = reachable(options)
  const about = options.about.split(';')
  const list = sections(Object.fromEntries(named.map((route, i) => [route, about[i]?.trim() || noWords])))
  const shape = z.object({ reason: z.string(), route: z.enum(named) })
  try {
    const show = { task, files: filesContext(workspace), routes: list }
    const { reason, route } = await ask('decider', question, { shape, show })
    return { by: 'decider', route, why: reason, fallback: false, costUsd: spent().costUsd }
  } catch (failure) {
    if (!(failure instanceof AgentError)) throw failure
    const why = `the decider named nobody: ${failure.message}`
    return { by: 'decider', route: fallbackOf(options), why, fallback: true, costUsd: spent().costUsd }
  }
}

const noWords = 'nothing is known of it but its place'
const question =
  'One of the routes below will do the task, alone and at once. They are listed from cheap to dear. Name the cheapest that will do ' +
  'all of it right. Do not do the task yourself.'
