import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { gradeMath } from '../../helpers/graders/grade-math.ts'

interface Recorded {
  task: string
  model: string
  target: string
  reply: string
  right: boolean
}

const file = join(packageRoot(), 'fixtures/recorded-math/replies.jsonl.gz')
const replies = gunzipSync(readFileSync(file))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

it.each(replies)('the reply of $model to problem $task, for $target, is right: $right', async (recorded) => {
  const { target, reply, right } = recorded
  expect(await gradeMath(target, reply)).toMatchObject({ value: right ? 1 : 0 })
})
