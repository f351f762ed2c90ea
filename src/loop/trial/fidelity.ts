import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import {
  besideEach,
  type Declaration,
  type Fidelity,
  type Flow,
  type GraphNode,
  isSequence,
} from '../../schema/method/declaration.ts'
import type { StrategyResult } from '../../strategy.ts'
import { thrownText } from '../../text/errors.ts'
import type { TrialState } from '../branch/trial-state.ts'
import type { TrialJournal } from '../journal/ledger-index.ts'
import { countOf } from '../plan/method-options.ts'
import { type Asked, type Item, type Line, lineOf } from './call-order.ts'
import { graphDeviation, isGraph, machineEnds, mayBeSilent } from './workflow-fidelity.ts'

/** Returns the fields of a record that compare a trial with its strategy's declaration. Undefined fields are not written. */
export function declaredOf(
  { plan: { strategy, options }, journal: { asked, unfinishedSteps } }: TrialState,
  outcome: Outcome,
  result: StrategyResult | undefined,
): Pick<TrialRecord, 'fidelity' | 'ownJudge'> {
  let declared: Declaration | undefined
  try {
    const { declaration } = strategy
    declared = typeof declaration === 'function' ? declaration(options) : declaration
  } catch (error) {
    return { fidelity: { status: 'deviates', at: `the declaration threw: ${thrownText(error)}` } }
  }
  // A trial that gave up, or was stopped, need not have reached the declared end.
  const early = outcome.status !== 'completed' || result?.stopReason !== 'done'
  return {
    fidelity: fidelityOf(declared, options, asked, early, unfinishedSteps),
    ownJudge: declared?.chooser === undefined ? undefined : ownJudge(declared.chooser, asked),
  }
}

function ownJudge(chooser: string, asked: TrialJournal['asked']): string | undefined {
  const judge = asked.find(({ step }) => step.role === chooser)?.step.agent
  const isAuthor = ({ step }: TrialJournal['asked'][number]) =>
    step.work === 'produce' && step.role !== chooser && step.agent === judge
  return judge !== undefined && asked.some(isAuthor) ? judge : undefined
}

type Options = Readonly<Record<string, unknown>>

/**
 * Whether a trial's asks are those that its strategy declares, by role, order and rounds. With `early` the trial ended before
 * its declared end, and its asks must be a beginning.
 */
export function fidelityOf(
  declaration: Declaration | undefined,
  options: Options,
  asked: readonly Asked[],
  early: boolean,
  unfinished: ReadonlySet<string> = new Set(),
): Fidelity {
  if (!declaration) return { status: 'undeclared' }
  const { flow, onDemand = [] } = declaration
  const line = lineOf(asked.filter(({ step }) => !onDemand.includes(step.role)))
  const at = deviation(flow, line, { options, early, unfinished })
  return at === undefined ? { status: 'kept' } : { status: 'deviates', at }
}

const nothing: Line = { path: '', items: [], cut: false }

interface Terms {
  options: Options
  early: boolean
  /** Paths of the steps of graphs that failed or were skipped. */
  unfinished: ReadonlySet<string>
}

/** Places in a line; a place is the number of items before it. */
type Places = ReadonlySet<number>

/** Returns where a line leaves its declared flow; undefined if it keeps to it. */
function deviation(flow: Flow, { items, cut }: Line, terms: Terms): string | undefined {
  const { options, early, unfinished } = terms
  const expected: string[][] = [] // declared items by place
  let within: string | undefined

  /** Returns the places to which the flow may lead from `starts`. A line that may end early satisfies the rest at its end. */
  const after = (flow: Flow, starts: Places): Places => {
    if (typeof flow === 'string') return item(starts, flow, (found) => 'role' in found && found.role === flow)
    if (isSequence(flow)) return flow.reduce((at, part) => after(part, at), starts)
    if ('either' in flow) return union(flow.either.map((part) => after(part, starts)))
    if ('graph' in flow) return graph(starts, flow.graph)
    if ('machine' in flow) {
      const { ends, at } = machineEnds(flow, items, starts, early)
      within ??= at
      return ends
    }
    if ('maybe' in flow) return union([starts, after(flow.maybe, starts)])
    const most = countOf(flow.times ?? flow.most, options)
    const least = flow.times === undefined ? 0 : most
    if ('beside' in flow) {
      const each = besideEach(flow)
      return each ? branchesOf(starts, each) : branches(starts, flow.beside, least, most)
    }
    return rounds(starts, isSequence(flow.repeat) ? flow.repeat : [flow.repeat], flow.until, least, most)
  }

  const item = (starts: Places, what: string, isDeclared: (found: Item) => boolean): Places => {
    const ends = new Set<number>()
    for (const start of starts) {
      const found = items[start]
      if (found ? isDeclared(found) : early || cut) ends.add(found ? start + 1 : start)
      expected[start] = [...(expected[start] ?? []), what]
    }
    return ends
  }

  const branches = (starts: Places, flow: Flow, least: number, most: number): Places =>
    item(starts, `${least === most ? '' : 'up to '}${most} side by side`, (found) => {
      if (!('lines' in found)) return false
      const wrong = found.lines.flatMap((line) => deviation(flow, line, terms) ?? [])
      within ??= wrong[0]
      return wrong.length === 0 && found.lines.length <= most && (early || found.lines.length >= least)
    })

  /** Matches each branch with one part of its own, in any order. A part that may ask nobody needs no branch. */
  const branchesOf = (starts: Places, parts: readonly Flow[]): Places => {
    const needed = [...parts.keys()].filter((part) =>
      deviation(parts[part] as Flow, nothing, { ...terms, early: false }),
    )
    const ends = item(starts, `${namesOf(parts)} side by side`, (found) => {
      if (!('lines' in found)) return false
      const wrong = found.lines.map((line) => parts.map((part) => deviation(part, line, terms)))
      const alone = wrong.findIndex((byPart) => !byPart.includes(undefined))
      within ??= wrong[alone]?.[alone] ?? wrong[alone]?.[0]
      return canMatch(wrong, early ? [] : needed)
    })
    return needed.length === 0 ? union([starts, ends]) : ends
  }

  const graph = (starts: Places, nodes: readonly GraphNode[]): Places => {
    const ends = item(starts, `a graph of ${nodes.length} steps`, (found) => {
      const wrong = isGraph(found) ? graphDeviation(nodes, found.lines[0], unfinished, early) : ''
      within ??= wrong || undefined
      return wrong === undefined
    })
    return mayBeSilent(nodes, unfinished) ? union([starts, ends]) : ends
  }

  const rounds = (
    starts: Places,
    body: readonly Flow[],
    until: string | undefined,
    least: number,
    most: number,
  ) => {
    const ends = new Set(least === 0 ? starts : [])
    const exit = until === undefined ? 0 : body.lastIndexOf(until) + 1
    let at = starts
    for (let round = 1; round <= most && at.size > 0; round++) {
      if (exit > 0) for (const left of after(body.slice(0, exit), at)) ends.add(left)
      const next = after(body, at)
      const isStill = next.size === at.size && [...next].every((place) => at.has(place))
      if (round >= least || isStill) for (const end of next) ends.add(end)
      if (isStill) break
      at = next
    }
    return ends
  }

  const ends = after(flow, new Set([0]))
  if (ends.has(items.length)) return undefined
  const place = Math.max(expected.length - 1, ...ends)
  return within ?? describeDeviation(items, place, [...new Set(expected[place])].join(' or ') || 'the end')
}

function describeDeviation(items: readonly Item[], place: number, declared: string): string {
  const before = items[place - 1]
  const found = items[place]
  const where = before ? `after ${wordOf(before)} (${place} asked)` : 'at the beginning'
  return `${where}: ${found ? `${wordOf(found)} was asked` : 'it ended'}, declared is ${declared}`
}

const namesOf = (parts: readonly Flow[]) =>
  parts.every((part) => typeof part === 'string') ? parts.join(', ') : parts.length

const wordOf = (item: Item) =>
  'role' in item ? item.role : isGraph(item) ? 'a graph' : `${item.lines.length} side by side`

const union = (all: readonly Places[]): Places => new Set(all.flatMap((places) => [...places]))

/**
 * Whether each line can take a part of its own, and each needed part a line. `wrong` says by line and part where they differ;
 * undefined: they fit.
 */
function canMatch(wrong: readonly (readonly (string | undefined)[])[], needed: readonly number[]): boolean {
  const fitting = (count: number, fits: (place: number) => boolean) => [...Array(count).keys()].filter(fits)
  const partsOf = wrong.map((byPart) => fitting(byPart.length, (part) => byPart[part] === undefined))
  const linesOf = needed.map((part) => fitting(wrong.length, (line) => wrong[line]?.[part] === undefined))
  return canPair(partsOf) && canPair(linesOf)
}

/**
 * Whether each entry can take one of the numbers that it lists so that no two entries take the same one (Kuhn's algorithm
 * for bipartite matching).
 */
function canPair(choices: readonly (readonly number[])[]): boolean {
  const takenBy = new Map<number, number>()
  const pair = (entry: number, tried: Set<number>): boolean =>
    (choices[entry] ?? []).some((choice) => {
      if (tried.has(choice)) return false
      tried.add(choice)
      const owner = takenBy.get(choice)
      if (owner !== undefined && !pair(owner, tried)) return false
      takenBy.set(choice, entry)
      return true
    })
  return choices.every((_, entry) => pair(entry, new Set()))
}
