import { type ExcerptSize, quoteText } from '../../reports/story/excerpt.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { GraderSpec } from '../../schema/grader-spec.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'

/**
 * Returns what a task says is right, read from the task now: no file of a run holds it. Says why where it is not known, and where the task
 * is another one by now than in the run.
 */
export function rightAnswerText(
  task: Task | undefined,
  manifest: Pick<RunManifest, 'tasks'>,
  size: ExcerptSize,
): string {
  if (task === undefined) return 'Right answer: unknown, since the task cannot be read any more'
  const from = isAsInRun(task, manifest)
    ? 'from the task, stored in no run'
    : 'from the task as it is now: it has changed since this run'
  const said = rightAnswers(task)
  const files = Object.entries(task.hidden.solution?.files ?? {})
  if (said.length === 0 && files.length === 0) return 'Right answer: the task states none'
  return [
    `Right answer   ${from}`,
    ...said.map((text) => quoteText(text, '  ', size)),
    ...files.flatMap(([path, text]) => [safeLine(`  ${path}`), quoteText(text, '  ', size)]),
  ].join('\n')
}

/** Whether a task, as it is now, is the one that the run had. */
export const isAsInRun = ({ ref, digest }: Task, { tasks }: Pick<RunManifest, 'tasks'>) =>
  tasks.some((one) => one.ref === ref && one.digest === digest)

/** Returns what a task says is right as data: its graders, its rule and its reference. Null where the task cannot be read any more. */
export function rightAnswerData(task: Task | undefined, manifest: Pick<RunManifest, 'tasks'>) {
  if (task === undefined) return null
  const { graders, rule } = task.spec
  return { changed: !isAsInRun(task, manifest), rule, graders, reference: task.hidden.solution ?? null }
}

/** What each grader of a task asks of an answer, and the reference of those that compare with no text. */
function rightAnswers({ spec, hidden: { solution } }: Task): string[] {
  const { graders, rule } = spec
  const texts = graders.map((grader) => {
    const text = rightOf(grader, solution?.answer)
    return text === undefined || graders.length === 1 ? text : `${grader.name}: ${text}`
  })
  const named = texts.filter((text) => text !== undefined)
  const shown = rule === 'any' && named.length > 1 ? [`any of these ${named.length}:`, ...named] : named
  const isExample = graders.some(({ kind }) => isOpen(kind))
  if (solution?.answer === undefined || !isExample) return shown
  return shown.length === 0 ? [solution.answer] : [...shown, 'for example:', solution.answer]
}

/** Kinds that accept more than one text: their reference is only an example. */
const isOpen = (kind: GraderSpec['kind']) => ['pattern', 'rules', 'module', 'rubric'].includes(kind)

function rightOf(grader: GraderSpec, reference: string | undefined): string | undefined {
  switch (grader.kind) {
    case 'exact':
    case 'math':
      return String(grader.answer ?? reference)
    case 'numeric': {
      const { answer = reference, unit, tolerance } = grader
      const off = tolerance > 0 ? `, at most ${tolerance} off` : ''
      return `${answer}${unit === undefined ? '' : ` ${unit}`}${off}`
    }
    case 'choice':
      return optionText(String(grader.answer ?? reference), grader.options)
    case 'pattern':
      return [
        ...grader.require.map((source) => `matches /${source}/${grader.flags}`),
        ...grader.forbid.map((source) => `does not match /${source}/${grader.flags}`),
      ].join('; ')
    case 'rules':
      return [
        `has ${grader.words.min} to ${counted(grader.words.max, 'word')}`,
        ...grader.facts.map((spellings) => `states ${spellings.join(' or ')}`),
        ...grader.forbid.map((block) => `has no ${block}`),
      ].join('; ')
    case 'rubric':
      return grader.criteria.map(({ name, text }) => `${name}: ${text}`).join('\n')
    default:
      return undefined
  }
}

/** An option with its letter; the answer may be either of the two. */
function optionText(answer: string, options: readonly string[]): string {
  const letters = options.map((_, i) => String.fromCharCode(65 + i))
  const at = options.includes(answer) ? options.indexOf(answer) : letters.indexOf(answer)
  return at === -1 ? answer : `(${letters[at]}) ${options[at]}`
}

/** Returns a trial and its steps without the reasons of scores, which say what is right. */
export const withoutReasons = (record: TrialRecord, steps: readonly Step[]) => ({
  record: { ...record, scores: record.scores.map((score) => ({ ...score, reason: '' })) },
  steps: steps.filter(({ kind }) => kind !== 'grade'),
})
