import type { AskStep } from '../schema/step.ts'
import type { Admission } from './admission.ts'
import { Interrupted, type TrialDoor } from './door.ts'

/**
 * Makes a call under limits of the run or of the method. When they forbid it, its trial is interrupted: it does no
 * more, and goes on in a session that may spend more.
 */
export async function admitted<Answer extends { step: AskStep }>(
  admission: Admission,
  door: TrialDoor,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { label } = door.trial.cell.method
  if (!(await admission.enter(label, door.run.signal))) {
    door.stopped = true
    throw new Interrupted()
  }
  let answer: Answer | undefined
  try {
    answer = await ask()
    return answer
  } finally {
    admission.end(label, answer?.step)
  }
}
