import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { grade } from '../../../src/graders/grade.ts'
import type { Task } from '../../../src/schema/task.ts'
import { taskId } from '../../../src/suites/make-task.ts'
import { math } from '../../../src/suites/math.ts'
import { mmluPro } from '../../../src/suites/mmlu-pro.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'

// Replies of nine models with the verdicts of their source: BENCH_RECORDED_REPLIES names a folder with math.tasks.jsonl.gz.
const folder = process.env.BENCH_RECORDED_REPLIES ?? ''

interface Reply {
  task: string
  reply: string
  correct: boolean
}

/** A reply whose verdict here is not that of the source. `said`: its own words, at most 100 characters. */
type Disagreement = [
  task: string,
  model: string,
  said: string,
  ours: boolean,
  right: 'ours' | 'theirs',
  why: string,
]

const repliesOf = (file: string): Reply[] =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reply)

async function isRight(task: Task, answer: string): Promise<boolean> {
  const run = () => Promise.reject(new Error('answers need no program'))
  return (await grade(task, { files: {}, answer, run, signal: new AbortController().signal })).passed
}

needs('recorded replies in BENCH_RECORDED_REPLIES').describe(
  'replies of real models get the verdicts of their source, but for those listed',
  { timeout: 120_000 },
  () => {
    it.each([
      ['math', math],
      ['mmlu', mmluPro],
    ])('%s', async (suite, importer) => {
      const { tasks, problems } = await readSuite(importer, join(folder, `${suite}.tasks.jsonl.gz`))
      expect(problems).toEqual([])
      const byId = new Map(tasks.map((task) => [task.spec.id, task]))
      const listed = tableOf<Disagreement[]>(import.meta.url, suite)
      const found: unknown[] = []
      const said: string[] = []
      let spent = 0
      let graded = 0
      for (const file of readdirSync(folder)
        .filter((name) => new RegExp(`^${suite}\\.\\d`).test(name))
        .sort())
        for (const { task: id, reply, correct } of repliesOf(file)) {
          const started = performance.now()
          const ours = await isRight(byId.get(taskId(id)) as Task, reply)
          spent += performance.now() - started
          graded++
          const model = file.slice(suite.length + 1, -'.jsonl.gz'.length)
          if (ours === correct) continue
          found.push([id, model, ours])
          const row = listed.find(([task, of]) => task === id && of === model)
          said.push(
            row !== undefined && reply.includes(row[2])
              ? 'in the reply'
              : `${id} ${model}: ${reply.slice(-100)}`,
          )
        }
      expect(found).toEqual(listed.map(([task, model, , ours]) => [task, model, ours]))
      expect(new Set(said)).toEqual(new Set(['in the reply']))
      expect(listed.filter(([, , words, , right]) => words.length > 100 || right !== 'ours')).toEqual([])
      console.info(`${suite}: ${graded} replies, ${(spent / graded).toFixed(2)} ms each`)
    })
  },
)
