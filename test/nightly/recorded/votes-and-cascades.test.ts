import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { CascadeState } from '../../../src/schema/method/cascade.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf } from '../../helpers/runs/cli.ts'
import {
  type GivenReply,
  givenReplies,
  givenTasks,
  idOf,
  writeReplies,
} from '../../helpers/suites/given-replies.ts'

const suites = ['mgsm', 'math', 'mmlu', 'bbh'] as const
type Suite = (typeof suites)[number]
const [qwen, llama, tlite, deepseek] = ['06_qwen_2_5_7b', '10_llama_3_1_8b', '19_t_lite', '16_deepseek_v3']
const methods = {
  vote: [qwen, llama, tlite],
  'cascade-tlite': [qwen, tlite, deepseek],
  'cascade-llama': [qwen, llama, deepseek],
} as const
type Method = keyof typeof methods

/** What the README of the given data counts: solved of so many tasks. */
const counted = tableOf<[suite: Suite, method: Method, solved: number, of: number][]>(
  import.meta.url,
  'counted',
)

/** A task of which a method is not judged here as by that count. Where `source` is right, a reply is misread here. */
type Difference = [
  method: Method,
  task: string,
  given: boolean,
  here: boolean,
  right: 'ours' | 'source' | 'arguable',
  why: string,
]

const config = `agents:
${[qwen, llama, tlite, deepseek].map((model) => `  m${model}: { provider: recorded, model: ${model}@replies, family: f${model} }`).join('\n')}
methods:
${Object.entries(methods)
  .map(([name, models]) => {
    const [strategy, role] = name === 'vote' ? ['consensus', 'worker'] : ['cascade', 'step']
    return `  ${name}: { strategy: ${strategy}, roles: { ${models.map((model, i) => `${role}-${i + 1}: m${model}`).join(', ')} } }`
  })
  .join('\n')}
`

/**
 * How a method ends by what the source read and how it judged that, without any code of bench. A vote: the most frequent reading of three,
 * ties by order. A cascade: the first two are asked; if they agree, that is the answer, else that of the third.
 */
function countOf(method: Method, replies: (GivenReply | undefined)[]) {
  const [one, two, three] = replies
  if (!one || !two || (method === 'vote' && !three)) return undefined
  if (method !== 'vote') {
    if (one.read === two.read) return { correct: one.correct, goesOn: false }
    return three && { correct: three.correct, goesOn: true }
  }
  const alike = (reply: GivenReply) => replies.filter((other) => other?.read === reply.read).length
  const most = [one, two, three as GivenReply].reduce((best, next) =>
    alike(next) > alike(best) ? next : best,
  )
  return { correct: most.correct, goesOn: false }
}

const stateOf = ({ state }: TrialRecord) => CascadeState.parse(state?.cascade)

/** Runs the methods on the replies to a suite, through the loop. */
async function recordsOfRun(suite: Suite): Promise<TrialRecord[]> {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  writeReplies(cwd, suite, [qwen, llama, tlite, deepseek])
  const names = Object.keys(methods).join()
  await bench(argv`run --mode live --tasks ${givenTasks[suite]} --methods ${names} --quiet --out run`, {
    cwd,
  })
  return recordsOf(join(cwd, 'run'))
}

/** The trials of a method, in the order of their tasks, with what is counted of each. */
function countedTrials(suite: Suite, method: Method, records: readonly TrialRecord[]) {
  const byModel = methods[method].map(
    (model) => new Map(givenReplies(suite, model).map((one) => [idOf(one), one])),
  )
  return records
    .filter((one) => one.method === method)
    .map((record) => ({ record, task: record.task.slice(record.task.indexOf('/') + 1) }))
    .sort((a, b) => (a.task < b.task ? -1 : 1))
    .map(({ record, task }) => {
      const replies = byModel.map((of) => of.get(task))
      return { record, task, count: countOf(method, replies) }
    })
}

needs('recorded replies in BENCH_RECORDED_REPLIES').describe(
  'votes and cascades of recorded replies end as counted from the verdicts of their source, but for tasks that are listed',
  { timeout: 600_000 },
  () => {
    it.each(suites)('%s', async (suite) => {
      const records = await recordsOfRun(suite)
      const listed = tableOf<Difference[]>(import.meta.url, suite)
      const found: unknown[] = []
      for (const method of Object.keys(methods) as Method[]) {
        const trials = countedTrials(suite, method, records)
        expect(trials).toHaveLength(200)
        const known = trials.filter(({ count }) => count !== undefined)
        const solved = known.filter(({ count }) => count?.correct).length
        expect(counted).toContainEqual([suite, method, solved, known.length])
        // A trial lacks a reply where the count does.
        const missing = trials.filter(({ record }) => record.outcome.status === 'error')
        expect(missing).toEqual(trials.filter(({ count }) => count === undefined))
        for (const { record, task, count } of known)
          if (record.passed !== count?.correct) found.push([method, task, count?.correct, record.passed])
        // Of plain numbers both compare alike, so a cascade goes on for the same tasks.
        if (suite === 'mgsm' && method !== 'vote')
          for (const { record, count } of known)
            expect(stateOf(record).steps.length === 3, record.task).toBe(count?.goesOn)
      }
      expect(found).toEqual(listed.map(([method, task, correct, here]) => [method, task, correct, here]))
      const odd = listed.filter(
        ([, , , , right, why]) => why === '' || !['ours', 'source', 'arguable'].includes(right),
      )
      expect(odd).toEqual([])
      expect(goneOnInVain(records)).toEqual([])
    })
  },
)

/** Cascades that went on although their first two answers are right, so equal: what equals the right answer is equal. */
const goneOnInVain = (records: readonly TrialRecord[]): string[] =>
  records.flatMap((record) => {
    if (record.method === 'vote' || record.outcome.status === 'error') return []
    const passes = (role: string) => record.candidates?.some((one) => one.role === role && one.passed)
    return stateOf(record).steps.length > 2 && passes('step-1') && passes('step-2') ? [record.task] : []
  })
