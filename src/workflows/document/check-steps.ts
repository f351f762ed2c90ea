import { shorten } from '../../text/shorten.ts'
import {
  type Add,
  asList,
  asMap,
  asText,
  checkTwice,
  entryOf,
  type Path,
  type RawMap,
  suggestName,
} from '../../yaml/raw.ts'
import { checkReference, countParts, type Site } from './list-sites.ts'
import { findCycles } from './names.ts'

/** Fields with parts by name: how many there must be, and why not fewer. */
const fewest: Readonly<Record<string, [least: number, one: string, why: string]>> = {
  branches: [1, 'branch', 'there is nothing to join'],
  debaters: [2, 'debater', 'nobody disagrees'],
  candidates: [2, 'candidate', 'there is nothing to choose'],
  workers: [1, 'worker', 'nobody works'],
}

/** Parts by name whose ids would be those of another slot. */
const taken: Readonly<Record<string, readonly string[]>> = {
  branches: ['join'],
  debaters: ['judge'],
  candidates: ['referee'],
  workers: ['boss', 'finish'],
}

/** Slots whose agents choose instead of doing the task. */
const choosers: Readonly<Record<string, string>> = {
  planner: 'plans steps',
  boss: 'gives tasks',
  referee: 'chooses a candidate',
}

/** Reports mistakes of the steps and patterns of a workflow, apart from what they wait for. */
export function checkSteps(document: RawMap, sites: readonly Site[], agentOf: AgentOf, add: Add): void {
  for (const site of sites) {
    if (site.pattern === undefined) checkStep(document, site, agentOf(site), add)
    else checkPattern(site, add)
  }
}

/** Returns the agent that does a step, with its id; undefined if that is not clear. */
export type AgentOf = (site: Site) => { id: string; agent: RawMap } | undefined

function checkStep(document: RawMap, site: Site, does: ReturnType<AgentOf>, add: Add): void {
  const { node, path, taskPath, inside } = site
  checkReference(document, 'task', node.task, taskPath, add)
  checkReference(document, 'agent', node.agent, [...path, 'agent'], add)
  const task = entryOf(asMap(document.tasks), asText(node.task))
  const chooses = inside && choosers[inside.slot]
  if (!does) return
  if (chooses && workOf(does.agent) === 'produce')
    add(
      taskPath,
      `${chooses}, but its agent "${does.id}" has work: produce`,
      `Set work: ${inside.slot === 'referee' ? 'judge' : 'decide'} for the agent.`,
    )
  const lacks = asList(task?.tools).filter((tool) => !asList(does.agent.tools).includes(tool))
  if (does.id !== task?.agent_ref && lacks.length > 0)
    add(
      node.agent === undefined ? taskPath : [...path, 'agent'],
      `task "${String(node.task)}" uses ${lacks.join(', ')}, which agent "${does.id}" does not have`,
      'Add it to the tools of the agent.',
    )
}

/** Returns the kind of work of an agent. */
export const workOf = (agent: RawMap): unknown => agent.work ?? 'produce'

function checkPattern({ node, path }: Site, add: Add): void {
  for (const [field, [least, one, why]] of Object.entries(fewest)) {
    const count = countParts(node, field)
    if (count !== undefined && count < least)
      add(
        [...path, field],
        `has ${count === 0 ? 'no' : 'only one'} ${one}, so ${why}`,
        `Add ${count === 1 ? 'another' : least === 1 ? 'one' : 'two'}.`,
      )
    for (const name of taken[field] ?? [])
      if (Object.hasOwn(asMap(node[field]) ?? {}, name))
        add(
          [...path, field, name],
          `${one} "${name}" would have the id of the step "${name}"`,
          `Rename the ${one}.`,
        )
  }
  for (const [name, candidate] of Object.entries(asMap(node.candidates) ?? {}))
    if (addsSteps(asMap(candidate)))
      add(
        [...path, 'candidates', name],
        'adds steps at run time, so its last step is not known',
        'Give it a finish.',
      )
}

/** Whether the last step of a node is not known before it runs. */
export function addsSteps(node: RawMap | undefined): boolean {
  if (!node) return false
  if (node.pattern === 'planner_executor' || node.pattern === 'hierarchical')
    return node.finish === undefined || addsSteps(asMap(node.finish))
  if (node.pattern === 'fork_join') return addsSteps(asMap(node.join))
  return node.pattern === 'linear' && addsSteps(asMap(asList(node.steps).at(-1)))
}

/** Reports steps of a list that have one id. `lineOf` says where. */
export function checkSameIds(
  chain: readonly unknown[],
  path: Path,
  lineOf: (path: Path) => string,
  add: Add,
): void {
  const first = new Map<string, number>()
  chain.forEach((value, i) => {
    if (typeof value === 'string')
      add([...path, i], `must be a step, got "${shorten(value, 80)}"`, 'Write `{ id: …, task: … }`.')
    const id = asText(asMap(value)?.id)
    if (id === undefined) return
    const before = first.get(id)
    if (before === undefined) first.set(id, i)
    else
      add(
        [...path, i, 'id'],
        `there are two steps "${id}"; the first is in line ${lineOf([...path, before, 'id'])}`,
        'Rename one of them.',
      )
  })
}

/** Reports mistakes of what the steps and patterns of a workflow wait for. */
export function checkNeeds(
  workflow: RawMap,
  path: Path,
  sites: readonly Site[],
  lineOf: (path: Path) => string,
  add: Add,
): void {
  for (const { node, path: at, inside } of sites)
    if (inside && asList(node.needs).length > 0)
      add(
        [...at, 'needs'],
        'has no effect inside a pattern, which decides what its steps wait for',
        'Remove it.',
      )
  const top = sites.filter(({ inside }) => !inside)
  const kind = workflow.kind ?? 'sequential'
  if (kind === 'sequential')
    for (const { node, path: at } of top)
      if (asList(node.needs).length > 0)
        add(
          [...at, 'needs'],
          'has no effect in a sequential workflow, where each step waits for the one before it',
          'Write kind: concurrent for the workflow, or remove it.',
        )
  if (kind !== 'concurrent') return
  const byId = new Map(top.toReversed().map((site) => [site.id ?? '', site]))
  // A step whose id is missing or unclear may be the one that is needed.
  const isWhole = asList(workflow.steps).every((value) => asText(asMap(value)?.id) !== undefined)
  const around = new Map(
    sites.flatMap(({ id, inside }) => (id && inside ? [[id, outermost(inside.site)]] : [])),
  )
  for (const { node, path: at } of top) {
    const needs = asList(node.needs)
    checkTwice(needs, [...at, 'needs'], add)
    needs.forEach((need, i) => {
      if (typeof need !== 'string' || byId.has(need) || !isWhole) return
      const outer = around.get(need)?.id ?? patternOf(need, byId)
      if (outer)
        add(
          [...at, 'needs', i],
          `"${need}" is inside the pattern "${outer}"`,
          outer === node.id ? 'Remove it.' : `Write ${outer}.`,
        )
      else
        add(
          [...at, 'needs', i],
          `there is no step "${need}"`,
          suggestName(
            need,
            [...byId.keys()].filter((id) => id !== node.id),
            'Remove it.',
          ),
        )
    })
  }
  const needsOf = (id: string) =>
    asList(byId.get(id)?.node.needs).filter(
      (need): need is string => typeof need === 'string' && byId.has(need),
    )
  for (const cycle of findCycles([...byId.keys()].reverse(), needsOf)) {
    const [first = '', second = ''] = cycle
    const site = byId.get(first)
    const at = [...(site?.path ?? path), 'needs', asList(site?.node.needs).indexOf(second)]
    const told = cycle.slice(0, -1).map((id) => `${id} (line ${lineOf(byId.get(id)?.path ?? path)})`)
    if (first === second) add(at, `step "${first}" needs itself`, 'Remove it.')
    else add(at, `steps wait for each other: ${[...told, first].join(' -> ')}`, 'Remove one of these needs.')
  }
}

/** Returns the pattern of the workflow's own list that a full id such as `p::PATTERN::STEP` is in. */
export function patternOf(full: string, top: ReadonlyMap<string, Site>): string | undefined {
  const outer = /^p::([\w-]+)/.exec(full)?.[1]
  return outer !== undefined && top.get(outer)?.pattern ? outer : undefined
}

function outermost(site: Site): Site {
  return site.inside ? outermost(site.inside.site) : site
}
