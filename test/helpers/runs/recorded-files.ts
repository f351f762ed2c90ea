import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { RecordedReply, RepliesHeader } from '../../../src/schema/ledger/recorded-replies.ts'
import { tempFolder } from '../machine/temp.ts'
import { root } from './cli.ts'

/** The excerpt of recorded replies of real models. */
export const excerpt = join(root, 'fixtures/recorded/excerpt')

/** Its tasks, as after `--tasks`, and their number. */
export const recordedTasks = 'gsm8k:mgsm.jsonl.gz'
export const taskCount = 24

/** Returns a working folder with a copy of the excerpt. */
export function recordedFolder(): string {
  const cwd = tempFolder()
  cpSync(excerpt, cwd, { recursive: true })
  return cwd
}

/** The header and the replies of a model of the excerpt. */
export function repliesOf(model: string): [RepliesHeader, ...RecordedReply[]] {
  const text = gunzipSync(readFileSync(join(excerpt, 'replies', `${model}.jsonl.gz`))).toString()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [RepliesHeader, ...RecordedReply[]]
}

/** Writes the replies of all models of the excerpt as samples of one model into `samples/`: the first of a task is sample 1. */
export function writeSamples(cwd: string): void {
  const models = readdirSync(join(excerpt, 'replies')).map((name) => name.replace('.jsonl.gz', ''))
  const counts = new Map<string, number>()
  const all = models.flatMap((model) =>
    (repliesOf(model).slice(1) as RecordedReply[]).map((reply) => {
      const sample = (counts.get(reply.task) ?? 0) + 1
      counts.set(reply.task, sample)
      return { ...reply, sample }
    }),
  )
  const header = { ...repliesOf('qwen-2.5-7b')[0], model: 'several', replies: all.length }
  mkdirSync(join(cwd, 'samples'), { recursive: true })
  writeFileSync(
    join(cwd, 'samples', 'several.jsonl'),
    [header, ...all].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}
