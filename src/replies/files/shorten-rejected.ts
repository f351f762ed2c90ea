import type { Rejected } from '../../schema/method/change.ts'

// A step that lists a million refused paths could not be read.
const maxListed = 100
/** The reason of the entry that stands for the others. */
const others = 'refused as well'

/** Shortens a long list of refused paths to the first ones and the number of the others. */
export function shortenRejected(rejected: readonly Rejected[], max = maxListed): Rejected[] {
  const more = rejected.length - max
  if (more <= 0) return [...rejected]
  return [...rejected.slice(0, max), { path: `(${more} more)`, reason: others }]
}

/** Returns how many paths were refused, also of a shortened list. */
export const countRejected = (rejected: readonly Rejected[]): number =>
  rejected.reduce(
    (sum, { path, reason }) =>
      sum + (reason === others ? Number(/^\((\d+) more\)$/.exec(path)?.[1] ?? 1) : 1),
    0,
  )
