import { differenceText, type HeldTool, type WorkTools, workersOf } from './tool-difference.ts'

/** What the agents of a row could call or use beside their model. */
export interface Hands {
  /** Tools of bench by name, such as `read`, and then programs with tools of their own, such as `own tools of claude-cli`. */
  names: readonly string[]
  /** Tools of bench by kind of work; a kind whose agents had none is absent. */
  works: readonly WorkTools[]
  /** The own tools of programs. */
  programs: readonly HeldTool[]
  /** Equal for rows of the same strategy with the same other options and the same agents. */
  method: string
}

/** The tools of the two sides of a pair, where they differ. */
export interface ToolDifference {
  a: string
  b: string
  /** What one side had that the other had not, as a sentence without its end. */
  text: string
  /** `compared`: all else is the same, so the tools are what is compared. `confounded`: the methods or the agents differ, too. */
  kind: 'compared' | 'confounded'
}

/** Returns the tools of a row as text: `none`, `read, list, check`, `own tools of claude-cli`. */
export const handsText = ({ names }: Pick<Hands, 'names'>): string => names.join(', ') || 'none'

/** Returns how two rows differ in their tools; undefined if they do not, or if it is unknown. */
export function findToolDifference(a: Hands | undefined, b: Hands | undefined): ToolDifference | undefined {
  if (!a || !b) return undefined
  const text = differenceText(a, b)
  if (text === undefined) return undefined
  return { a: wholeText(a), b: wholeText(b), text, kind: a.method === b.method ? 'compared' : 'confounded' }
}

/** Returns all tools of a row: `read, list; judges: read`. */
function wholeText({ works, programs }: Hands): string {
  const parts = works.map(({ work, sets }) => {
    const names = [...new Set(sets.flat().map(({ title }) => title))].join(', ')
    return work === 'produce' ? names : `${workersOf[work]}: ${names}`
  })
  return [...parts, ...new Set(programs.map(({ title }) => title))].join('; ') || 'none'
}
