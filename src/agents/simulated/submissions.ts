import type { Random } from '../../base/random.ts'
import { type Task, wantsText } from '../../schema/task.ts'
import type { AgentRequest, AgentWorkspace } from '../agent.ts'
import type { Pool } from '../mutants/mutant-pool.ts'
import { fileBlocks, type Overlay, referenceOf, type Submission, sameText } from '../reference.ts'

/** What is known about the current work. `untouched` means the task's own files. */
type WorkState = 'right' | 'wrong' | 'untouched' | 'unknown'

/** All submissions that a simulated agent may submit for a task. */
export interface Submissions {
  task: Task
  /** Undefined if the task has no reference. */
  right: Submission | undefined
  /** Wrong submissions, by whether they pass all visible checks. */
  wrong: { passing: readonly Submission[]; failing: readonly Submission[] }
}

/** Returns the submissions of a task: its reference and the wrong ones of its pool. */
export function submissionsOf(task: Task, pool: Pool): Submissions {
  return {
    task,
    right: referenceOf(task),
    wrong: {
      passing: pool.wrong.filter(({ passesVisible }) => passesVisible).map(({ submission }) => submission),
      failing: pool.wrong.filter(({ passesVisible }) => !passesVisible).map(({ submission }) => submission),
    },
  }
}

/** Picks a wrong submission. It passes the visible checks with the given probability, if the task has both kinds. */
export function pickWrong(
  { wrong }: Submissions,
  visiblePass: number,
  random: Random,
): Submission | undefined {
  const { passing, failing } = wrong
  const group =
    random() < visiblePass ? (passing.length > 0 ? passing : failing) : failing.length > 0 ? failing : passing
  return group[Math.floor(random() * group.length)]
}

/** Formats a submission as the end of a reply: file blocks or the answer line. */
export function formatSubmission(
  submission: Submission | undefined,
  task: Task,
  workspace: Pick<AgentWorkspace, 'files'>,
): string {
  if (!submission && wantsText(task.spec)) return 'I do not know'
  if (!submission)
    return task.spec.output === 'answer' ? 'Answer: I do not know' : 'I leave the files as they are.\n'
  if ('answer' in submission) return wantsText(task.spec) ? submission.answer : `Answer: ${submission.answer}`
  return fileBlocks(submission.files, workspace.files()) || 'The files stay as they are.\n'
}

/** Compares the files, or for an answer task the last answer in the prompt, with the submissions. */
export function assessWork(
  { task, right, wrong }: Submissions,
  { workspace, prompt }: Pick<AgentRequest, 'workspace' | 'prompt'>,
): WorkState {
  if (!right) return 'unknown'
  const all = [...wrong.passing, ...wrong.failing]
  if ('answer' in right) {
    const answer = wantsText(task.spec) ? lastText([right, ...all], prompt) : lastAnswer(prompt)
    if (answer === undefined) return 'unknown'
    if (answer === right.answer) return 'right'
    return all.some((one) => 'answer' in one && one.answer === answer) ? 'wrong' : 'unknown'
  }
  const current = workspace.files()
  const is = (overlay: Overlay) =>
    Object.entries(overlay).every(([path, content]) => sameText(current[path] ?? null, content))
  if ('files' in right && is(right.files)) return 'right'
  if (all.some((one) => 'files' in one && is(one.files))) return 'wrong'
  return Object.keys(right.files).every((path) => sameText(current[path], task.files[path]))
    ? 'untouched'
    : 'unknown'
}

/**
 * Whether any submission that a text shows is right, for who judges what others made in branches of their own. `wrong`: it shows
 * only wrong ones; `unknown`: it shows none.
 */
export function assessShown({ task, right, wrong }: Submissions, text: string): WorkState {
  if (!right) return 'unknown'
  const padded = `\n${text}\n`
  const countOf = (one: Submission) => {
    const counts = formsOf(one, task).map((form) => padded.split(form).length - 1)
    return counts.length > 0 ? Math.min(...counts) : 0
  }
  const others = [...wrong.passing, ...wrong.failing].filter((one) => countOf(one) > 0)
  // A wrong text may contain the right one, such as below a heading.
  const inside = others.filter((one) =>
    formsOf(right, task).every((form) => formsOf(one, task).join().includes(form)),
  )
  if (countOf(right) > inside.reduce((sum, one) => sum + countOf(one), 0)) return 'right'
  return others.length > 0 ? 'wrong' : 'unknown'
}

function formsOf(one: Submission, task: Task): string[] {
  if ('answer' in one) return [wantsText(task.spec) ? one.answer : `\nAnswer: ${one.answer}\n`]
  return Object.entries(one.files).flatMap(([path, content]) =>
    content === null || content.trim() === '' || sameText(content, task.files[path]) ? [] : [content.trim()],
  )
}

/** Returns the known text that stands last in a prompt. Of two that end there, the longer one counts: one may be a part of the other. */
function lastText(known: readonly Submission[], prompt: string): string | undefined {
  let last: { text: string; end: number } | undefined
  for (const one of known) {
    const text = 'answer' in one ? one.answer : ''
    const at = text === '' ? -1 : prompt.lastIndexOf(text)
    const end = at + text.length
    if (at < 0 || (last && (end < last.end || (end === last.end && text.length < last.text.length)))) continue
    last = { text, end }
  }
  return last?.text
}

function lastAnswer(prompt: string): string | undefined {
  const at = prompt.lastIndexOf('\nAnswer: ')
  if (at < 0) return undefined
  const from = at + '\nAnswer: '.length
  const end = prompt.indexOf('\n', from)
  return (end < 0 ? prompt.slice(from) : prompt.slice(from, end)).trim()
}
