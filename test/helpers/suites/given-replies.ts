import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { taskId } from '../../../src/suites/make-task.ts'
import { argv } from '../runs/argv.ts'
import { benchOk } from '../runs/cli.ts'

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

/** Imports the replies of models into `replies/` of a folder, by bench's own command. */
export async function importGiven(cwd: string, suite: GivenSuite, models: readonly string[]): Promise<void> {
  for (const model of models)
    await benchOk(
      argv`replies import ${given}/${suite}.${model}.jsonl.gz --tasks ${givenTasks[suite]} --model ${model}
        --source given --licence MIT --date 2025 --out replies/${suite}.${model}.jsonl.gz`,
      { cwd },
    )
}
