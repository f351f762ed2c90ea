import { z } from 'zod'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { MachineRecord } from '../schema/machine/machine-record.ts'
import type { CountedMechanism } from '../schema/method/mechanism.ts'
import type { Interval } from './tasks/interval.ts'
import { machineOf } from './workflow/record.ts'

/** How often a mechanism could act, and how often it did: shortened a text, sent work back, changed it, and so on. */
export interface Activity {
  chances: number
  acted: number
  /** Estimated tokens of the texts of summaries, before and after. */
  tokens?: { before: number; after: number }
}

/** What the mechanisms of a method did; one that had no chance is absent. */
export type Activities = Partial<Record<CountedMechanism, Activity>>

/** What a mechanism changed: the candidate before it beside what was handed in, in the trials in which it acted and both are graded. */
export interface ActingChange extends Interval {
  trials: number
  tasks: number
  /** Wrong before and right after; right before and wrong after; the same result. */
  mended: number
  broken: number
  same: number
}

/** The trials of a method in which one of its mechanisms acted. Missing trials are left out. */
export interface ActingTrials {
  mechanism: string
  /** Trials in which it acted, and those of which that is known; the rest lack graded candidates. */
  trials: number
  known: number
  /** Trials in which it acted, or may have, without graded candidates: what it changed is not known. */
  ungraded: number
  /** Of the trials in which it acted: the graded ones, and those that passed. */
  graded: number
  passed: number
  /** A mean of task means, as a share. */
  success: Interval
  /** Success after minus success before, as a share, paired by task; null where it acts before there is work, or does not say so. */
  change: ActingChange | null
}

const count = z.number().nonnegative()
const SummaryTotals = z.object({ summaries: count, shortened: count, before: count, after: count })
const Decisions = z.object({ decisions: z.array(z.object({ accepted: z.boolean() })) })
const Agreement = z.object({ voted: count, classes: z.array(count).min(1) })

// To find out that nothing is there would take longer than all other sums of a record.
const read = <Value>(shape: z.ZodType<Value>, value: unknown): Value | undefined =>
  value === undefined ? undefined : shape.safeParse(value).data

/**
 * Adds what the mechanisms of a trial did, and returns those that acted in it. What a user's strategy keeps under the same names and in
 * another form counts as none.
 */
export function addMechanisms(
  sums: Activities,
  { state, revisions }: TrialRecord,
  machine: MachineRecord | undefined,
): Set<string> {
  const active = new Set<string>()
  const add = (name: CountedMechanism, chances: number, acted: number) => {
    if (chances === 0) return undefined
    if (acted > 0) active.add(name)
    const sum = sums[name] ?? { chances: 0, acted: 0 }
    sum.chances += chances
    sum.acted += acted
    sums[name] = sum
    return sum
  }
  const summaries = read(SummaryTotals, state?.summaryTotals)
  const summed = summaries && add('summaries', summaries.summaries, summaries.shortened)
  if (summed) {
    const { before, after } = summed.tokens ?? { before: 0, after: 0 }
    summed.tokens = { before: before + summaries.before, after: after + summaries.after }
  }
  if (revisions) add('revisions', revisions.asks, revisions.changed)
  const vote = read(Agreement, state?.agreement)
  // One voter alone decides nothing, and a group of all overrules nobody.
  if (vote && vote.voted > 1) add('votes', 1, vote.classes.length > 1 ? 1 : 0)
  const cascade = read(Decisions, state?.cascade)
  if (cascade)
    add('escalations', cascade.decisions.length, cascade.decisions.filter(({ accepted }) => !accepted).length)
  if (!machine) return active
  add('gates', machine.gates.length, machine.gates.filter(({ decision }) => decision !== 'proceed').length)
  add('breakers', 1, machine.breaks.length > 0 ? 1 : 0)
  return active
}

/** Returns the counted mechanisms that acted in a trial. */
export function activeMechanisms(record: TrialRecord): ReadonlySet<string> {
  const active = addMechanisms({}, record, machineOf(record))
  return record.tools ? active.add('tools') : active
}

/** Returns the activities of a row; nothing if it has no mechanism. */
export const mechanismsOf = (sums: Activities): { mechanisms?: Activities } =>
  Object.keys(sums).length > 0 ? { mechanisms: structuredClone(sums) } : {}
