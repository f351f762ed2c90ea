import type { TrialRecord } from '../schema/record.ts'

/** Why a trial ended as it did, with the place in the user's code where that broke it. */
export function reasonText({
  outcome: { reason },
  wall: { place },
}: Pick<TrialRecord, 'outcome' | 'wall'>): string {
  return place === undefined ? reason : `${reason} (${place})`
}
