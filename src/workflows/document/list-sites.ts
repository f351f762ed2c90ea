import { asList, asMap, asText, type Path, type RawMap } from '../../yaml/raw.ts'
import { type Holds, patternSlots, slotName } from './pattern-slots.ts'

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
