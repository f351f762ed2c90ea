import type { BreakerRule, CircuitBreaker } from '../../schema/machine/machine-file.ts'

/** A step from one state to the next. */
export interface Transition {
  from: string
  to: string
  /** The orchestrator decided on another one, so it was made, but its state was not entered. */
  replaced?: true
}

/** What rules look at. */
export interface MachineHistory {
  /** The last one is about to be taken. */
  transitions: readonly Transition[]
  /** Milliseconds of the trial's clock since the machine began. */
  elapsedMs: number
  /** US dollars that the machine has spent; null: unknown. */
  costUsd: number | null
}

/** A rule that matches, or a hard limit that is reached. */
export interface Break {
  rule: BreakerRule['rule']
  /** Hard limits end the machine; nobody decides. */
  isHard: boolean
  /** The fact, such as `state draft was entered 3 times`. */
  fact: string
}

/** How often rules were let go on: those about the state that is entered by its name, the others by theirs. */
export interface LetGo {
  states: Map<string, number>
  rules: Map<BreakerRule['rule'], number>
}

/** Whether a rule is about the state that is entered, not about the whole way. */
export const isOfState = (rule: BreakerRule['rule']): boolean => rule === 'state_visits' || rule === 'cycle'

/** Allows one more try of the state that the last transition enters, and so of each on the way back to it; or as much again of another rule. */
export function letGoOn(
  { states, rules }: LetGo,
  rule: BreakerRule['rule'],
  transitions: readonly Transition[],
): void {
  if (!isOfState(rule)) return void rules.set(rule, (rules.get(rule) ?? 0) + 1)
  const path = takenOf(transitions).map(({ to }) => to)
  const before = path.lastIndexOf(path.at(-1) ?? '', -2)
  for (const state of new Set(path.slice(before < 0 ? -1 : before)))
    states.set(state, (states.get(state) ?? 0) + 1)
}

const takenOf = (transitions: readonly Transition[]) => transitions.filter(({ replaced }) => !replaced)

/** Returns the first rule that matches, in the order of the file; hard limits come before all rules, and count replaced transitions. */
export function findBreak(
  { rules, hard }: CircuitBreaker,
  history: MachineHistory,
  letGo: LetGo,
): Break | undefined {
  const limits: BreakerRule[] = [
    { rule: 'transitions', max: hard.transitions },
    { rule: 'time', max_s: hard.time_s },
    { rule: 'cost', max_usd: hard.cost_usd },
  ]
  for (const limit of limits) {
    const fact = factOf(limit, history, 0)
    if (fact !== undefined) return { rule: limit.rule, isHard: true, fact }
  }
  const taken = { ...history, transitions: takenOf(history.transitions) }
  for (const rule of rules) {
    const { to = '' } = history.transitions.at(-1) ?? {}
    const raised = isOfState(rule.rule) ? letGo.states.get(to) : letGo.rules.get(rule.rule)
    const fact = factOf(rule, taken, raised ?? 0)
    if (fact !== undefined) return { rule: rule.rule, isHard: false, fact }
  }
  return undefined
}

/** Returns why a rule matches; undefined if it does not. `raised` is how often it was let go on. */
function factOf(rule: BreakerRule, history: MachineHistory, raised: number): string | undefined {
  const { transitions, elapsedMs, costUsd } = history
  switch (rule.rule) {
    case 'state_visits': {
      const state = transitions.at(-1)?.to
      const visits = transitions.filter(({ to }) => to === state).length
      return visits >= rule.max + raised ? `state ${state} was entered ${visits} times` : undefined
    }
    case 'cycle':
      return cycleOf(transitions, 2 + raised)
    case 'transitions': {
      const count = transitions.length
      return count >= rule.max * (1 + raised) ? `${count} transitions were made` : undefined
    }
    case 'time': {
      const seconds = elapsedMs / 1000
      return seconds >= rule.max_s * (1 + raised) ? `${Math.round(seconds)} s have passed` : undefined
    }
    case 'cost':
      return costUsd !== null && costUsd >= rule.max_usd * (1 + raised)
        ? `${costUsd.toFixed(2)} dollars were spent`
        : undefined
  }
}

/** The same two transitions several times in a row. A gate's first retry is none: the way there and back came once. */
function cycleOf(transitions: readonly Transition[], times: number): string | undefined {
  const last = transitions.slice(-2 * times)
  const names = last.map(({ from, to }) => `${from} -> ${to}`)
  if (last.length < 2 * times || names.some((name, i) => name !== names[i % 2])) return undefined
  return `${names[0]}, ${names[1]} came ${times} times in a row`
}
