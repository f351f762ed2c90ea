import { basename } from 'node:path'
import { z } from 'zod'
import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import { cutMiddle } from '../text/shorten.ts'
import { keepsDigits, readJsonLines } from './files/read-json-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'gsm8k'
const mark = '####'

/** A number with or without commas between its thousands. In `1,5` the comma may stand before decimals, so it is none. */
const plain = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/

/** One line of GSM8K's JSONL (github.com/openai/grade-school-math, MIT). */
const Line = z.object({
  question: z.string().regex(/\S/, 'is empty'),
  answer: z.string().includes(mark, { error: `has no ${mark} before its last number` }),
})

/** GSM8K's JSONL, plain or gzipped. The right answer is the number after `####`; the worked solution before it is not used. */
export const gsm8k: Importer = {
  name: suite,
  summary: "GSM8K's JSONL: word problems, graded by their number",
  recognises: (sample) =>
    sample.kind === 'file' &&
    ['question', 'answer'].every((name) => sample.fields.includes(name)) &&
    sample.text.includes(mark)
      ? 'certain'
      : undefined,
  async *read({ path }): AsyncGenerator<SuiteItem> {
    const part = taskId(basename(path).replace(/(\.jsonl|\.gz)+$/, '')) || 'line'
    for await (const item of readJsonLines(path, Line)) {
      yield 'problems' in item ? { problems: item.problems } : toItem(item.data, item, part)
    }
  },
}

function toItem(
  { question, answer }: z.infer<typeof Line>,
  { where, line }: { where: string; line: number },
  part: string,
): SuiteItem {
  const [, written = '', ...others] = answer.split(mark).map((part) => part.trim())
  const doubt = goldDoubt(written, others.length)
  if (doubt) return { problems: [{ where: `${where} answer`, ...doubt }] }
  const gold = written.replaceAll(',', '')
  const grader = { kind: 'numeric', name: 'answer', answer: gold, tolerance: 0 } as const
  const task: Task = makeTask({
    suite,
    spec: {
      id: `${part}-${line}`,
      title: cutMiddle(question.trim().split('\n')[0] as string, 60),
      output: 'answer',
      graders: [grader],
      licence: 'MIT',
      source: `GSM8K ${part}, line ${line} (github.com/openai/grade-school-math)`,
    },
    ...{ instruction: question.trim(), files: {}, checks: {} },
    hidden: { tests: {}, solution: { answer: gold } },
    origin: where,
  })
  return { task }
}

function goldDoubt(written: string, otherMarks: number): Omit<Problem, 'where'> | undefined {
  if (otherMarks > 0)
    return { what: `has ${mark} ${otherMarks + 1} times`, fix: 'Keep the one before its last number.' }
  const shown = JSON.stringify(cutMiddle(written, 80))
  if (!plain.test(written))
    return {
      what: `has no plain number after ${mark}: ${shown}`,
      fix: 'Write one such as 1800, 1,800 or 0.5, and nothing after it.',
    }
  if (keepsDigits(written.replaceAll(',', ''))) return undefined
  return {
    what: `has more digits after ${mark} than a number grader can tell apart: ${shown}`,
    fix: 'Leave the line out.',
  }
}
