import { besideEach, type Declaration, type Flow, isSequence } from '../../schema/method/declaration.ts'
import type { Strategy } from '../../strategy.ts'
import { countOf } from './method-options.ts'

/** How often a method asks a role in one trial. */
interface AskCount {
  least: number
  most: number
}

type Options = Readonly<Record<string, unknown>>

/** Returns a method's declaration for its options; undefined without one. */
export const declarationOf = ({ declaration }: Strategy, options: Options): Declaration | undefined =>
  typeof declaration === 'function' ? declaration(options) : declaration

/**
 * Returns how often a method asks each of its roles in a trial, in the order of its declaration. Undefined for a method that does not
 * declare that it asks the task alone, and where the declaration does not count its asks.
 */
export function taskAsks(strategy: Strategy, options: Options): ReadonlyMap<string, AskCount> | undefined {
  const declared = declarationOf(strategy, options)
  if (declared?.asks !== 'task' || (declared.onDemand ?? []).length > 0) return undefined
  return countAsks(declared.flow, options)
}

type Counts = ReadonlyMap<string, AskCount>

function countAsks(flow: Flow, options: Options): Counts | undefined {
  if (typeof flow === 'string') return new Map([[flow, { least: 1, most: 1 }]])
  if (isSequence(flow)) return all(flow, options, (parts) => join(parts, sum))
  if ('either' in flow) return all(flow.either, options, (parts) => join(parts, eitherOf))
  if ('graph' in flow || 'machine' in flow) return undefined
  if ('maybe' in flow) return all([flow.maybe], options, ([part]) => scale(part as Counts, 0, 1))
  const each = 'beside' in flow ? besideEach(flow) : undefined
  if (each) return all(each, options, (parts) => join(parts, sum))
  const body = 'beside' in flow ? flow.beside : flow.repeat
  const most = countOf(flow.times ?? flow.most, options)
  // What may end before its first round still asks once: a method that asks nobody needs no agent.
  const least = flow.times === undefined ? 1 : most
  return all([body], options, ([part]) => scale(part as Counts, least, most))
}

function all(
  parts: readonly Flow[],
  options: Options,
  combine: (counts: readonly Counts[]) => Counts,
): Counts | undefined {
  const counts = parts.map((part) => countAsks(part, options))
  return counts.includes(undefined) ? undefined : combine(counts as Counts[])
}

function join(parts: readonly Counts[], combine: (all: readonly AskCount[]) => AskCount): Counts {
  const roles = new Set(parts.flatMap((part) => [...part.keys()]))
  const never = { least: 0, most: 0 }
  return new Map([...roles].map((role) => [role, combine(parts.map((part) => part.get(role) ?? never))]))
}

const sum = (all: readonly AskCount[]): AskCount => ({
  least: all.reduce((total, { least }) => total + least, 0),
  most: all.reduce((total, { most }) => total + most, 0),
})

const eitherOf = (all: readonly AskCount[]): AskCount => ({
  least: Math.min(...all.map(({ least }) => least)),
  most: Math.max(...all.map(({ most }) => most)),
})

const scale = (counts: Counts, least: number, most: number): Counts =>
  new Map([...counts].map(([role, count]) => [role, { least: count.least * least, most: count.most * most }]))

/** The recorded replies of one agent that a trial of a method wants: from 1 to `most` in epoch 1, and so on. */
interface WantedSamples {
  /** How many of them a trial needs at least, and may use. */
  least: number
  most: number
  /** How many stand before those of a role, by role. */
  before: ReadonlyMap<string, number>
}

/** Returns which recorded replies of an agent a trial uses: the roles that the agent answers for share them, in their order. */
export function wantedSamples(counts: Counts, isAnswered: (role: string) => boolean): WantedSamples {
  const before = new Map<string, number>()
  const wanted = { least: 0, most: 0 }
  for (const [role, { least, most }] of counts) {
    if (!isAnswered(role)) continue
    before.set(role, wanted.most)
    wanted.least += least
    wanted.most += most
  }
  return { ...wanted, before }
}
