import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import {
  type Count,
  type Declaration,
  type Fidelity,
  type Flow,
  isSequence,
} from '../../schema/method/declaration.ts'
import type { StrategyResult } from '../../strategy.ts'
import { type Asked, type Item, type Line, lineOf } from '../state/call-order.ts'
import type { TrialState } from '../state/trial-state.ts'

/** Returns the record's fields that compare what ran with the strategy's declaration. Undefined fields are not written. */
export function declaredOf(
  { strategy, options, asked }: TrialState,
  outcome: Outcome,
  result: StrategyResult | undefined,
): Pick<TrialRecord, 'fidelity' | 'ownJudge'> {
  const { declaration } = strategy
  const declared = typeof declaration === 'function' ? declaration(options) : declaration
  // A trial that gave up or was stopped need not have reached the declared end.
  const early = outcome.status !== 'completed' || result?.stopReason !== 'done'
  return {
    fidelity: fidelityOf(declared, options, asked, early),
    ownJudge: declared?.chooser === undefined ? undefined : ownJudge(declared.chooser, asked),
  }
}

function ownJudge(chooser: string, asked: TrialState['asked']): string | undefined {
  const judge = asked.find(({ step }) => step.role === chooser)?.step.agent
  const isAuthor = ({ step }: TrialState['asked'][number]) =>
    step.work === 'produce' && step.role !== chooser && step.agent === judge
  return judge !== undefined && asked.some(isAuthor) ? judge : undefined
}

type Options = Readonly<Record<string, unknown>>

/**
 * Compares a trial's asks with its strategy's declaration, by roles, order and rounds. With `early`, the trial may have ended
 * before the declared end, and its asks must match the beginning.
 */
export function fidelityOf(
  declaration: Declaration | undefined,
  options: Options,
  asked: readonly Asked[],
  early: boolean,
): Fidelity {
  if (!declaration) return { status: 'undeclared' }
  const { flow, onDemand = [] } = declaration
  const line = lineOf(asked.filter(({ step }) => !onDemand.includes(step.role)))
  const at = deviation(flow, line, options, early)
  return at === undefined ? { status: 'kept' } : { status: 'deviates', at }
}

/** Places in a line, by the number of items before them. */
type Places = ReadonlySet<number>

/** Describes where a line deviates from the declared flow; undefined: nowhere. */
function deviation(flow: Flow, { items, cut }: Line, options: Options, early: boolean): string | undefined {
  const expected: string[][] = [] // by place, the items that the declaration allows there
  let within: string | undefined

  /** Returns the places that the flow may reach from `starts`. At the end of a line that may end early, every flow matches. */
  const after = (flow: Flow, starts: Places): Places => {
    if (typeof flow === 'string') return item(starts, flow, (found) => 'role' in found && found.role === flow)
    if (isSequence(flow)) return flow.reduce((at, part) => after(part, at), starts)
    if ('either' in flow) return union(flow.either.map((part) => after(part, starts)))
    if ('maybe' in flow) return union([starts, after(flow.maybe, starts)])
    const most = countOf(flow.times ?? flow.most, options)
    const least = flow.times === undefined ? 0 : most
    if ('beside' in flow) return branches(starts, flow.beside, least, most)
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
      const wrong = found.lines.flatMap((line) => deviation(flow, line, options, early) ?? [])
      within ??= wrong[0]
      return wrong.length === 0 && found.lines.length <= most && (early || found.lines.length >= least)
    })

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
  return within ?? told(items, place, [...new Set(expected[place])].join(' or ') || 'the end')
}

function told(items: readonly Item[], place: number, declared: string): string {
  const before = items[place - 1]
  const found = items[place]
  const where = before ? `after ${wordOf(before)} (${place} asked)` : 'at the beginning'
  return `${where}: ${found ? `${wordOf(found)} was asked` : 'it ended'}, declared is ${declared}`
}

const wordOf = (item: Item) => ('role' in item ? item.role : `${item.lines.length} side by side`)

const countOf = (count: Count | undefined, options: Options) =>
  typeof count === 'string' ? Number(options[count]) : (count ?? 0)

const union = (all: readonly Places[]): Places => new Set(all.flatMap((places) => [...places]))
