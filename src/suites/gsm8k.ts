import { basename } from 'node:path'
import { z } from 'zod'
import type { Task, TaskSpec } from '../schema/task.ts'
import { shorten } from '../text/shorten.ts'
import { checkAnswers } from './answer-rules.ts'
import { readJsonLines } from './files/read-json-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'gsm8k'
const mark = '####'

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
  const gold = answer
    .slice(answer.lastIndexOf(mark) + mark.length)
    .trim()
    .replaceAll(',', '')
  const grader = { kind: 'numeric', name: 'answer', answer: gold, tolerance: 0 } as const
  const spec = { output: 'answer', graders: [grader] } as unknown as TaskSpec
  const problems = checkAnswers({ data: spec, where: () => `${where} answer` }, {}, '')
  if (problems.length > 0) return { problems }
  const task: Task = makeTask({
    suite,
    spec: {
      id: `${part}-${line}`,
      title: shorten(question.trim().split('\n')[0] as string, 60),
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
