import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GraphRecord } from '../../../src/schema/graph/plan.ts'
import { replays, runOnce } from '../../cli/run/determinism-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'

const names = [
  'composition',
  'debate',
  'fork_join',
  'hierarchical',
  'multi_step',
  'planner_executor',
  'referee',
]

/** Answers by what it is asked, in which step and on which task, whatever the trial, and takes a time by chance. */
const agent = `import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
export const paid = false
export const simulated = false
export default async ({ trial, attempt, prompt, schema }) => {
  const dice = createHash('sha256').update([trial.task, trial.key, attempt, prompt].join()).digest()
  const clock = Math.random() * 20
  await setTimeout(clock)
  const one = (values, die) => values[die % values.length]
  const { steps, tasks, winner } = schema?.properties ?? {}
  const data = steps
    ? { steps: ['Begin.', 'Go on.', 'End.'].slice(0, 1 + (dice[0] % 3)) }
    : tasks
      ? { tasks: [1, 2].map((i) => ({ worker: one(tasks.items.properties.worker.enum, dice[i]), do: 'Look.' })) }
      : { winner: winner && one(winner.enum, dice[3]), reason: 'So.' }
  const text = schema ? JSON.stringify(data) : 'Thought ' + dice.toString('hex', 0, 8) + '.\\nAnswer: ' + dice[4]
  return { text, tokens: { input: 10, output: 10, cached: 0 }, costUsd: 0, durationMs: clock }
}
`

/** Runs the documents at a concurrency; gives what must not depend on it. */
async function played(cwd: string, concurrency: number) {
  const folder = join(cwd, 'documents')
  const methods = names.map((name) => {
    const text = readFileSync(join(root, `strategies/dag/${name}.yaml`), 'utf8')
    const limited = text.replace(/^run: \{/m, `run: { defaults: { max_concurrency: ${concurrency} },`)
    expect(limited).not.toBe(text)
    writeFileSync(join(folder, `${name}.yaml`), limited)
    return `dag:${join(folder, `${name}.yaml`)}`
  })
  const plan = ['--mode', 'live', '--tasks', 'answers', '--methods', methods.join(), '--quiet']
  const run = await runOnce(
    [...plan, '--agents', `scripted:${join(cwd, 'agent.mjs')}`],
    {},
    '--parallel',
    '4',
  )
  const steps = stepsOf(run.folder)
  const trials = recordsOf(run.folder).map(({ trial, method, task, answer, delivered, claimed, state }) => {
    const { digest: _, ...graph } = GraphRecord.parse(state?.graph)
    const asks = steps.flatMap((step) =>
      step.kind === 'ask' && step.trial === trial ? [`${step.key} ${JSON.stringify(step.prompt)}`] : [],
    )
    return { method, task, answer, delivered, claimed, graph, asks: asks.sort() }
  })
  return { run, trials }
}

it('graphs of documents have the same steps, prompts and answers at concurrency 1, 2, 4 and 16, whatever the times', {
  timeout: 900_000,
}, async () => {
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'documents'))
  writeFileSync(join(cwd, 'agent.mjs'), agent)
  const first = await played(cwd, 4)
  expect(first.trials.length).toBe(8 * names.length)
  expect(new Set(first.trials.map(({ claimed }) => claimed))).toEqual(new Set(['done']))
  for (const concurrency of [1, 2, 4, 16])
    expect((await played(cwd, concurrency)).trials).toEqual(first.trials)
  await replays(first.run, 100)
})
