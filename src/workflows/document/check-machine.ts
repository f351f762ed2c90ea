import { HardLimits } from '../../schema/machine/machine-file.ts'
import type { Problem } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { type Add, asList, asMap, asText, type RawMap } from '../../yaml/raw.ts'
import { checkAgents, checkTransitions } from './check-agents.ts'
import { checkInputs, checkOutputs } from './check-inputs.ts'
import { type Beside, checkPersonas } from './check-personas.ts'
import { listStates, reachedFrom, type Site } from './list-states.ts'

/** Reports what the schema of a machine cannot see. Returns the mistakes in its personas, which have places of their own. */
export function checkMachine(machine: RawMap, beside: Beside, add: Add): Problem[] {
  const sites = listStates(machine)
  const states = asMap(machine.states)
  checkAgents(machine, sites, beside, add)
  checkActions(sites, add)
  checkTransitions(sites, Object.keys(states ?? {}), add)
  // States of which none is a map are told by the schema.
  if (sites.length > 0 || (states && Object.keys(states).length === 0)) checkPaths(sites, add)
  checkOutputs(sites, beside.lineOf, add)
  checkInputs(machine, sites, add)
  checkBreaker(machine, add)
  return checkPersonas(machine, sites, beside, add)
}

const actions = ['log', 'validate', 'generate']

function checkActions(sites: readonly Site[], add: Add): void {
  for (const { node, path } of sites)
    asList(node.on_enter).forEach((value, i) => {
      const fields = Object.entries(asMap(value) ?? {})
      const [[name, text] = ['', ''], ...more] = fields
      if (actions.includes(name) && typeof text === 'string' && text !== '' && more.length === 0) return
      add(
        [...path, 'on_enter', i],
        more.length > 0 ? 'must be one action' : 'is no action',
        'Write `log: TEXT`, `validate: PATH` or `generate: PATH`, each as an item of its own.',
      )
    })
}

/** For a rule its field, and the hard limit above which it could never break. */
const limits: Readonly<Record<string, { field: string; hard: keyof typeof HardLimits.shape; unit: string }>> =
  {
    transitions: { field: 'max', hard: 'transitions', unit: '' },
    time: { field: 'max_s', hard: 'time_s', unit: ' seconds' },
    cost: { field: 'max_usd', hard: 'cost_usd', unit: ' dollars' },
  }

/** Reports rules that stand twice, and rules that a hard limit always comes before. */
function checkBreaker(machine: RawMap, add: Add): void {
  const breaker = asMap(machine.circuit_breaker)
  const parsed = HardLimits.safeParse(breaker?.hard ?? {}, { ...inWords, jitless: true })
  for (const [name, field] of Object.entries(HardLimits.shape)) {
    const given = asMap(breaker?.hard)?.[name]
    const most = field.unwrap().maxValue ?? Number.POSITIVE_INFINITY
    if (typeof given === 'number' && given > most)
      add(
        ['circuit_breaker', 'hard', name],
        `is above ${most}, the most that a workflow may have`,
        `Write at most ${most}.`,
      )
  }
  const seen = new Set<string>()
  asList(breaker?.rules).forEach((value, i) => {
    const node = asMap(value)
    const rule = asText(node?.rule)
    const path = ['circuit_breaker', 'rules', i]
    if (!node || rule === undefined) return
    if (seen.has(rule)) add([...path, 'rule'], `"${rule}" stands twice`, 'Keep one of them.')
    seen.add(rule)
    const limit = Object.hasOwn(limits, rule) ? limits[rule] : undefined
    const most = limit && parsed.success ? parsed.data[limit.hard] : undefined
    const given = limit && node[limit.field]
    if (limit && most !== undefined && typeof given === 'number' && given > most)
      add(
        [...path, limit.field],
        `is above the hard limit of ${most}${limit.unit}, so it never breaks`,
        'Write less.',
      )
  })
}

/** Reports where a machine begins and ends, states that nothing leads to, and states from which there is no end. */
function checkPaths(sites: readonly Site[], add: Add): void {
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
