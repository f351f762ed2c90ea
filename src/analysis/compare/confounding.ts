/** Which model, with what is set of it, answers for each role of a method. */
export type Assignment = Readonly<Record<string, string>>

/** What answers on either side of a pair whose sides were not answered by the same. */
export interface Confounding {
  a: string[]
  b: string[]
}

/**
 * How two methods differ in their models or what is set of these; null where they do not, or nobody knows. Methods have
 * other roles each, so that the same models in all of them are the same, unless a role that both have is answered by two.
 */
export function findConfounding(a: Assignment | undefined, b: Assignment | undefined): Confounding | null {
  if (!a || !b) return null
  const [ours, theirs] = [modelsOf(a), modelsOf(b)]
  if (ours.join('\n') !== theirs.join('\n')) return { a: ours, b: theirs }
  const apart = Object.keys(a).filter((role) => b[role] !== undefined && a[role] !== b[role])
  if (apart.length === 0) return null
  const modelByRole = (side: Assignment) => apart.sort().map((role) => `${side[role]} as ${role}`)
  return { a: modelByRole(a), b: modelByRole(b) }
}

const modelsOf = (assignment: Assignment) => [...new Set(Object.values(assignment))].sort()
