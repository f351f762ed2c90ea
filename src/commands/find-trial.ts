import { UserError } from '../errors.ts'
import { readRecords } from '../loop/records.ts'
import type { TrialRecord } from '../schema/record.ts'

/** The record whose trial id begins so. Throws `UserError` when none or several do. */
export function findTrial(folder: string, beginning: string): TrialRecord {
  const found: TrialRecord[] = []
  for (const record of readRecords(folder)) if (record.trial.startsWith(beginning)) found.push(record)
  const [record] = found
  if (!record)
    throw new UserError({
      where: beginning,
      what: `${folder} has no record of such a trial`,
      fix: `See bench show ${folder}; of a trial that has not ended yet, bench state ${folder} tells the state.`,
    })
  if (found.length > 1)
    throw new UserError({
      where: beginning,
      what: `${found.length} trials begin so`,
      fix: `Write more of the id: ${found
        .slice(0, 4)
        .map(({ trial }) => trial)
        .join(', ')}.`,
    })
  return record
}
