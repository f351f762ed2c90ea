import { findLeftOut } from '../replies/code/code-facts.ts'
import type { GraderSpec } from '../schema/grader-spec.ts'
import type { Score } from '../schema/ledger/outcome.ts'
import type { Rejected } from '../schema/method/change.ts'
import type { Files, Rule, Task, TaskSpec } from '../schema/task.ts'
import { editableIn } from '../suites/editable.ts'
import { InfrastructureError } from '../text/errors.ts'
import { findExpectedAnswer } from './expected.ts'
import { finalFiles, type Grader, type GraderContext } from './grader.ts'
import { graders } from './registry.ts'
import { hasWhatItShows } from './rubric.ts'

/** What a trial delivered. */
type Delivery = Pick<GraderContext, 'files' | 'answer' | 'shuffle' | 'judged' | 'run' | 'signal'> & {
  /** Paths of the replies that were refused, for the reason where nothing was delivered. */
  refused?: readonly Rejected[]
}

/** The scores of a delivery, and whether they satisfy the task's rule. */
export interface GradeResult {
  scores: Score[]
  passed: boolean
}

/**
 * Restores files that are not editable, runs all graders of a task in sequence, and applies the task's rule. Throws
 * `InfrastructureError` if a grader cannot grade, and the signal's reason if aborted.
 */
export async function grade(task: Task, delivery: Delivery): Promise<GradeResult> {
  const { files, answer, judged, run, signal, shuffle, refused = [] } = delivery
  const final = finalFiles(task, files)
  const undelivered = undeliveredText(task, files, final, refused)
  const elided = elidedText(task, final)
  const scores: Score[] = []
  for (const spec of task.spec.graders) {
    if (!canGrade(spec, task)) {
      throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has nothing to compare with`)
    }
    const grader = graders[spec.kind].grade as Grader
    const context = { task, files: final, answer, undelivered, judged, shuffle, run, signal }
    scores.push(tellReading(await grader({ spec, ...context }), elided))
  }
  return { scores, passed: satisfiesRule(task.spec.rule, scores) }
}

/** Says of each delivered file that leaves text out which line stands for it. */
export function elidedText(task: Task, final: Files): string[] {
  if (task.spec.output === 'answer') return []
  return Object.entries(final).flatMap(([path, content]) => {
    const line = content === task.files[path] ? undefined : findLeftOut(content)
    const isOwn = line === undefined || task.files[path]?.includes(line)
    return isOwn ? [] : [`${JSON.stringify(path)} holds ${JSON.stringify(line)} in place of text`]
  })
}

/** Adds what is to be known of how the replies were read to the reason of a score that is not full. */
export const tellReading = (score: Score, notes: readonly string[]): Score =>
  notes.length === 0 || isFull(score)
    ? score
    : { ...score, reason: [score.reason, ...listed(notes)].join('; ') }

/** Whether a task has graders, and each of them has its tests, patterns or expected answer. */
export function isGradable(task: Task): boolean {
  return task.spec.graders.length > 0 && task.spec.graders.every((spec) => canGrade(spec, task))
}

function canGrade(spec: GraderSpec, task: Task): boolean {
  if (spec.kind === 'pattern' || spec.kind === 'rules') return true
  if (spec.kind === 'rubric') return hasWhatItShows(spec, task)
  if (spec.kind === 'module') return task.hidden.tests[spec.file] !== undefined
  if (spec.kind !== 'tests') return findExpectedAnswer(spec, task) !== undefined
  return spec.runner === 'command' || Object.keys(task.hidden.tests).length > 0
}

/** Whether scores satisfy a task's rule. */
export function satisfiesRule(rule: Rule, scores: readonly Score[]): boolean {
  if (rule === 'all') return scores.every(isFull)
  if (rule === 'any') return scores.some(isFull)
  const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
  // Means of thirds are not exact in binary.
  return mean >= rule.mean - 1e-12
}

const isFull = ({ value }: Score) => value === 1

const mostNamed = 3

/** Returns the words that say that a reply delivered nothing. */
export const nothingDelivered = ({ output }: Pick<TaskSpec, 'output'>): string =>
  output === 'function' ? 'no code in the reply' : 'no file was changed'

/**
 * Returns in plain words that nothing was delivered: the files that a task takes from the work are as in the task. It names what was
 * refused of the replies, and changed files that the task does not take. Undefined where something was delivered, and for answers.
 */
export function undeliveredText(
  task: Task,
  left: Files,
  final: Files,
  refused: readonly Rejected[],
): string | undefined {
  if (task.spec.output === 'answer' || isChanged(final, task.files)) return undefined
  const isEditable = editableIn(task.spec)
  const others = [...new Set([...Object.keys(task.files), ...Object.keys(left)])].filter(
    (path) => left[path] !== task.files[path] && !isEditable(path),
  )
  return [
    nothingDelivered(task.spec),
    ...listed(refused.map(({ path, reason }) => `refused: ${JSON.stringify(path)} ${reason}`)),
    ...listed(others.map((path) => `not counted: ${JSON.stringify(path)} is not a file that may change`)),
  ].join('; ')
}

function isChanged(final: Files, given: Files): boolean {
  if (final === given) return false
  const paths = Object.keys(final)
  return paths.length !== Object.keys(given).length || paths.some((path) => final[path] !== given[path])
}

function listed(texts: readonly string[]): string[] {
  const all = [...new Set(texts)]
  const more = all.length - mostNamed
  return more > 0 ? [...all.slice(0, mostNamed), `${more} more`] : all
}
