/**
 * Whether each entry can take one of the numbers that it lists so that no two entries take the same one (Kuhn's algorithm
 * for bipartite matching).
 */
export function canPair(choices: readonly (readonly number[])[]): boolean {
  const takenBy = new Map<number, number>()
  const pair = (entry: number, tried: Set<number>): boolean =>
    (choices[entry] ?? []).some((choice) => {
      if (tried.has(choice)) return false
      tried.add(choice)
      const owner = takenBy.get(choice)
      if (owner !== undefined && !pair(owner, tried)) return false
      takenBy.set(choice, entry)
      return true
    })
  return choices.every((_, entry) => pair(entry, new Set()))
}
