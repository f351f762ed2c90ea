import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { familySetting } from '../../helpers/agents/wire-families.ts'
import { markIn, verdict } from '../../helpers/graders/rubric-task.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  asksOf,
  bench,
  benchOk,
  intentsOf,
  recordsOf,
  refused,
  shareProcess,
  startBench,
  until,
} from '../../helpers/runs/cli.ts'

shareProcess()

const taskYaml = `id: capital
title: A polite answer
output: answer
graders:
  - kind: rubric
    name: quality
    criteria:
      - { name: correct, text: It names the capital of France., weight: 3 }
      - { name: polite, text: It is polite. }
rule: { mean: 0.7 }
`

/** Writes a suite with one open task. */
function suite(): string {
  const folder = folderOf({
    'open/capital/task.yaml': taskYaml,
    'open/capital/instruction.md': 'What is the capital of France? Be polite.\n',
  })
  return `native:${join(folder, 'open')}`
}

const judges = 'openai:gpt-5,google:gemini-2.5-pro'
const live = (tasks: string, folder: string) =>
  argv`--mode live --tasks ${tasks} --methods baseline --agents anthropic:claude-sonnet-4-5
    --judges ${judges} --out ${folder} --quiet --parallel 1`

/** Replies as the model that is asked: with an answer, or with the verdict of a judge. */
const replyTo = ({ model, prompt }: { model: string; prompt: string }) =>
  markIn({ prompt }) === ''
    ? { text: 'It is Paris, with pleasure.' }
    : {
        text: verdict({ prompt }, 'yes', model.startsWith('gpt') ? 'yes' : 'no'),
        usage: { input: 400, output: 50 },
      }

const textOf = (body: unknown): string => {
  const texts: string[] = []
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n')
}

it('judges of a live run are paid apart, survive a kill while they grade, and are asked once', async () => {
  let hang = true
  const models: string[] = []
  const { env, folder } = await familySetting(({ model, body }) => {
    models.push(model)
    const reply = replyTo({ model, prompt: textOf(body) })
    // The second judge hangs until the run was killed.
    return hang && model.startsWith('gemini') ? { failure: { kind: 'hang' } } : reply
  })
  const tasks = suite()
  const killed = startBench(live(tasks, folder), { env })
  const askedOf = (name: string) => models.filter((model) => model.startsWith(name)).length
  await until(() => askedOf('gemini') === 1 && askedOf('gpt') === 2)
  await until(() => asksOf(folder).length === 3)
  killed.kill('SIGKILL')
  await killed.ended
  hang = false

  expect(recordsOf(folder)).toEqual([])
  await benchOk(['--resume', folder, '--quiet'], { env })
  const [record] = recordsOf(folder)
  expect(record).toMatchObject({ passed: true, score: 0.875, outcome: { status: 'completed' } })
  expect(record?.scores[0]?.judges).toMatchObject([
    { judge: 'openai:gpt-5', value: 1 },
    { judge: 'google:gemini-2.5-pro', value: 0.75 },
  ])
  expect(record?.spent.calls).toBe(1)
  expect(record?.judging).toMatchObject({ calls: 4, input: 1600, output: 200 })
  // Only the call in flight was made again.
  expect([askedOf('claude'), askedOf('gpt'), askedOf('gemini')]).toEqual([1, 2, 3])
  expect(intentsOf(folder)).toHaveLength(6)
  expect(
    asksOf(folder)
      .map(({ payer }) => payer)
      .sort(),
  ).toEqual([...['grading', 'grading', 'grading', 'grading', 'method', 'void']])
  const before = readFileSync(join(folder, 'steps.jsonl'), 'utf8')
  expect(await benchOk(['replay', folder])).toContain('no divergence')
  expect(await benchOk(['replay', folder, '--regrade'])).toContain('no divergence')
  expect(readFileSync(join(folder, 'steps.jsonl'), 'utf8')).toBe(before)
  expect(models).toHaveLength(6)
  expect(await benchOk(['report', folder])).toMatch(/quality +\(all\)/)
})

it('limits of the run count judges, and limits of a method do not', async () => {
  const { env, folder } = await familySetting(({ model, body }) => replyTo({ model, prompt: textOf(body) }))
  const tasks = suite()
  const stopped = await bench([...live(tasks, folder), '--max-calls', '2'], { env })
  expect(stopped.code).not.toBe(0)
  expect(recordsOf(folder)).toEqual([])
  expect(asksOf(folder)).toHaveLength(2)
  await benchOk(['--resume', folder, '--quiet', '--max-calls', '5'], { env })
  expect(recordsOf(folder)[0]?.judging?.calls).toBe(4)
  const other = `${folder}-2`
  await benchOk([...live(tasks, other), '--method-limit', 'calls=1', '--limit', 'calls=1'], { env })
  expect(recordsOf(other)[0]).toMatchObject({ outcome: { status: 'completed' }, score: 0.875 })
})

it('a rubric without judges, and a limit that cannot count a judge, are refused before anybody is asked', async () => {
  const { server, env, folder } = await familySetting([])
  const args = live(suite(), folder)
  const without = args.filter((word) => word !== '--judges' && word !== judges)
  await refused(without, [/--judges.* is missing: the tasks open\/capital have a rubric/], { env })
  const prices = join(tempFolder(), 'prices.yaml')
  writeFileSync(prices, 'prices:\n  anthropic:claude-sonnet-4-5: { input: 3, output: 15 }\n')
  await refused(
    argv`${args} --prices ${prices} --max-cost 1`,
    [/cannot hold.*openai:gpt-5, google:gemini-2.5-pro/],
    {
      env,
    },
  )
  expect(server.asked()).toBe(0)
})
