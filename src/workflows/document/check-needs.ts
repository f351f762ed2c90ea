import {
  type Add,
  asList,
  asMap,
  asText,
  checkTwice,
  type Path,
  type RawMap,
  suggestName,
} from '../../yaml/raw.ts'
import type { Site } from './list-sites.ts'

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

/** Returns the pattern of the workflow's own list that a site is in. */
function outermost(site: Site): Site {
  return site.inside ? outermost(site.inside.site) : site
}

/** Finds names that wait for each other. Returns a circle, with its first name at both ends, for each group of such names. */
function findCycles(names: readonly string[], needsOf: (name: string) => readonly string[]): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  for (const from of names) {
    // Not recursive: a document may have a chain of thousands.
    const trail = new Map<string, Iterator<string>>()
    let at: string | undefined = from
    while (at !== undefined && !done.has(from)) {
      const left = trail.get(at) ?? needsOf(at)[Symbol.iterator]()
      trail.set(at, left)
      const { value: next, done: isEnd } = done.has(at) ? { value: undefined, done: true } : left.next()
      if (next !== undefined && trail.has(next)) {
        const all = [...trail.keys()]
        const cycle = all.slice(all.indexOf(next))
        cycles.push([...cycle, next])
        for (const name of cycle) done.add(name)
      } else if (isEnd) {
        done.add(at)
        trail.delete(at)
        at = [...trail.keys()].at(-1)
      } else if (next !== undefined && !done.has(next)) at = next
    }
  }
  return cycles
}
