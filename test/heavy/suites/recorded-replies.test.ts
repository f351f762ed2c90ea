import { join } from 'node:path'
import { expect, it } from 'vitest'
import { grade } from '../../../src/graders/grade.ts'
import type { Task } from '../../../src/schema/task.ts'
import { bbh } from '../../../src/suites/bbh.ts'
import { math } from '../../../src/suites/math.ts'
import { mmluPro } from '../../../src/suites/mmlu-pro.ts'
import { jsonl } from '../../../src/suites/questions/jsonl.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, root } from '../../helpers/runs/cli.ts'
import {
  type GivenSuite,
  given,
  givenReplies,
  givenTasks,
  idOf,
  modelsOf,
  writeReplies,
} from '../../helpers/suites/given-replies.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'

/**
 * A reply whose verdict here is not that of the source. `said`: its own words, at most 100 characters. Where the source is right, the reply
 * is misread here.
 */
type Disagreement = [
  task: string,
  model: string,
  said: string,
  given: boolean,
  here: boolean,
  right: 'ours' | 'source' | 'arguable',
  why: string,
]

/** Compares the verdicts of all replies to a suite with those of their source, and what differs with the table's rows. */
async function compareWithTable(
  suite: GivenSuite,
  isRight: (model: string, task: string, reply: string) => boolean | Promise<boolean>,
): Promise<void> {
  const listed = tableOf<Disagreement[]>(import.meta.url, suite)
  const found: unknown[] = []
  const said: string[] = []
  for (const model of modelsOf(suite))
    for (const one of givenReplies(suite, model)) {
      const here = await isRight(model, idOf(one), one.reply)
      if (here === one.correct) continue
      const task = String(one.task)
      found.push([task, model, one.correct, here])
      const row = listed.find(([id, of]) => id === task && of === model)
      const isQuoted = row !== undefined && one.reply.includes(row[2])
      said.push(isQuoted ? 'in the reply' : `${task} ${model}: ${one.reply.slice(-100)}`)
    }
  expect(found).toEqual(listed.map(([task, model, , correct, here]) => [task, model, correct, here]))
  expect(new Set(said)).toEqual(new Set(['in the reply']))
  const odd = listed.filter(
    ([, , words, , , right, why]) =>
      words.length > 100 || why === '' || !['ours', 'source', 'arguable'].includes(right),
  )
  expect(odd).toEqual([])
}

const run = () => Promise.reject(new Error('answers need no program'))

needs('recorded replies in BENCH_RECORDED_REPLIES').describe(
  'replies of real models get the verdicts of their source, but for those listed',
  { timeout: 120_000 },
  () => {
    it.each([
      ['mgsm', jsonl, { name: 'mgsm', licence: 'MIT' }],
      ['math', math, {}],
      ['mmlu', mmluPro, {}],
      ['bbh', bbh, {}],
    ] as const)('%s', async (suite, importer, parameters) => {
      const path = join(given, `${suite}.tasks.jsonl.gz`)
      const { tasks, problems } = await readSuite(importer, path, parameters)
      expect(problems).toEqual([])
      const byId = new Map(tasks.map((task) => [task.spec.id, task]))
      await compareWithTable(suite, async (_, id, answer) => {
        const { signal } = new AbortController()
        return (await grade(byId.get(id) as Task, { files: {}, answer, run, signal })).passed
      })
    })

    // Code is run as in a trial; verdicts of the study's five models are kept, the code of the others is run.
    it('humaneval', { timeout: 1_800_000 }, async () => {
      const cwd = tempFolder()
      const models = modelsOf('humaneval')
      writeReplies(cwd, 'humaneval', models)
      const agents = models.map((model) => `recorded:${model}@replies`).join()
      await bench(
        argv`run --mode live --tasks ${givenTasks.humaneval} --methods baseline --agents ${agents} --parallel 2 --quiet --out run
          --verdicts ${join(root, 'fixtures/recorded/cheap-models/verdicts.jsonl.gz')}`,
        { cwd },
      )
      const passed = new Map(
        recordsOf(join(cwd, 'run')).map(({ agents, task, passed }) => [`${agents} ${task}`, passed]),
      )
      expect(passed.size).toBe(models.length * 164)
      await compareWithTable(
        'humaneval',
        (model, id) => passed.get(`recorded:${model}@replies humaneval/${id}`) === true,
      )
    })
  },
)
