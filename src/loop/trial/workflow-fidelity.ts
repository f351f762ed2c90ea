import type { Flow, GraphNode, MachineNode } from '../../schema/method/declaration.ts'
import { branchName } from '../branch/branch.ts'
import type { Item, Line } from './call-order.ts'

interface Asked {
  role: string
  label: Readonly<Record<string, number | string>>
}

interface Visit {
  state: string
  visit: number
  roles: string[]
  /** Whether the decider was asked right before it. */
  decided: boolean
}

/** Returns where a declared machine ends that takes all items from one of these places on; else where they leave its paths. */
export function machineEnds(
  flow: DeclaredMachine,
  items: readonly Item[],
  starts: ReadonlySet<number>,
  early: boolean,
): { ends: ReadonlySet<number>; at?: string | undefined } {
  const wrong = [...starts].map((start) => machineDeviation(flow, items.slice(start), early))
  if (wrong.includes(undefined)) return { ends: new Set([items.length]) }
  return { ends: new Set(), at: wrong[0] }
}

type DeclaredMachine = Extract<Flow, { machine: unknown }>

/**
 * Returns where asks leave every path of a declared machine, by the labels `state` and `visit`; undefined if they follow one. With
 * `early` the machine need not have come to an end.
 */
function machineDeviation(
  { machine: nodes, decider }: DeclaredMachine,
  items: readonly Item[],
  early: boolean,
): string | undefined {
  const asks = items.flatMap(asksIn)
  const stranger = asks.find(({ role, label }) => label.checkpoint !== undefined && role !== decider)
  if (stranger) return `${stranger.role} was asked to decide, declared is ${decider ?? 'nobody'}`
  const { visits, decided } = visitsOf(asks)
  const paths = pathsOf(nodes)
  const counts = new Map<string, number>()
  let may = paths.first
  for (const [place, one] of visits.entries()) {
    const last = early && place === visits.length - 1
    const problem =
      visitProblem(paths.nodes.get(one.state), one, counts.get(one.state) ?? 0, last) ??
      (one.decided || may.has(one.state)
        ? undefined
        : `came after ${visits[place - 1]?.state ?? 'nothing'}, declared is ${[...may].join(' or ') || 'the end'}`)
    if (problem !== undefined) return `state "${one.state}", visit ${one.visit}: ${problem}`
    counts.set(one.state, one.visit)
    may = paths.after(one.state)
  }
  if (early || decided || [...may].some((state) => paths.isEnd(state))) return undefined
  return `ended after ${visits.at(-1)?.state ?? 'nothing'}, declared is ${[...may].join(' or ')}`
}

const asksIn = (item: Item): Asked[] =>
  'role' in item
    ? [{ role: item.role, label: item.label ?? {} }]
    : item.lines.flatMap(({ items }) => items.flatMap(asksIn))

/** Returns the visits in order, and whether the decider was asked after the last of them. */
function visitsOf(asks: readonly Asked[]): { visits: Visit[]; decided: boolean } {
  const visits: Visit[] = []
  let decided = false
  for (const { role, label } of asks) {
    if (label.checkpoint !== undefined) {
      decided = true
      continue
    }
    const { state = '', visit = 0 } = label
    const last = visits.at(-1)
    if (!decided && last?.state === state && last.visit === visit) last.roles.push(role)
    else visits.push({ state: String(state), visit: Number(visit), roles: [role], decided })
    decided = false
  }
  return { visits, decided }
}

function visitProblem(
  node: MachineNode | undefined,
  { visit, roles }: Visit,
  before: number,
  mayBeCut: boolean,
): string | undefined {
  if (!node) return `asked ${roles[0]}, but is not declared`
  const other = roles.find((role) => !node.roles.includes(role) && !node.mayAsk?.includes(role))
  if (other !== undefined) return `asked ${other}, declared is ${node.roles.join(' or ') || 'nobody'}`
  const missing = node.roles.find((role) => !roles.includes(role))
  if (missing !== undefined && !mayBeCut) return `did not ask ${missing}`
  if (visit <= before || (visit > before + 1 && !node.maySkip)) return `came after visit ${before}`
  return undefined
}

function pathsOf(nodes: readonly MachineNode[]) {
  const known = new Map(nodes.map((node) => [node.state, node]))
  const isSilent = (state: string) => {
    const node = known.get(state)
    return node === undefined || node.roles.length === 0 || node.maySkip === true
  }
  /** Returns these states, and those behind them that are reached without an ask. */
  const spread = (states: readonly string[]): Set<string> => {
    const found = new Set<string>()
    const open = [...states]
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (found.has(state)) continue
      found.add(state)
      if (isSilent(state)) open.push(...(known.get(state)?.next ?? []))
    }
    return found
  }
  return {
    nodes: known,
    first: spread(nodes.slice(0, 1).map(({ state }) => state)),
    /** Returns what may be asked next; a state without successors is an end itself. */
    after(state: string): Set<string> {
      const { next = [] } = known.get(state) ?? {}
      return next.length > 0 ? spread(next) : new Set([end])
    },
    isEnd: (state: string) => state === end || (known.get(state)?.next.length === 0 && isSilent(state)),
  }
}

/** Stands for the end behind a state that has no successor. */
const end = 'the end'

/** Whether an item is a graph: a branch of its own, whose steps are branches under it. */
export const isGraph = (item: Item): item is { lines: [Line] } =>
  'lines' in item && item.lines.length === 1 && /(?:^|\/)graph(?:~\d+)?$/.test(item.lines[0]?.path ?? '')

/**
 * Returns where the asks of a graph differ from its declared steps, compared by id; undefined if they do not. Steps in
 * `unfinished` (paths of branches) failed or were skipped, and need not have asked. With `early` none need.
 */
export function graphDeviation(
  nodes: readonly GraphNode[],
  { path, items }: Line,
  unfinished: ReadonlySet<string>,
  early: boolean,
): string | undefined {
  const declared = new Map(nodes.map((node) => [branchName(node.id), node]))
  const asked = new Set<string>()
  for (const line of items.flatMap((item) => ('lines' in item ? item.lines : []))) {
    const name = line.path.slice(path.length + 1)
    asked.add(name)
    const roles = rolesAllowed(name, declared, nodes)
    if (!roles) return `step "${name}" asked ${rolesIn(line)[0]}, but is not declared`
    const other = rolesIn(line).find((role) => !roles.includes(role))
    if (other !== undefined) return `step "${name}" asked ${other}, declared is ${roles.join(' or ')}`
  }
  if (early) return undefined
  const missing = [...declared].find(([name]) => !asked.has(name) && !unfinished.has(`${path}/${name}`))
  return missing && `step "${missing[1].id}" asked nobody, declared is ${missing[1].role}`
}

/** Whether no step of a declared graph needed to ask anybody. */
export const mayBeSilent = (nodes: readonly GraphNode[], unfinished: ReadonlySet<string>): boolean =>
  nodes.every(({ id }) => [...unfinished].some((path) => path.endsWith(`/${branchName(id)}`)))

function rolesAllowed(
  name: string,
  declared: ReadonlyMap<string, GraphNode>,
  nodes: readonly GraphNode[],
): readonly string[] | undefined {
  const own = declared.get(name)
  if (own) return [own.role]
  const added = nodes.flatMap(({ inserts }) =>
    inserts && name.startsWith(branchName(inserts.prefix)) ? inserts.roles : [],
  )
  return added.length > 0 ? added : undefined
}

const rolesIn = ({ items }: Line): string[] =>
  items.flatMap((item) => ('role' in item ? [item.role] : item.lines.flatMap(rolesIn)))
