import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MethodRoutes, Route } from '../../../src/analysis/routes.ts'
import { groupBy } from '../../../src/base/grouping.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, root, shareProcess } from '../../helpers/runs/cli.ts'
import { givenReplies, givenTasks, idOf, writeReplies } from '../../helpers/suites/given-replies.ts'
import { type RoutedSuite, regretByHand, routed, routedMethod, routeOf } from '../../helpers/suites/routed.ts'

shareProcess()

const suites = Object.keys(routed) as RoutedSuite[]
const data = join(root, 'fixtures/recorded/cheap-models')
const rows = {
  'route-1': 'alone-qwen-2.5-7b',
  'route-2': 'alone-llama-3.3-70b',
  'route-3': 'alone-deepseek-v3',
}
const agents = argv`--agent route-1=qwen-7b --agent route-2=llama-70b --agent route-3=deepseek-v3`

/** The name of the category that a task's id in the source begins with. */
const categories = (suite: RoutedSuite): Map<string, string> =>
  new Map(
    givenReplies(suite === 'bbh' ? 'bbh' : 'mmlu', '16_deepseek_v3').map((one) => {
      const [category = ''] = String(one.task).split('/')
      return [`${suite}/${idOf(one)}`, category]
    }),
  )

describe.each(suites)('a table router on recorded replies to %s', { timeout: 300_000 }, (suite) => {
  it('answers each task as the agent of its category does alone, and its regret is that by hand', async () => {
    const out = join(tempFolder(), 'run')
    const tasks = `${suite}:tasks/${suite}.jsonl.gz`
    const args = argv`run --mode live --tasks ${tasks} --methods ${routedMethod(suite)} --bracket --prices prices.yaml --trust-code --quiet`
    await bench([...args, ...agents, '--out', out], { cwd: data })
    const records = recordsOf(out)
    const byRow = groupBy(records, ({ method }) => method)
    const passesOf = (row: string) =>
      new Map((byRow.get(row) ?? []).map(({ task, passed }) => [task, Number(passed)]))
    const own = byRow.get('routed') as TrialRecord[]
    expect(own.length).toBeGreaterThan(190)
    const { tasks: planned } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as RunManifest
    const clusters = new Map(planned.map(({ ref, cluster = '' }) => [ref, cluster]))
    const routeFor = (task: string) => routeOf(suite, clusters.get(task) as string) as keyof typeof rows
    for (const { task, passed, fidelity, spent, state } of own) {
      const row = rows[routeFor(task)]
      const alone = byRow.get(row)?.find((one) => one.task === task)
      expect([task, Number(passed)]).toEqual([task, passesOf(row).get(task)])
      expect(spent.costUsd).toBe(alone?.spent.costUsd)
      expect([task, stateOf(state)?.route]).toEqual([task, alone?.claimed ? routeFor(task) : undefined])
      expect(fidelity.status).toBe('kept')
    }

    const json = JSON.parse(await benchOk(['report', out, '--format', 'json']))
    const { regret } = json.bracket[0]
    const names = own.map(({ task }) => task)
    const byHand = regretByHand({
      own: names.map((task) => passesOf('routed').get(task) as number),
      alone: Object.values(rows).map((row) => names.map((task) => passesOf(row).get(task) as number)),
      categories: names.map((task) => clusters.get(task) as string),
    })
    for (const part of ['estimate', 'lower', 'upper'] as const)
      expect(regret[part], part).toBeCloseTo(byHand[part], 8)
    const answered = own.filter(({ state }) => state).map(({ task }) => routeFor(task))
    const counts = json.routes[0].routes.map(({ role, trials }: Route) => [role, trials])
    expect(counts).toEqual(
      Object.keys(rows).map((route) => [route, answered.filter((one) => one === route).length]),
    )
    // With the trials whose route gave nothing, the lines are all trials and all dollars.
    const { routes, noRoute } = json.routes[0] as MethodRoutes
    const lines = [...routes, ...(noRoute ? [noRoute] : [])]
    expect(lines.reduce((sum, { trials }) => sum + trials, 0)).toBe(own.length)
    expect(lines.reduce((sum, { costUsd }) => sum + Number(costUsd), 0)).toBeCloseTo(
      own.reduce((sum, { spent }) => sum + Number(spent.costUsd), 0),
      12,
    )
  })
})

const stateOf = (state: TrialRecord['state']) => state?.router as { route: string } | undefined

/** A task that its agent solved by one verdict alone: the source's, or the one here; and why the one here is right. */
type Difference = [task: string, given: boolean, here: boolean, why: string]

const models = { 'route-1': '06_qwen_2_5_7b', 'route-2': '13_llama_3_3_70b', 'route-3': '16_deepseek_v3' }

needs('recorded replies in BENCH_RECORDED_REPLIES').describe(
  'a table router solves as many tasks of each category as the verdicts of the source say of its agent, but for tasks that are listed',
  { timeout: 300_000 },
  () => {
    it.each(suites)('%s', async (suite) => {
      const cwd = tempFolder()
      const given = suite === 'bbh' ? 'bbh' : 'mmlu'
      const named = Object.values(models).map(
        (model) => `  m${model}: { provider: recorded, model: ${model}@replies }`,
      )
      writeFileSync(join(cwd, 'bench.config.yaml'), `agents:\n${named.join('\n')}\n`)
      writeReplies(cwd, given, Object.values(models))
      const roles = Object.entries(models).flatMap(([route, model]) => ['--agent', `${route}=m${model}`])
      await bench(
        [
          ...argv`run --mode live --tasks ${givenTasks[given]} --methods ${routedMethod(suite)} --quiet --out run`,
          ...roles,
        ],
        { cwd },
      )
      const records = recordsOf(join(cwd, 'run'))
      const category = categories(suite)
      const verdicts = Object.fromEntries(
        Object.entries(models).map(([route, model]) => [
          route,
          new Map(givenReplies(given, model).map((one) => [`${suite}/${idOf(one)}`, one.correct])),
        ]),
      )
      const counted = new Map<string, [given: number, here: number]>()
      const found: unknown[] = []
      for (const { task, passed } of records) {
        const name = category.get(task) as string
        const correct = verdicts[routeOf(suite, name.replaceAll(' ', '-'))]?.get(task) === true
        const [theirs, ours] = counted.get(name) ?? [0, 0]
        counted.set(name, [theirs + Number(correct), ours + Number(passed)])
        if (correct !== passed) found.push([task, correct, passed === true])
      }
      expect(records).toHaveLength(200)
      const listed = tableOf<Difference[]>(import.meta.url, suite)
      expect(found.sort()).toEqual(listed.map(([task, given, here]) => [task, given, here]))
      for (const [name, [theirs, ours]] of counted) {
        const moved = listed.filter(([task]) => category.get(task) === name)
        const sum = moved.reduce((total, [, was, is]) => total + Number(is) - Number(was), 0)
        expect([name, ours]).toEqual([name, theirs + sum])
      }
    })
  },
)
