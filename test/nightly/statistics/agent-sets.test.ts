import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plantedRun } from '../../helpers/agents/planted.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, intentsOf, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

const methods = { good: 'skill=9', bad: 'skill=1' }

/** A run of two methods with two agents that bill differently, whole unless it is stopped. */
async function ran(more: readonly string[] = []) {
  const cwd = tempFolder()
  const args = plantedRun(cwd, methods).map((word) =>
    word === 'scripted:agent.mjs' ? 'scripted:agent.mjs,scripted:dear.mjs' : word,
  )
  const agent = readFileSync(join(cwd, 'agent.mjs'), 'utf8')
  writeFileSync(join(cwd, 'dear.mjs'), agent.replace('costUsd: 0.01', 'costUsd: 0.05'))
  return { cwd, out: await bench(['run', ...args, '--out', 'run', ...more], { cwd }) }
}

it('a run of several sets of agents resumes, replays, and reports methods, agents and their interaction', async () => {
  const { cwd, out } = await ran(['--max-calls', '17', '--parallel', '1'])
  expect(out).toMatchObject({ code: 3 })
  await benchOk(['run', '--resume', 'run', '--max-calls', '1000', '--quiet'], { cwd })
  const folder = join(cwd, 'run')
  const records = recordsOf(folder)
  expect(records).toHaveLength(40)
  expect(new Set(records.map(({ trial }) => trial)).size).toBe(40)
  const cells = records.map(({ task, method, agentSet }) => `${task} ${method} ${agentSet}`)
  expect(new Set(cells).size).toBe(40)
  // Whoever is asked for a trial is the agent that its record names.
  const agentOf = new Map(records.map(({ trial, agents }) => [trial, agents]))
  for (const step of stepsOf(folder))
    if (step.kind === 'ask') expect(step.agent).toBe(agentOf.get(step.trial))
  expect(intentsOf(folder)).toHaveLength(40)
  await benchOk(['replay', 'run'], { cwd })

  const report = await benchOk(['report', 'run'], { cwd })
  expect(report).toMatch(/^2 methods with 2 sets of agents each on 10 tasks, .*; 40 trials/)
  expect(report).toContain('How much the difference of methods depends on the agents')
  const json = JSON.parse(await benchOk(['report', 'run', '--format', 'json'], { cwd }))
  expect(json.comparison.pairs.map(({ a, b }: { a: string; b: string }) => [a, b])).toEqual([
    ['good@scripted:agent.mjs', 'good@scripted:dear.mjs'],
    ['bad@scripted:agent.mjs', 'good@scripted:agent.mjs'],
    ['bad@scripted:dear.mjs', 'good@scripted:dear.mjs'],
    ['bad@scripted:agent.mjs', 'bad@scripted:dear.mjs'],
  ])
  expect(json.comparison.interactions).toEqual([
    expect.objectContaining({
      first: 'scripted:agent.mjs',
      second: 'scripted:dear.mjs',
      nTasks: 10,
      estimate: 0,
    }),
  ])
  expect(
    json.methods.map(({ cost }: { cost: { perTrial: { value: number } } }) => cost.perTrial.value),
  ).toEqual([0.01, 0.05, 0.01, 0.05])
  const shown = await benchOk(['show', 'run'], { cwd })
  expect(shown.match(/bad@scripted:dear\.mjs, epoch 1/g)).toHaveLength(10)

  const compared = await benchOk(argv`compare run:bad@scripted:dear.mjs run:bad@scripted:agent.mjs`, {
    cwd,
  })
  expect(compared).toContain('Comparison of success: 1 pair on 10 tasks')
  expect(compared).toMatch(/5\.0x \(all the same\)/)
  await refused(
    argv`compare run:good@scripted:dear.mjs run:bad@scripted:agent.mjs`,
    [/so a difference could come from either/],
    { cwd },
  )
  await refused(['compare', 'run:good', 'run:bad'], [/good@scripted:agent\.mjs/], { cwd })
})

it('the estimate gives the cost of each set of agents, and --fail-if can name one', async () => {
  const { cwd, out } = await ran(
    argv`--fail-if good@scripted:dear.mjs.costUsd>0.02,*@scripted:agent.mjs.costUsd>0.02`,
  )
  expect(out).toMatchObject({ code: 1 })
  expect(out.stderr.match(/--fail-if holds/g)).toHaveLength(1)
  expect(out.stderr).toMatch(/holds: good@scripted:dear\.mjs\.costUsd>0\.02 \(it is 0\.05/)
  const args = plantedRun(cwd, methods).map((word) =>
    word === 'scripted:agent.mjs' ? 'scripted:agent.mjs,scripted:dear.mjs' : word,
  )
  const estimate = ['--dry-run', '--estimate-from', 'run', '--json', '--epochs', '3']
  const { methods: rows } = JSON.parse(await benchOk(['run', ...args, ...estimate], { cwd })) as {
    methods: { method: string; trials: number; seen: number; costUsd: { middle: number } }[]
  }
  expect(
    rows.map(({ method, trials, seen, costUsd }) => [method, trials, seen, costUsd.middle.toFixed(2)]),
  ).toEqual([
    ['good@scripted:agent.mjs', 30, 10, '0.30'],
    ['good@scripted:dear.mjs', 30, 10, '1.50'],
    ['bad@scripted:agent.mjs', 30, 10, '0.30'],
    ['bad@scripted:dear.mjs', 30, 10, '1.50'],
  ])
})

it('sets of agents that are named twice, empty, or without effect on a method are refused', async () => {
  const run = ['run', '--dev', '--tasks', 'ferry-morning', '--methods', 'baseline', '--agents']
  await refused([...run, 'simulated,simulated'], [/names "simulated" twice/])
  await refused([...run, 'simulated,'], [/has an empty agent name/])
  await refused(argv`${run} simulated,oracle --agent solver=oracle`, [
    /has the same agents in two of these sets/,
  ])
})

it('two methods that ask different models are marked as confounded', async () => {
  const cwd = tempFolder()
  const args = plantedRun(cwd, methods)
  cpSync(join(cwd, 'agent.mjs'), join(cwd, 'other.mjs'))
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    'methods:\n  good: { strategy: ./planted.mjs, options: { skill: 9 }, roles: { worker: scripted:other.mjs } }\n' +
      '  bad: { strategy: ./planted.mjs, options: { skill: 1 } }\nrun: { agents: scripted:agent.mjs }\n',
  )
  const at = args.indexOf('--methods')
  const rest = args.filter(
    (_, place) =>
      ![at, at + 1].includes(place) && args[place] !== '--agents' && args[place] !== 'scripted:agent.mjs',
  )
  await benchOk(['run', ...rest, '--methods', 'good,bad', '--out', 'run'], { cwd })
  const out = await benchOk(['report', 'run'], { cwd })
  expect(out.replace(/\s+/g, ' ')).toContain(
    'bad than good: confounded with the model. The first asks scripted:agent.mjs; the second asks scripted:other.mjs',
  )
  expect(await benchOk(['compare', 'run:good', 'run:bad'], { cwd })).toContain('confounded with the model')
  const json = JSON.parse(await benchOk(['compare', 'run:bad', 'run:good', '--format', 'json'], { cwd }))
  expect(json.comparison.pairs[0].confounded).toEqual({
    a: ['scripted:agent.mjs'],
    b: ['scripted:other.mjs'],
  })
})
