import { basename } from 'node:path'
import { z } from 'zod'
import { indexOfLetter, optionLetter } from '../replies/answers/options.ts'
import { cutMiddle } from '../text/shorten.ts'
import { choiceGrader } from './choice-grader.ts'
import { type FileKind, findFile, recordsToItems } from './code/records-to-items.ts'
import { readObjects } from './files/read-json-list.ts'
import { makeTask, taskId } from './make-task.ts'
import { withOptions } from './questions/expected.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'mmlu-pro'
const text = z.string().regex(/\S/, 'is empty')
const name = z.union([z.int(), z.string().regex(/[A-Za-z0-9]/)], 'expected a number or a name')
const letter = z.string().regex(/^[A-J]$/, 'is no letter from A to J')

/** A question as published (`question_id`, `answer`, a list of options), or of a selection (`id`, `target`, options by letter). */
const Line = z.object({
  question: text,
  options: z.union(
    [z.array(z.string()), z.record(letter, z.string())],
    'expected a list, or texts by letter',
  ),
  answer: letter.optional(),
  target: letter.optional(),
  question_id: name.optional(),
  id: name.optional(),
  category: text.optional(),
})
type Line = z.infer<typeof Line>

const files: FileKind = {
  ending: /\.jsonl?(\.gz)?$/,
  name: 'JSON file',
  fix: 'Give the test set of huggingface.co/datasets/TIGER-Lab/MMLU-Pro as JSON: a list, or a line for each question.',
}

/** MMLU-Pro, plain or gzipped. The worked solutions of its examples are not used. */
export const mmluPro: Importer = {
  name: suite,
  summary: 'MMLU-Pro: questions of 14 categories with up to ten options',
  recognises: (sample) =>
    sample.kind === 'file' &&
    ['question_id', 'options', 'answer'].every((field) => sample.fields.includes(field))
      ? 'certain'
      : undefined,
  read: ({ path }) => recordsToItems(readObjects(findFile(path, files), Line), nameOf, toItem),
}

const nameOf = ({ question_id, id, question }: Line): string =>
  taskId(String(question_id ?? id ?? '')) || question

/** The options in the order of their letters. The published lists of some questions end in `N/A` options, which are none. */
function optionsOf({ options }: Line): string[] {
  const texts = Array.isArray(options)
    ? options
    : Object.keys(options)
        .sort()
        .map((letter) => options[letter] as string)
  return texts.slice(0, texts.findLastIndex((option) => option.trim() !== 'N/A') + 1)
}

/** Returns what is wrong with a question. */
function problemOf(line: Line, options: readonly string[], earlier: number | undefined) {
  const { question, answer = line.target } = line
  const fix =
    'Each question has question, options, answer and question_id, or question, options, target and id.'
  if (answer === undefined) return { field: 'answer', what: 'is missing', fix }
  if (nameOf(line) === question) return { field: 'question_id', what: 'is missing', fix }
  if (earlier !== undefined)
    return { field: 'question_id', what: `repeats that of line ${earlier}`, fix: 'Remove one of them.' }
  const given = Array.isArray(line.options) ? [] : Object.keys(line.options).sort()
  if (options.length < 2 || options.length > 10 || given.some((letter, i) => letter !== optionLetter(i)))
    return { field: 'options', what: 'are not two to ten options from A on', fix: 'Leave the question out.' }
  if (indexOfLetter(answer, options) < 0)
    return {
      field: 'answer',
      what: `is ${answer}, which none of its options has`,
      fix: 'Leave the question out.',
    }
  return undefined
}

function toItem(line: Line, where: string, earlier: number | undefined): SuiteItem {
  const options = optionsOf(line)
  const problem = problemOf(line, options, earlier)
  if (problem)
    return { problems: [{ where: `${where} ${problem.field}`, what: problem.what, fix: problem.fix }] }
  const { question, id: given } = line
  const answer = (line.answer ?? line.target) as string
  const id = nameOf(line)
  const [, inName] = /^(\D[^/]*)\//.exec(String(given ?? '')) ?? []
  const category = taskId((line.category ?? inName ?? '').toLowerCase())
  const { grader, issue } = choiceGrader('answer', options, answer)
  const task = makeTask({
    suite,
    spec: {
      id,
      title: cutMiddle(question.trim().split('\n')[0] as string, 60),
      output: 'answer',
      graders: [grader],
      licence: 'MIT',
      source: `MMLU-Pro ${id} (huggingface.co/datasets/TIGER-Lab/MMLU-Pro)`,
      ...(category !== '' && { tags: [category], cluster: category }),
      ...(issue !== undefined && { knownIssues: [issue] }),
    },
    ...{ instruction: withOptions(question.trim(), { texts: options }), files: {}, checks: {} },
    hidden: { tests: {}, solution: { answer } },
    origin: basename(where),
  })
  return { task }
}
