import type { BreakerRule, CircuitBreaker } from '../../schema/machine/machine-file.ts'

/** A step from one state to the next. */
export interface Transition {
  from: string
  to: string
}

/** What rules look at. */
export interface MachineHistory {
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

/** How often each rule was let go on; each time it breaks one later. */
type Raised = Readonly<Partial<Record<BreakerRule['rule'], number>>>

/** Returns the first rule that matches, in the order of the file; hard limits come before all rules. */
export function findBreak(
  { rules, hard }: CircuitBreaker,
  history: MachineHistory,
  raised: Raised = {},
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
  for (const rule of rules) {
    const fact = factOf(rule, history, raised[rule.rule] ?? 0)
    if (fact !== undefined) return { rule: rule.rule, isHard: false, fact }
  }
  return undefined
}

/** Returns why a rule matches; undefined if it does not. `raised` is how much later than written it breaks. */
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
      return count >= rule.max + raised ? `${count} transitions were made` : undefined
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
