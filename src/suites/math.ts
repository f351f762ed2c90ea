import { basename } from 'node:path'
import { z } from 'zod'
import { cutMiddle } from '../text/shorten.ts'
import { type FileKind, findFile, recordsToItems } from './code/records-to-items.ts'
import { readObjects } from './files/read-json-list.ts'
import { makeTask, taskId } from './make-task.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'math'
const text = z.string().regex(/\S/, 'is empty')
const name = z.union([z.int(), z.string().regex(/[A-Za-z0-9]/)], 'expected a number or a name')

/** A problem as published (`unique_id`, `answer`), or of a selection (`id`, `target`). */
const Line = z.object({
  problem: text,
  answer: text.optional(),
  target: text.optional(),
  unique_id: name.optional(),
  id: name.optional(),
  subject: text.optional(),
  level: z.int().min(1, 'is not from 1 to 5').max(5, 'is not from 1 to 5').optional(),
})
type Line = z.infer<typeof Line>

const files: FileKind = {
  ending: /\.jsonl?(\.gz)?$/,
  name: 'JSONL file',
  fix: 'Give the path of test.jsonl, from huggingface.co/datasets/HuggingFaceH4/MATH-500.',
}

/** MATH-500, plain or gzipped. The worked solution is not used. */
export const math: Importer = {
  name: suite,
  summary: 'MATH-500: problems of competitions, graded as mathematics',
  recognises: (sample) =>
    sample.kind === 'file' && ['problem', 'unique_id'].every((field) => sample.fields.includes(field))
      ? 'certain'
      : undefined,
  read: ({ path }) => recordsToItems(readObjects(findFile(path, files), Line), nameOf, toItem),
}

/** `test/algebra/12.json` is the task `test-algebra-12`. */
const nameOf = ({ unique_id, id, problem }: Line): string =>
  taskId(String(unique_id ?? id ?? '').replace(/\.json$/, '')) || problem

function toItem(line: Line, where: string, earlier: number | undefined): SuiteItem {
  const { problem, subject, level } = line
  const answer = (line.answer ?? line.target)?.trim()
  const id = nameOf(line)
  const fix = 'Each line has problem, answer and unique_id, or problem, target and id.'
  if (answer === undefined) return { problems: [{ where: `${where} answer`, what: 'is missing', fix }] }
  if (id === problem) return { problems: [{ where: `${where} unique_id`, what: 'is missing', fix }] }
  if (earlier !== undefined)
    return { problems: [{ where, what: `repeats the task of line ${earlier}: ${id}`, fix: 'Remove one.' }] }
  const kind = subject === undefined ? undefined : taskId(subject.toLowerCase())
  const task = makeTask({
    suite,
    spec: {
      id,
      title: cutMiddle(problem.trim().split('\n')[0] as string, 60),
      output: 'answer',
      graders: [{ kind: 'math', name: 'answer', answer }],
      licence: 'MIT',
      source: `MATH-500 ${id} (huggingface.co/datasets/HuggingFaceH4/MATH-500)`,
      ...(kind !== undefined && { cluster: kind }),
      tags: [...(kind === undefined ? [] : [kind]), ...(level === undefined ? [] : [`level-${level}`])],
      ...(level !== undefined && { properties: { difficulty: (level - 1) / 4 } }),
    },
    ...{ instruction: problem, files: {}, checks: {} },
    hidden: { tests: {}, solution: { answer } },
    origin: `${basename(where)}`,
  })
  return { task }
}
