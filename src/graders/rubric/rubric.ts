import { InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { binaryScore, emptyAnswerScore, type Grader } from '../grader.ts'
import { judgedWork, referenceText } from './judged-work.ts'
import { meanOf, rounded } from './verdict.ts'

/**
 * Grades by what judges said: the mean of those that gave a readable verdict. Outside of a run nobody is asked: there the reference
 * passes, and nothing else does. Throws `InfrastructureError` if no judge gave a readable verdict.
 */
export const rubric: Grader<'rubric'> = ({ spec, task, files, answer, undelivered, judged }) => {
  const work = judgedWork(task, { files, answer })
  if (work === undefined)
    return undelivered === undefined
      ? emptyAnswerScore(spec.name)
      : binaryScore(spec.name, false, undelivered)
  if (!judged) {
    const isReference = work === referenceText(spec, task)
    return binaryScore(
      spec.name,
      isReference,
      `${isReference ? 'the' : 'not the'} reference; no judge was asked`,
    )
  }
  const { judges = [], reason = '' } = judged.get(spec.name) ?? {}
  const values = judges.flatMap(({ value }) => value ?? [])
  if (values.length === 0)
    throw new InfrastructureError(
      `${task.ref}: no judge gave a readable verdict for ${spec.name}: ${judges.map(({ judge, missing }) => `${judge}: ${missing}`).join('; ')}`,
    )
  const value = rounded(meanOf(values))
  return { name: spec.name, value, reason: shorten(reason), judges: [...judges], scale: spec.scale }
}
