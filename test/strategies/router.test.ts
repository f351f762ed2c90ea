import { describe, expect, it } from 'vitest'
import { rolesOf } from '../../src/loop/plan/row-agents.ts'
import { taskAsks } from '../../src/loop/plan/task-asks.ts'
import { RouterState } from '../../src/schema/method/router.ts'
import type { Strategy } from '../../src/strategy.ts'
import { type Line, play, type Scene } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { router } from '../../strategies/router.ts'

type Role = Exclude<keyof typeof router.roles, symbol | number>
const table = 'tag=law:route-3; difficulty>=0.5:route-2;tag=math:route-1'
const options = { routes: 3, table, otherwise: 'route-1' }
const played = async (given: object, lines: Line<Role>[], scene: Scene = {}) => {
  const { result, asks } = await play(router, given, lines, scene)
  return { ...result, asks, state: RouterState.parse(result.state?.router) }
}
const problemsOf = (given: object) =>
  (router.options.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path}: ${message}`)

describe('a table', () => {
  it.each<[Scene['properties'] & object, route: 1 | 2 | 3, why: string, fallback: boolean]>([
    [{ tag: ['law', 'math'] }, 3, 'tag=law', false],
    [{ tag: ['math'], difficulty: 0.5 }, 2, 'difficulty>=0.5', false],
    [{ tag: ['math'], difficulty: 0.4 }, 1, 'tag=math', false],
    [{ difficulty: 0.4 }, 1, 'no line of the table holds', true],
    [{}, 1, 'no line of the table holds', true],
  ])(
    'gives a task with %o to route %i: the first line that holds decides',
    async (properties, route, why, fallback) => {
      const role = `route-${route}` as const
      const ended = await played(options, [[role, 'Answer: 1']], { properties })
      expect(ended).toMatchObject({ answer: 'Answer: 1', stopReason: 'done', detail: `${role}: ${why}` })
      expect(ended.state).toEqual({ by: 'table', route: role, why, fallback })
    },
  )

  it('asks the routes that it names and the one for all other tasks, each with the task alone', () => {
    const roles = (given: object) => Object.keys(rolesOf(router as Strategy, router.options.parse(given)))
    expect(roles(options)).toEqual(['route-1', 'route-2', 'route-3'])
    expect(roles({ routes: 4, table: 'tag=a:route-4', otherwise: 'route-2' })).toEqual(['route-2', 'route-4'])
    expect(roles({})).toEqual(['decider', 'route-1', 'route-2'])
    const counts = taskAsks(router as Strategy, router.options.parse(options))
    expect([...(counts ?? [])]).toEqual([1, 2, 3].map((n) => [`route-${n}`, { least: 0, most: 1 }]))
    expect(taskAsks(router as Strategy, router.options.parse({}))).toBeUndefined()
  })

  it('may have colons in the values of its conditions', () => {
    const [condition] =
      router.conditionsOf?.(router.options.parse({ table: 'tag=a:b:route-2', otherwise: 'route-1' })) ?? []
    expect(condition?.text).toBe('tag=a:b')
  })
})

describe('a decider', () => {
  it('reads the task and what is said of the routes, and names who answers', async () => {
    const ended = await played(
      { about: 'cheap and quick;strong in mathematics' },
      [
        ['decider', { reason: 'it is hard', route: 'route-2' }],
        ['route-2', 'Answer: 2'],
      ],
      { instruction: 'Add them.', files: { 'a.txt': 'one' } },
    )
    expect(ended.state).toMatchObject({ by: 'decider', route: 'route-2', why: 'it is hard', fallback: false })
    const [decider, route] = ended.asks
    expect(decider?.show).toMatchObject({ task: 'Add them.', files: expect.stringContaining('one') })
    expect(decider?.show.routes).toBe('### route-1\ncheap and quick\n\n### route-2\nstrong in mathematics')
    expect(route?.prompt).toBe('Solve the task.')
  })

  it.each([
    [{}, 'route-2'],
    [{ otherwise: 'route-1' }, 'route-1'],
    [{ routes: 4 }, 'route-4'],
  ] as const)(
    'that names nobody leaves the task to the last route, or to that of otherwise: %o',
    async (given, route) => {
      const failure = new AgentError('unparsable', 'no JSON')
      const { state } = await played(given, [
        ['decider', failure],
        [route, 'Answer: 2'],
      ])
      expect(state).toMatchObject({ route, fallback: true, why: 'the decider named nobody: no JSON' })
    },
  )
})

it('a trial fails with its route, and asks no other', async () => {
  const failure = new AgentError('refusal', 'no')
  await expect(
    played({ table: 'tag=a:route-2', otherwise: 'route-1' }, [['route-1', failure]]),
  ).rejects.toThrow('no')
})

it('wrong options are told all at once', () => {
  expect(
    problemsOf({ table: 'tag=a:route-3;colour:route-1;x>=y:both', otherwise: 'route-9', about: 'a' }),
  ).toMatchSnapshot()
  expect(problemsOf({ table: 'tag=a:route-1' })).toEqual([
    'otherwise: must be set with a table: the route of tasks that no line is about',
  ])
  // Who writes a table wants no decider.
  for (const table of ['', ' ; '])
    expect(problemsOf({ table })).toEqual([
      'table: has no line; write CONDITION:ROUTE, or leave it out: then the decider decides',
    ])
  expect(problemsOf({ about: 'a;b' })).toEqual([])
})
