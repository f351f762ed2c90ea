/** What the agents of a row could call or use beside their model. */
export interface Tools {
  /** Tools of bench by name, such as `read`, and then programs with tools of their own, such as `own tools of claude-cli`. */
  names: readonly string[]
  /** Tools of bench by kind of work; a kind whose agents had none is absent. */
  works: readonly WorkTools[]
  /** The own tools of programs. */
  programs: readonly HeldTool[]
  /** Equal for rows of the same strategy with the same other options, the same agents and the same wording. */
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
export const toolsText = ({ names }: Pick<Tools, 'names'>): string => names.join(', ') || 'none'

/** Returns how two rows differ in their tools; undefined if they do not, or if it is unknown. */
export function findToolDifference(a: Tools | undefined, b: Tools | undefined): ToolDifference | undefined {
  if (!a || !b) return undefined
  const text = differenceText(a, b)
  if (text === undefined) return undefined
  return { a: wholeText(a), b: wholeText(b), text, kind: a.method === b.method ? 'compared' : 'confounded' }
}

/** Returns all tools of a row: `read, list; judges: read`. */
function wholeText({ works, programs }: Tools): string {
  const parts = works.map(({ work, sets }) => {
    const names = [...new Set(sets.flat().map(({ title }) => title))].join(', ')
    return work === 'produce' ? names : `${workersOf[work]}: ${names}`
  })
  return [...parts, ...new Set(programs.map(({ title }) => title))].join('; ') || 'none'
}

/** A tool of bench that an agent could call, or the own tools of a program. */
export interface HeldTool {
  /** Its name for readers: `read`, `calc`, `memory with terms.md`, `own tools of claude-cli`. */
  title: string
  /** Equal for equal tools, whatever their ids: a server or a file in another version is another one. Of the workspace: its name. */
  key: string
  /** That of an MCP server, as the server says it. */
  version?: string | undefined
}

/** The tools of bench that agents for one kind of work could call. */
export interface WorkTools {
  work: 'produce' | 'judge' | 'summarise' | 'decide'
  /** Each set that some of these agents had; several where agents had different tools. */
  sets: readonly (readonly HeldTool[])[]
}

/** Agents by their kind of work, in the plural. */
const workersOf: Readonly<Record<WorkTools['work'], string>> = {
  produce: 'agents that produce',
  judge: 'judges',
  summarise: 'summarisers',
  decide: 'agents that decide',
}

interface Row {
  works: readonly WorkTools[]
  programs: readonly HeldTool[]
}

/**
 * Returns what one row had that the other had not, by kind of work: `the first has write, which the second has
 * not; judges of the second have read, those of the first have none`. Undefined if they had the same.
 */
function differenceText(a: Row, b: Row): string | undefined {
  const texts = (Object.keys(workersOf) as WorkTools['work'][]).flatMap((work) => {
    const [ours, theirs] = [heldFor(a, work), heldFor(b, work)]
    const { alone, changed } = compareTools(ours.tools, theirs.tools)
    const isDivided = alone.a.length + alone.b.length + changed.length === 0 && ours.sets !== theirs.sets
    return [
      ...aloneTexts(work, [ours.tools, theirs.tools], alone),
      ...changed,
      ...(isDivided ? [`${titles(ours.tools)} are divided among ${workersOf[work]} in other ways`] : []),
    ]
  })
  return texts.length === 0 ? undefined : [...new Set(texts)].join('; ')
}

interface Held {
  tools: readonly HeldTool[]
  sets: string
}

function heldFor({ works, programs }: Row, work: WorkTools['work']): Held {
  const sets = works.find((one) => one.work === work)?.sets ?? []
  const own = work === 'produce' ? programs : []
  const keys = sets.map((tools) => JSON.stringify(tools.map(({ key }) => key).sort()))
  return {
    tools: [...new Map([...sets.flat(), ...own].map((tool) => [tool.key, tool])).values()],
    sets: JSON.stringify([...new Set(keys)].sort()),
  }
}

interface Alone {
  a: readonly HeldTool[]
  b: readonly HeldTool[]
}

function compareTools(a: readonly HeldTool[], b: readonly HeldTool[]): { alone: Alone; changed: string[] } {
  const without = (tools: readonly HeldTool[], others: readonly HeldTool[], field: 'key' | 'title') =>
    tools.filter((tool) => others.every((other) => other[field] !== tool[field]))
  const [ours, theirs] = [without(a, b, 'key'), without(b, a, 'key')]
  const changed = ours.flatMap((tool) => {
    const other = theirs.find(({ title }) => title === tool.title)
    return other ? [versionText(tool, other)] : []
  })
  return { alone: { a: without(ours, theirs, 'title'), b: without(theirs, ours, 'title') }, changed }
}

function versionText({ title, version }: HeldTool, other: HeldTool): string {
  return version === other.version
    ? `${title} has other files or settings in the second than in the first`
    : `${title} is version ${version} in the first and ${other.version} in the second`
}

function aloneTexts(
  work: WorkTools['work'],
  [ours, theirs]: readonly [readonly HeldTool[], readonly HeldTool[]],
  { a, b }: Alone,
): string[] {
  if (a.length + b.length === 0) return []
  const isMain = work === 'produce'
  const has = (row: string) => (isMain ? `${row} has` : `${workersOf[work]} of ${row} have`)
  const those = (row: string) => (isMain ? `${row} has` : `those of ${row} have`)
  const apart = (row: string, tools: readonly HeldTool[], other: string) =>
    tools.length === 0 ? [] : [`${has(row)} ${titles(tools)}, which ${those(other)} not`]
  if (a.length < ours.length || b.length < theirs.length)
    return [...apart(first, a, second), ...apart(second, b, first)]
  if (isMain || b.length === 0) return [`${has(first)} ${titles(a)}; ${those(second)} ${titles(b)}`]
  return [`${has(second)} ${titles(b)}; ${those(first)} ${titles(a)}`]
}

const [first, second] = ['the first', 'the second'] as const

const titles = (tools: readonly HeldTool[]) => tools.map(({ title }) => title).join(', ') || 'none'

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
