import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foreignFiles } from '../../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../../helpers/imports/inspect-log.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

it('recorded agents answer with the replies of a log of another harness, and its tokens are the bill', async () => {
  const questions = [1, 2, 3].map((n) => ({ question: `What is ${n} + ${n}?`, answer: `#### ${2 * n}` }))
  const samples = questions.map(({ question }, i) => ({
    ...inspectSample(i + 1),
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: 'x' },
    ],
    // The last one is wrong.
    output: { completion: `Answer: ${i === 2 ? 7 : 2 * (i + 1)}` },
    model_usage: { 'vendor/m': { input_tokens: 1_000_000, output_tokens: 500_000, total_tokens: 1_500_000 } },
  }))
  const cwd = foreignFiles({ 'log.json': { ...inspectHeader(), samples }, 'sums.jsonl': questions })
  writeFileSync(join(cwd, 'prices.yaml'), 'prices:\n  recorded:m.jsonl: { input: 1, output: 2 }\n')
  await benchOk(
    argv`replies import log.json --tasks gsm8k:sums.jsonl --model m --source ${'a log'} --licence MIT --date 2026 --out m.jsonl`,
    { cwd },
  )
  // One of three is wrong, which the exit code tells.
  await bench(
    argv`--tasks gsm8k:sums.jsonl --methods baseline --agents recorded:m.jsonl --prices prices.yaml --out run --quiet`,
    { cwd },
  )
  const records = recordsOf(join(cwd, 'run')).toSorted((a, b) => a.task.localeCompare(b.task))
  expect(records.map(({ passed, spent }) => [passed, spent.input, spent.output, spent.costUsd])).toEqual([
    [true, 1_000_000, 500_000, 2],
    [true, 1_000_000, 500_000, 2],
    [false, 1_000_000, 500_000, 2],
  ])
  expect(await benchOk(['report', 'run'], { cwd })).toContain('replies of m from a log (MIT, 2026)')
})
