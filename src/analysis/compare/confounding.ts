/** The model of each role of a method, with its settings. */
export type Assignment = Readonly<Record<string, string>>

/** The models of the two sides of a pair, where they differ. */
export interface Confounding {
  a: string[]
  b: string[]
}

/**
 * Returns how two methods differ in models or their settings; null if they do not, or if it is unknown. Methods have
 * different roles, so methods with the same set of models count as equal unless a shared role has different models.
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
