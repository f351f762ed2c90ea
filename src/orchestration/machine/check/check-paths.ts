import type { Add } from '../../../yaml/raw.ts'
import { reachedFrom, type Site } from './list-states.ts'

/** Reports where a machine begins and ends, states that nothing leads to, and states from which there is no end. */
export function checkPaths(sites: readonly Site[], add: Add): void {
  const initial = sites.filter(({ type }) => type === 'initial')
  const terminal = sites.filter(({ type }) => type === 'terminal')
  const isClear = sites.every(({ type }) => type !== undefined)
  if (initial.length === 0 && isClear)
    add(['states'], 'has no initial state', 'Add `start: { type: initial, next: STATE }`.')
  for (const site of initial.slice(1))
    add(
      [...site.path, 'type'],
      `is a second initial state, beside "${initial[0]?.name}"`,
      'Keep one of them, and give the other another type.',
    )
  if (terminal.length === 0 && isClear)
    add(
      ['states'],
      'has no terminal state, so the machine could never end',
      'Add `complete: { type: terminal }`.',
    )
  else if (terminal.length > 0 && terminal.every(({ node }) => node.error === true))
    add(
      [...(terminal[0]?.path ?? []), 'error'],
      'is true for every terminal state, so the machine could never end well',
      'Add `complete: { type: terminal }`.',
    )
  const [first] = initial
  if (first) checkUnreached(sites, first, add)
  if (terminal.length > 0) checkEndless(sites, add)
}

/** Reports states that cannot be reached: of those that only follow each other, the first. */
function checkUnreached(sites: readonly Site[], first: Site, add: Add): void {
  const reached = reachedFrom([first.name], sites)
  const lost = sites.filter(({ name, type }) => !reached.has(name) && type !== 'initial')
  const isEntered = ({ name }: Site) =>
    lost.some((one) => one.name !== name && one.edges.some(({ means }) => means === name))
  const told = new Set<string>()
  for (const site of [...lost.filter((one) => !isEntered(one)), ...lost]) {
    if (told.has(site.name)) continue
    const next = reachedFrom([site.name], lost)
    const after = lost.flatMap(({ name }) =>
      name !== site.name && next.has(name) && !told.has(name) ? [name] : [],
    )
    for (const name of [site.name, ...after]) told.add(name)
    const more = after.length > 0 ? `, so that ${quoted(after)} cannot be reached either` : ''
    add(
      site.path,
      `cannot be reached: no state leads to it${more}`,
      'Let a transition name it, or remove it.',
    )
  }
}

/** Reports states from which no terminal state can be reached: of those that lead to each other, the first. */
function checkEndless(sites: readonly Site[], add: Add): void {
  const isEnd = new Set(sites.flatMap(({ name, type }) => (type === 'terminal' ? [name] : [])))
  const known = new Set(sites.map(({ name }) => name))
  const told = new Set<string>()
  for (const site of sites) {
    const after = reachedFrom([site.name], sites)
    const all = [...after]
    if (told.has(site.name) || all.some((name) => isEnd.has(name))) continue
    // What lacks a transition, or has one to an unknown state, is told elsewhere.
    const inside = sites.filter(({ name }) => after.has(name))
    if (inside.some(({ edges }) => edges.length === 0 || edges.some(({ means }) => !known.has(means))))
      continue
    for (const name of all) told.add(name)
    const others = all.filter((name) => name !== site.name)
    add(
      site.path,
      `leads to no terminal state${others.length > 0 ? `, only to ${quoted(others)}` : ''}`,
      'Let a transition name a terminal state.',
    )
  }
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
