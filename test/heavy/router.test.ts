import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RouterState } from '../../src/schema/method/router.ts'
import { folderOf } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess } from '../helpers/runs/cli.ts'

shareProcess()

const plain = (text: string) => text.replace(/\s+/g, ' ')

/** Tasks whose answers are 1 to 6; a model on each route, of which the cheap one knows the first three alone. */
const files = {
  'tasks.jsonl': [1, 2, 3, 4, 5, 6]
    .map((n) =>
      JSON.stringify({ id: `t${n}`, question: `Number ${n}?`, answer: `${n}`, tags: n % 2 ? 'odd' : 'even' }),
    )
    .join('\n'),
  'cheap.mjs': `export default ({ prompt }) => {
  const n = Number(/Number (\\d)/.exec(prompt)[1])
  return { text: 'Answer: ' + (n < 4 ? n : 0), costUsd: 0.01, tokens: { input: 1, output: 1 } }
}`,
  'dear.mjs': `export default ({ prompt }) => ({
  text: 'Answer: ' + /Number (\\d)/.exec(prompt)[1], costUsd: 0.1, tokens: { input: 1, output: 1 },
})`,
  // It routes by the number, says nothing usable of 5, and names a route that there is not for 6.
  'decider.mjs': `export default ({ prompt }) => {
  const n = Number(/Number (\\d)/.exec(prompt)[1])
  const text = n === 5 ? 'Hm.' : JSON.stringify({ reason: 'it is ' + n, route: n === 6 ? 'route-9' : n < 4 ? 'route-1' : 'route-2' })
  return { text, costUsd: 0.001, tokens: { input: 1, output: 1 } }
}`,
}
const agents = argv`--agent route-1=scripted:cheap.mjs --agent route-2=scripted:dear.mjs`
const tasks = argv`--tasks jsonl:tasks.jsonl?licence=MIT&tags=tags --quiet`

it('a decider is asked once for each task, its unusable replies fall to the last route, and all is billed, resumed and replayed', async () => {
  const cwd = folderOf(files)
  const args = [...tasks, ...argv`--methods router --agents scripted:decider.mjs --bracket`, ...agents]
  await bench([...args, '--out', 'run'], { cwd })
  const records = recordsOf(join(cwd, 'run')).filter(({ method }) => method === 'router')
  const chosen = records
    .map(({ task, state, passed, fidelity }) => {
      const { route, fallback, costUsd } = RouterState.parse(state?.router)
      return [task.slice(-2), route, fallback, costUsd, passed, fidelity.status]
    })
    .sort()
  expect(chosen).toEqual([
    ['t1', 'route-1', false, 0.001, true, 'kept'],
    ['t2', 'route-1', false, 0.001, true, 'kept'],
    ['t3', 'route-1', false, 0.001, true, 'kept'],
    ['t4', 'route-2', false, 0.001, true, 'kept'],
    // A reply that cannot be used is repaired once.
    ['t5', 'route-2', true, 0.002, true, 'kept'],
    ['t6', 'route-2', true, 0.002, true, 'kept'],
  ])

  const json = JSON.parse(await benchOk(argv`report run --format json`, { cwd }))
  expect(json.routes[0].deciderUsd).toBeCloseTo(0.008)
  expect(json.routes[0].routes).toMatchObject([
    { role: 'route-1', trials: 3, fallbacks: 0, graded: 3, passed: 3 },
    { role: 'route-2', trials: 3, fallbacks: 2, graded: 3, passed: 3 },
  ])
  expect(json.routes[0].routes.map(({ costUsd }: { costUsd: number }) => costUsd)).toEqual([
    expect.closeTo(0.03),
    expect.closeTo(0.3),
  ])
  expect(json.bracket[0].regret).toMatchObject({ best: 'alone-dear.mjs', estimate: 0, gained: 0, lost: 0 })
  const report = plain(await benchOk(argv`report run`, { cwd }))
  expect(report).toContain('router: the decider was asked in 6 trials, and cost $0.00800.')
  expect(report).toContain('Against the best agent alone')
  expect(report).toContain(
    'Warn router: the decider named no route in 2 of 6 trials, which the route for all others answered.',
  )

  const stopped = await bench([...args, ...argv`--out parts --max-calls 9`], { cwd })
  expect(stopped.code).toBe(3)
  await bench(argv`run --resume parts --max-calls none --quiet`, { cwd })
  // Scripted agents take the time that they take.
  const untimed = (name: string) =>
    recordsOf(join(cwd, name)).map(({ durationMs: _, wall: __, ...record }) => record)
  expect(untimed('parts')).toEqual(untimed('run'))
  expect(await benchOk(argv`replay run`, { cwd })).toContain('no divergence')
})

it('a table asks no decider, in the config file, too, and notes a line that holds for no task', async () => {
  const config = `methods:
  by-tag:
    strategy: router
    options: { table: 'tag=even:route-2; tag=none:route-2; tag!=odd:route-1', otherwise: route-1 }
`
  const cwd = folderOf({ ...files, 'bench.config.yaml': config })
  const { stderr } = await bench([...tasks, ...argv`--methods by-tag --out run`, ...agents], { cwd })
  expect(stderr).toContain('note: method by-tag: tag=none holds for none of 6 tasks')
  expect(stderr).toContain(
    'note: method by-tag: tag!=odd decides for none of 6 tasks: an earlier line holds for each of its 3',
  )
  const passed = recordsOf(join(cwd, 'run')).map(({ task, passed }) => [task.slice(-2), passed])
  expect(passed.sort()).toEqual([1, 2, 3, 4, 5, 6].map((n) => [`t${n}`, n < 4 || n % 2 === 0]))
  expect(readFileSync(join(cwd, 'run', 'steps.jsonl'), 'utf8')).not.toContain('decider')
})

it('wrong properties and routes are refused before anything is asked, all at once', async () => {
  const cwd = folderOf(files)
  const table = 'tga=even:route-2;grader=answer:route-1;difficulty>=0.5:route-2'
  await refused(
    [...tasks, '--methods', `r=router[table=${table},otherwise=route-1]`, ...agents, '--dry-run'],
    [
      '[method r: tga=even] these tasks state no property "tga". Did you mean "tag"?',
      '[method r: grader=answer] these tasks state no property "grader".',
      '[method r: difficulty>=0.5] these tasks state no property "difficulty".',
    ],
    { cwd },
  )
  const config = `methods:
  by-tag:
    strategy: router
    options: { table: 'tag=even:route-2', otherwise: route-1 }
    roles: { route-1: cheap, route-3: cheap, decider: cheap }
  unused: { strategy: router, roles: { route-9: cheap } }
agents: { cheap: scripted:cheap.mjs }
`
  for (const mode of ['dev', 'live'])
    await refused(
      [...tasks, ...argv`--methods by-tag --dry-run`, ...agents, '--mode', mode],
      [
        'methods.by-tag.roles.route-3] there is no role "route-3"',
        'roles.decider] there is no role "decider"',
      ],
      { cwd: folderOf({ ...files, 'bench.config.yaml': config }) },
    )
  await refused(
    [...tasks, '--methods', 'router[table=tag=even:route-3;even:route-1]', ...agents, '--dry-run'],
    [
      'option "table": "tag=even:route-3" names no route; the routes are route-1, route-2.',
      'option "table": "even:route-1" begins with "even", which is not a condition.',
      'option "otherwise": must be set with a table: the route of tasks that no line is about.',
    ],
    { cwd },
  )
})
