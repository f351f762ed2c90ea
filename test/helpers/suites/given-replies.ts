import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { taskId } from '../../../src/suites/make-task.ts'

/** Replies of nine models with the verdicts of their source: BENCH_RECORDED_REPLIES names a folder with math.tasks.jsonl.gz. */
export const given = process.env.BENCH_RECORDED_REPLIES ?? ''

/** A reply with what its source read in it, and how it judged that. */
export interface GivenReply {
  task: string | number
  reply: string
  read: string
  correct: boolean
}

/** The suites as after `--tasks`, by their name in the folder. */
export const givenTasks = {
  mgsm: `jsonl:${given}/mgsm.tasks.jsonl.gz?name=mgsm&licence=MIT`,
  math: `math:${given}/math.tasks.jsonl.gz`,
  mmlu: `mmlu-pro:${given}/mmlu.tasks.jsonl.gz`,
  bbh: `bbh:${given}/bbh.tasks.jsonl.gz`,
  humaneval: `humaneval:${given}/humaneval.tasks.jsonl.gz`,
}
export type GivenSuite = keyof typeof givenTasks

/** The models that answered a suite, in order. */
export const modelsOf = (suite: GivenSuite): string[] =>
  readdirSync(given)
    .flatMap((name) => new RegExp(`^${suite}\\.(\\d.*)\\.jsonl\\.gz$`).exec(name)?.[1] ?? [])
    .sort()

/** The replies of a model to a suite. */
export const givenReplies = (suite: GivenSuite, model: string): GivenReply[] =>
  gunzipSync(readFileSync(join(given, `${suite}.${model}.jsonl.gz`)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GivenReply)

/** The id in bench of a task of the source. */
export const idOf = ({ task }: Pick<GivenReply, 'task'>): string => taskId(String(task))

/** Writes the replies of models as files for `recorded:MODEL@replies` into `replies/` of a folder. */
export function writeReplies(cwd: string, suite: GivenSuite, models: readonly string[]): void {
  mkdirSync(join(cwd, 'replies'))
  const name = suite === 'mmlu' ? 'mmlu-pro' : suite
  for (const model of models) {
    const replies = givenReplies(suite, model).map((one) => ({
      ...{ task: `${name}/${idOf(one)}`, sample: 1, reply: one.reply },
      tokens: { input: null, output: null },
    }))
    const header = {
      ...{
        format: 'bench-replies-1',
        model,
        source: 'given',
        licence: 'MIT',
        date: '2025',
        prompts: 'source',
      },
      replies: replies.length,
    }
    const lines = [header, ...replies].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(join(cwd, 'replies', `${model}.jsonl`), lines.join(''))
  }
}
