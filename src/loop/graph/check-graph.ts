import type { GraphOptions } from '../../graph.ts'
import { describeType } from '../../schema/method/ask-options.ts'
import { branchName } from '../branch/branch.ts'
import { checkText } from '../branch/check-result.ts'
import { hasStep, type PlannedStep, type Step } from './schedule.ts'

// Steps may be a user's, written without types.

const policies = ['fail', 'last', 'merge']
const reactions = ['fail', 'skip', 'continue']

/** Throws unless the steps are valid, have unique ids and depend only on steps before them, and the options are valid. */
export function checkGraph(steps: readonly Step[], options: GraphOptions): void {
  checkSteps('graph()', steps, new Set())
  if (typeof options !== 'object' || options === null)
    throw new Error(`[strategy] graph(): the options must be an object, got ${describeType(options)}.`)
  const { concurrency, conflict } = options
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency >= 1))
    throw new Error(
      `[strategy] graph(): concurrency must be a whole number of at least 1, got ${shown(concurrency)}.`,
    )
  checkOneOf('graph(): conflict', conflict, policies)
}

/**
 * Throws unless what a step adds is valid. Its steps may depend on that step, on what it depends on, and on each other; those in
 * `before` must depend on that step and not have begun.
 */
export function checkAdded(
  behind: PlannedStep<Step>,
  { steps, before }: { steps: readonly Step[]; before: readonly string[] },
  all: readonly PlannedStep<Step>[],
  find: (id: string) => PlannedStep<Step> | undefined,
): void {
  const what = `expand() of step "${behind.step.id}"`
  const usable = new Set<string>()
  for (const { index, step } of all)
    if (index === behind.index || hasStep(behind.closure, index)) usable.add(step.id)
  checkSteps(what, steps, usable, { all, find })
  if (!isTexts(before))
    throw new Error(`[strategy] ${what}: before must be a list of ids, got ${describeType(before)}.`)
  for (const id of before) {
    const waiting = find(id)
    if (!waiting)
      throw new Error(`[strategy] ${what}: before names "${id}", which is not a step of the graph.`)
    if (!dependsOn(waiting, behind))
      throw new Error(
        `[strategy] ${what}: before names "${id}", which does not depend on "${behind.step.id}". Add "${behind.step.id}" to its after.`,
      )
  }
}

/** Throws unless the steps are valid, new, and depend only on those in `usable` and on steps before them. Adds their ids to those. */
function checkSteps(
  what: string,
  steps: readonly Step[],
  usable: Set<string>,
  known?: { all: readonly PlannedStep<Step>[]; find: (id: string) => PlannedStep<Step> | undefined },
): void {
  if (!Array.isArray(steps))
    throw new Error(`[strategy] ${what}: the steps must be a list, got ${describeType(steps)}.`)
  // The name of a branch is part of its keys: of two with one name, the key would depend on which began first.
  const ids = new Map(known?.all.map(({ step: { id } }) => [branchName(id), id]))
  for (const step of steps as readonly (Step | null | undefined)[]) {
    if (typeof step !== 'object' || step === null)
      throw new Error(`[strategy] ${what}: a step must be an object { id, after, run }, got ${shown(step)}.`)
    checkFields(what, step)
    const { id, after } = step
    const other = ids.get(branchName(id))
    if (other !== undefined)
      throw new Error(`[strategy] ${what}: ${sameName(id, other)}. Rename one of them.`)
    ids.set(branchName(id), id)
    for (const need of after)
      if (!usable.has(need)) throw new Error(`[strategy] ${what}: ${unusable(id, need, known?.find(need))}`)
    usable.add(id)
  }
}

const sameName = (id: string, other: string) =>
  id === other
    ? `there are two steps "${id}"`
    : `the steps "${other}" and "${id}" have the same name in keys, "${branchName(id)}"`

const unusable = (id: string, need: string, known: PlannedStep | undefined) =>
  known
    ? `step "${id}" depends on "${need}". It may depend on the step that adds it, on what that depends on, and on added steps before it.`
    : `step "${id}" depends on "${need}", which is not a step before it. Put "${need}" first.`

function checkFields(what: string, step: Step): void {
  checkText(`${what}: the id of a step`, step.id)
  const name = `${what}: step ${JSON.stringify(step.id)}`
  if (step.id === '') throw new Error(`[strategy] ${what}: the id of a step must not be empty.`)
  if (!isTexts(step.after))
    throw new Error(`[strategy] ${name}: after must be a list of ids, got ${describeType(step.after)}.`)
  if (typeof step.run !== 'function')
    throw new Error(`[strategy] ${name}: run must be a function, got ${describeType(step.run)}.`)
  if (step.expand !== undefined && typeof step.expand !== 'function')
    throw new Error(`[strategy] ${name}: expand must be a function, got ${describeType(step.expand)}.`)
  checkOneOf(`${name}: onFailure`, step.onFailure, reactions)
  checkOneOf(`${name}: conflict`, step.conflict, policies)
  if (step.part !== undefined && !(Array.isArray(step.part) && step.part.every(isPart)))
    throw new Error(`[strategy] ${name}: part must be a list of { pattern, kind, turn?, joins? }.`)
}

function checkOneOf(what: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value as string))
    throw new Error(`[strategy] ${what} must be one of ${allowed.join(', ')}, got ${shown(value)}.`)
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const isPart = (part: unknown) => {
  const { pattern, kind, turn, joins } = (part ?? {}) as Record<string, unknown>
  const isTurn = turn === undefined || (Number.isInteger(turn) && (turn as number) > 0)
  return (
    typeof pattern === 'string' &&
    typeof kind === 'string' &&
    isTurn &&
    [undefined, true].includes(joins as true)
  )
}

const shown = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : describeType(value)

/** Whether a step depends on another, directly or not. One that does has not begun; it may have been skipped. */
function dependsOn(waiting: PlannedStep<Step>, other: PlannedStep<Step>): boolean {
  const seen = new Set<PlannedStep<Step>>()
  const left = [waiting]
  for (let step = left.pop(); step; step = left.pop())
    for (const need of step.needs) {
      if (need === other) return true
      if (seen.has(need)) continue
      seen.add(need)
      left.push(need)
    }
  return false
}

/** Returns copies of checked steps, without secrets in their names, which the method cannot change any more. */
export const ownSteps = (steps: readonly Step[], clean: <Value>(value: Value) => Value): Step[] =>
  steps.map((step) => ({
    ...clean({ id: step.id, after: [...step.after], part: step.part?.map((part) => ({ ...part })) ?? [] }),
    run: (context, inputs) => step.run(context, inputs),
    ...(step.onFailure && { onFailure: step.onFailure }),
    ...(step.conflict && { conflict: step.conflict }),
    ...(step.expand && {
      expand: (value: unknown) => step.expand?.(value) as ReturnType<typeof step.expand>,
    }),
  }))
