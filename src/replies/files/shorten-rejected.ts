import type { Rejected } from '../../schema/method/change.ts'

// A step that lists a million refused paths could not be read.
const maxListed = 100

/** Shortens a long list of refused paths to the first ones and the number of the others. */
export function shortenRejected(rejected: readonly Rejected[], max = maxListed): Rejected[] {
  const more = rejected.length - max
  if (more <= 0) return [...rejected]
  return [...rejected.slice(0, max), { path: `(${more} more)`, reason: 'refused as well' }]
}
