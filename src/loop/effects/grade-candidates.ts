import type { Candidate } from '../../schema/ledger/record.ts'
import type { GradeStep } from '../../schema/ledger/step.ts'
import { keepCandidate } from '../ask/reply-edits.ts'
import { requireIdle } from '../branch/branch.ts'
import type { Branch, UngradedCandidate } from '../branch/trial-state.ts'
import { forkState } from '../branch/workspace.ts'
import { gradeHash, gradeState, hashDelivered } from './grade-state.ts'

const methodRole = 'the method'

/**
 * Notes the branch's current files, and `answer` if given, as a candidate. It belongs to the branch's last ask. If there was
 * none, or branches were opened since, it belongs to the method itself, with the key `ownKey`. Returns the trace event.
 */
export function noteCandidate(
  branch: Branch,
  answer: string | undefined,
  ownKey: string,
): { type: string; of: string; role: string } {
  requireIdle(branch, 'candidate()')
  const { state, lastAsk } = branch
  if (answer !== undefined) state.answer = answer
  const known = branch.trialState.candidates?.find(({ key }) => key === lastAsk?.key)
  const { key, role } =
    lastAsk && (!known || known.key === state.candidate) ? lastAsk : { key: ownKey, role: methodRole }
  // The answer that the strategy read from the reply replaces the reply's whole text.
  if (known?.key === key) known.state = forkState(state)
  else if (state.candidate !== key) keepCandidate(branch, role, key)
  return { type: 'candidate', of: key, role }
}

/**
 * Finds the source of a final answer that differs from the branch's own: the last candidate with that answer, or the last
 * reply of a judging, deciding or summarising role, which then becomes a candidate.
 */
export function traceDelivered({ state, trialState }: Branch, answer: string | undefined): void {
  const { candidates, plan, journal } = trialState
  if (!candidates || answer === undefined || plan.task.spec.output !== 'answer') return
  const same = candidates.findLast((candidate) => candidate.state.answer === answer)
  if (same) {
    state.candidate = same.key
    return
  }
  const said = journal.asked.findLast(
    ({ step, text }) => step.work !== 'produce' && text.trim() === answer.trim(),
  )
  if (!said) return
  const { key, role } = said.step
  const at = said.step.at + said.step.durationMs
  const before = candidates.find((one) => one.key === state.candidate && one.at <= at)
  candidates.push({ key, role, at, from: before?.key, state: { ...state, answer } })
  state.candidate = key
}

/**
 * Grades all candidates of a trial in the order of the clock. Equal candidates are graded once. No model is called, and the
 * method is not billed.
 */
export async function gradeCandidates(branch: Branch, final: GradeStep): Promise<Candidate[]> {
  const { task } = branch.trialState.plan
  // The step's hash identifies the graded answer and files.
  const grades = new Map<string, GradeStep>([[final.hash, final]])
  // A candidate of the method itself takes no time, and comes after the candidates it is made of.
  const isOwn = ({ role }: UngradedCandidate) => Number(role === methodRole)
  const ordered = [...(branch.trialState.candidates ?? [])].sort(
    (a, b) => a.at - b.at || isOwn(a) - isOwn(b) || (a.key < b.key ? -1 : 1),
  )
  const candidates: Candidate[] = []
  for (const { key, role, at, from, state } of ordered) {
    const delivered = hashDelivered(task, state, state.answer)
    const grade = await gradeOnce(branch, { key, state, delivered }, grades)
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
  branch: Branch,
  { key, state, delivered }: Pick<UngradedCandidate, 'key' | 'state'> & { delivered: string | null },
  grades: Map<string, GradeStep>,
): Promise<GradeStep | undefined> {
  const known = grades.get(gradeHash(branch.trialState.plan.task, state, delivered))
  if (known) return known
  const { answer } = state
  const graded = await gradeState(branch, {
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

/** Returns the mean of the graders' scores; null when there are none. */
export function scoreOf({ scores }: GradeStep): number | null {
  return scores.length > 0 ? scores.reduce((sum, { value }) => sum + value, 0) / scores.length : null
}
