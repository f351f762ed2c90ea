import type { Candidate } from '../schema/record.ts'
import type { GradeStep } from '../schema/step.ts'
import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import { deliveredOf, gradeHash, gradeState } from './grade-state.ts'
import type { MadeCandidate } from './made-candidate.ts'
import { forkState } from './workspace.ts'

/** Notes what a branch holds now as made by the ask; a state shares its texts, so that keeping one costs next to nothing. */
export function keepCandidate(door: TrialDoor, branch: Branch, role: string, key: string): void {
  const { state } = branch
  const from = state.candidate
  state.candidate = key
  door.candidates?.push({ key, role, at: branch.clock, from, state: forkState(state) })
}

/**
 * Grades all that was made on the way, in the order of the clock. What is the same as another candidate, or as what was
 * delivered, is graded once. No model is asked, and no method pays.
 */
export async function gradeCandidates(
  door: TrialDoor,
  branch: Branch,
  final: GradeStep,
): Promise<Candidate[]> {
  const { task } = door
  // The step's hash names what was graded, answer and files.
  const grades = new Map<string, GradeStep>([[final.hash, final]])
  const made = [...(door.candidates ?? [])].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
  const candidates: Candidate[] = []
  for (const { key, role, at, from, state } of made) {
    const delivered = deliveredOf(task, state, state.answer)
    const grade = await gradeOnce(door, branch, { key, state, delivered }, grades)
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
  door: TrialDoor,
  branch: Branch,
  { key, state, delivered }: Pick<MadeCandidate, 'key' | 'state'> & { delivered: string | null },
  grades: Map<string, GradeStep>,
): Promise<GradeStep | undefined> {
  const known = grades.get(gradeHash(door.task, state, delivered))
  if (known) return known
  const { answer } = state
  const graded = await gradeState(door, branch, { key: `grade/${key}`, of: key, state, answer, delivered })
  if (!graded || !('step' in graded)) return undefined
  grades.set(graded.step.hash, graded.step)
  return graded.step
}

/** Mean of the graders' scores; null where none gave one. */
export function scoreOf({ scores }: GradeStep): number | null {
  return scores.length > 0 ? scores.reduce((sum, { value }) => sum + value, 0) / scores.length : null
}
