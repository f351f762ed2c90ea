import { type GraphPart, mostAdded } from '../../schema/graph/plan.ts'
import { type Add, asList, asMap, asText, type Path, type RawMap, suggestName } from '../../yaml/raw.ts'

/** A step or a pattern of a workflow, as written. */
export interface Site {
  path: Path
  /** Path of the name of its task. */
  taskPath: Path
  node: RawMap
  /** The id that it has in the document. */
  id?: string
  /** Its kind; undefined for a step, `?` for a kind that does not exist. */
  pattern?: keyof typeof patternSlots | '?'
  /** The pattern that it is in, and the slot. */
  inside?: { site: Site; slot: string }
  /** The names by which a run can place it, most specific first. */
  names: readonly string[]
}

interface Around {
  inside?: Site['inside']
  names: readonly string[]
  prefix: string
  scope: string
}

/** Lists all steps and patterns of a workflow, also those in patterns. The schema reports what is neither. */
export function listSites(workflow: RawMap, path: Path): Site[] {
  const sites: Site[] = []
  addChain(sites, workflow.steps, [...path, 'steps'], { names: [], prefix: '', scope: '' })
  return sites
}

function addChain(sites: Site[], chain: unknown, path: Path, around: Around): void {
  asList(chain).forEach((value, i) => {
    const node = asMap(value)
    if (node) addNode(sites, node, [...path, i], around)
  })
}

function addNode(sites: Site[], node: RawMap, path: Path, around: Around, slotId?: string): void {
  const { prefix, scope, inside } = around
  const id = asText(node.id)
  const common = {
    path,
    taskPath: [...path, 'task'],
    node,
    ...(inside && { inside }),
    ...(id !== undefined && { id }),
  }
  if (node.pattern === undefined) {
    sites.push({ ...common, names: [slotId ?? `${prefix}${id}`, ...around.names] })
    return
  }
  const kind = asText(node.pattern) ?? '?'
  const full = scope ? `${scope}.${id}` : `${id}`
  const names = [`p::${full}`, full, ...(slotId ? [slotId] : []), ...around.names]
  const pattern = Object.hasOwn(patternSlots, kind) ? (kind as keyof typeof patternSlots) : '?'
  const site: Site = { ...common, names, pattern }
  sites.push(site)
  if (pattern === '?') return
  for (const [field, holds] of Object.entries(patternSlots[pattern]))
    addSlots(sites, site, field, holds, full)
}

function addSlots(sites: Site[], site: Site, field: string, holds: Holds, full: string): void {
  const value = site.node[field]
  const path = [...site.path, field]
  const at = (name: string) => ({
    inside: { site, slot: field },
    names: site.names,
    prefix: `p::${full}::${name}::`,
    scope: `${full}.${name}`,
  })
  const addSlot = (slot: unknown, name: string, slotPath: Path) => {
    const id = `p::${full}::${name}`
    const node = asMap(slot)
    if (node) addNode(sites, node, slotPath, at(name), id)
    else if (typeof slot === 'string')
      sites.push({
        inside: at(name).inside,
        path: slotPath,
        taskPath: slotPath,
        node: { task: slot },
        names: [id, ...site.names],
      })
  }
  if (holds === 'slot') addSlot(value, slotName(field), path)
  if (holds === 'chain') addChain(sites, value, path, { ...at(''), prefix: `p::${full}::`, scope: full })
  for (const [name, part] of holds === 'slots' || holds === 'chains'
    ? Object.entries(asMap(value) ?? {})
    : []) {
    if (holds === 'slots') addSlot(part, name, [...path, name])
    else
      addChain(sites, part, [...path, name], { ...at(name), names: [`p::${full}::${name}`, ...site.names] })
  }
}

/** What a field of a pattern holds: one step or pattern, several by name, a chain of them, or several chains by name. */
export type Holds = 'slot' | 'slots' | 'chain' | 'chains'

/** The fields of each pattern that hold its parts. */
export const patternSlots: Readonly<Record<GraphPart['kind'], Readonly<Record<string, Holds>>>> = {
  linear: { steps: 'chain' },
  fork_join: { branches: 'chains', join: 'slot' },
  debate: { debaters: 'slots', judge: 'slot' },
  planner_executor: { planner: 'slot', executor: 'slot', finish: 'slot' },
  referee: { candidates: 'slots', referee: 'slot' },
  hierarchical: { boss: 'slot', workers: 'slots', finish: 'slot' },
}

const slotName = (field: string): string => shortNames[field] ?? field

const shortNames: Readonly<Record<string, string>> = { planner: 'plan', executor: 'execute' }

/** Most steps of a plan, those that may be added at run time included. */
export const maxSteps = 2000

/** Returns the most steps that a site itself can become, without the nodes inside of it. */
function stepsOf({ node, pattern, inside }: Site): number {
  if (pattern !== undefined) return 0
  const around = inside?.site
  const number = (field: string, fallback: number) =>
    typeof around?.node[field] === 'number' ? around.node[field] : fallback
  switch (inside && `${around?.pattern} ${inside.slot}`) {
    case 'debate debaters':
      return number('rounds', 2)
    case 'planner_executor executor':
      return mostAdded({ kind: 'plan', max: number('max_steps', 5) })
    case 'hierarchical boss':
      return (
        1 + mostAdded({ kind: 'assign', max: number('max_tasks', 4), round: 1, rounds: number('rounds', 1) })
      )
    case 'hierarchical workers':
      return 0
    default:
      return node ? 1 : 0
  }
}

/** Returns the most steps that a workflow can become. */
export const countSteps = (sites: readonly Site[]): number =>
  sites.reduce((sum, site) => sum + stepsOf(site), 0)

/** Returns how many parts a field of a pattern has by name. */
export const countParts = (node: RawMap, field: string): number | undefined => {
  const parts = asMap(node[field])
  return parts && Object.keys(parts).length
}

/** The primitives that others name. */
type Primitive = 'provider' | 'tool' | 'agent' | 'task' | 'workflow'

const maps: Readonly<Record<Primitive, string>> = {
  provider: 'providers',
  tool: 'tools',
  agent: 'agents',
  task: 'tasks',
  workflow: 'workflows',
}

/** Returns the primitives of one kind, by id. */
export const primitivesOf = (document: RawMap, kind: Primitive): RawMap | undefined =>
  document[maps[kind]] === undefined ? {} : asMap(document[maps[kind]])

/** Returns the entries of a map that are maps; the schema reports the others. */
export const entries = (value: unknown): [string, RawMap][] =>
  Object.entries(asMap(value) ?? {}).flatMap(([key, inner]) => {
    const map = asMap(inner)
    return map ? [[key, map]] : []
  })

/** Reports a name that no primitive of this kind has. A name or a map that is none is the schema's matter. */
export function checkReference(
  document: RawMap,
  kind: Primitive,
  name: unknown,
  path: Path,
  add: Add,
  ifNone = `Define it under ${maps[kind]}.`,
): void {
  const known = primitivesOf(document, kind)
  const word = asText(name)
  if (!known || word === undefined || word === '' || Object.hasOwn(known, word)) return
  // Without any, a required map is missing, which the schema reports.
  if (document[maps[kind]] === undefined && (kind === 'agent' || kind === 'task')) return
  const other = (Object.keys(maps) as Primitive[]).find((one) =>
    Object.hasOwn(primitivesOf(document, one) ?? {}, word),
  )
  const fix = suggestName(word, Object.keys(known), ifNone)
  add(
    path,
    `there is no ${kind} "${word}"${other ? `; it is ${other === 'agent' ? 'an' : 'a'} ${other}` : ''}`,
    fix,
  )
}
