/** What the agents of a row could call or use beside their model. */
export interface Hands {
  /** Tools of bench by name, such as `read`, and then programs with tools of their own, such as `own tools of claude-cli`. */
  names: readonly string[]
  /** Equal for rows with the same tools in the same versions. */
  tools: string
  /** Equal for rows of the same strategy with the same other options and the same agents. */
  method: string
}

/** The tools of the two sides of a pair, where they differ. */
export interface ToolDifference {
  a: string
  b: string
  /** `compared`: all else is the same, so the tools are what is compared. `confounded`: the methods or the agents differ, too. */
  kind: 'compared' | 'confounded'
}

/** Returns the tools of a row as text: `none`, `read, list, check`, `own tools of claude-cli`. */
export const handsText = ({ names }: Pick<Hands, 'names'>): string => names.join(', ') || 'none'

/** Returns how two rows differ in their tools; undefined if they do not, or if it is unknown. */
export function findToolDifference(a: Hands | undefined, b: Hands | undefined): ToolDifference | undefined {
  if (!a || !b || a.tools === b.tools) return undefined
  const [ours, theirs] = [handsText(a), handsText(b)]
  const isOther = ours === theirs
  return {
    a: ours,
    b: isOther ? `${theirs}, in other versions` : theirs,
    kind: a.method === b.method ? 'compared' : 'confounded',
  }
}
