import type { Candidate } from '../../schema/ledger/record.ts'
import type { GradeStep } from '../../schema/ledger/step.ts'
import { keepCandidate } from '../ask/reply-edits.ts'
import { forkState } from '../files/workspace.ts'
import { type Branch, mustBeQuiet } from '../state/branch.ts'
import type { MadeCandidate } from '../state/made.ts'
import type { TrialState } from '../state/trial-state.ts'
import { deliveredOf, gradeHash, gradeState } from './grade-state.ts'

/** Who made a candidate that is no one's reply. */
const methodItself = 'the method'

/**
 * Notes what a strategy says stands now, whoever made it: the files as they are, and `answer` where it is given. It is what
 * the branch's last ask came to; where branches were opened since, or none was made, the method put it together itself, and
 * `ownKey` names it. Gives the event that tells so.
 */
export function noteCandidate(
  trialState: TrialState,
  branch: Branch,
  answer: string | undefined,
  ownKey: string,
): { type: string; of: string; role: string } {
  mustBeQuiet(branch, 'candidate()')
  const { state, answered } = branch
  if (answer !== undefined) state.answer = answer
  const known = trialState.candidates?.find(({ key }) => key === answered?.key)
  const { key, role } =
    answered && (!known || known.key === state.candidate) ? answered : { key: ownKey, role: methodItself }
  // What a producing role's reply is taken to say, in place of its whole text.
  if (known?.key === key) known.state = forkState(state)
  else if (state.candidate !== key) keepCandidate(trialState, branch, role, key)
  return { type: 'candidate', of: key, role }
}

/**
 * Finds out where an answer comes from that is not what the branch holds: another candidate's, or the whole reply of a
 * role that judges, decides or summarises, which is a candidate then as well. Of several the last.
 */
export function deliveredFrom(trialState: TrialState, { state }: Branch, answer: string | undefined): void {
  const { candidates, task, asked } = trialState
  if (!candidates || answer === undefined || task.spec.output !== 'answer') return
  const same = candidates.findLast((candidate) => candidate.state.answer === answer)
  if (same) {
    state.candidate = same.key
    return
  }
  const said = asked.findLast(({ step, text }) => step.work !== 'produce' && text.trim() === answer.trim())
  if (!said) return
  const { key, role } = said.step
  const at = said.step.at + said.step.durationMs
  const before = candidates.find((one) => one.key === state.candidate && one.at <= at)
  candidates.push({ key, role, at, from: before?.key, state: { ...state, answer } })
  state.candidate = key
}

/**
 * Grades all that was made on the way, in the order of the clock. What is the same as another candidate, or as what was
 * delivered, is graded once. No model is asked, and no method pays.
 */
export async function gradeCandidates(
  trialState: TrialState,
  branch: Branch,
  final: GradeStep,
): Promise<Candidate[]> {
  const { task } = trialState
  // The step's hash names what was graded, answer and files.
  const grades = new Map<string, GradeStep>([[final.hash, final]])
  // What the method puts together takes no time, and comes after what it is made of.
  const isOwn = ({ role }: MadeCandidate) => Number(role === methodItself)
  const made = [...(trialState.candidates ?? [])].sort(
    (a, b) => a.at - b.at || isOwn(a) - isOwn(b) || (a.key < b.key ? -1 : 1),
  )
  const candidates: Candidate[] = []
  for (const { key, role, at, from, state } of made) {
    const delivered = deliveredOf(task, state, state.answer)
    const grade = await gradeOnce(trialState, branch, { key, state, delivered }, grades)
    candidates.push({
      key,
      role,
      at,
      ...(from !== undefined && { from }),
      delivered,
      passed: grade?.passed ?? null,
      score: grade ? scoreOf(grade) : null,
    })
  }
  return candidates
}

async function gradeOnce(
  trialState: TrialState,
  branch: Branch,
  { key, state, delivered }: Pick<MadeCandidate, 'key' | 'state'> & { delivered: string | null },
  grades: Map<string, GradeStep>,
): Promise<GradeStep | undefined> {
  const known = grades.get(gradeHash(trialState.task, state, delivered))
  if (known) return known
  const { answer } = state
  const graded = await gradeState(trialState, branch, {
    key: `grade/${key}`,
    of: key,
    state,
    answer,
    delivered,
  })
  if (!graded || !('step' in graded)) return undefined
  grades.set(graded.step.hash, graded.step)
  return graded.step
}

/** Mean of the graders' scores; null where none gave one. */
export function scoreOf({ scores }: GradeStep): number | null {
  return scores.length > 0 ? scores.reduce((sum, { value }) => sum + value, 0) / scores.length : null
}
