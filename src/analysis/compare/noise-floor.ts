import { mean } from '../numeric/moments.ts'
import type { TaskValue } from '../tasks/task-value.ts'
import type { FlipRates } from './pair-results.ts'
import type { MethodTasks } from './rows.ts'
import type { Tools } from './tools.ts'

/**
 * Returns a function that gives the flip rates of a pair: how often a trial of one and a trial of the other come out differently on the
 * same task, and the same of each method with itself, which is the noise floor. Undefined where nothing shows the latter.
 */
export function flipRates(
  methods: readonly MethodTasks[],
  tools: Readonly<Record<string, Tools>>,
): (pair: { a: MethodTasks; b: MethodTasks }) => FlipRates | undefined {
  const own = new Map(methods.map((method) => [method.label, selfFlips(method, methods, tools)]))
  return ({ a, b }) => {
    const [ofA, ofB] = [own.get(a.label) ?? null, own.get(b.label) ?? null]
    if (ofA === null && ofB === null) return undefined
    return { between: flipsBetween(a.values.success, b.values.success), a: ofA, b: ofB }
  }
}

/** Returns how often two trials of a method differ: two epochs, or with single epochs those of the same method under another label. */
function selfFlips(
  method: MethodTasks,
  methods: readonly MethodTasks[],
  tools: Readonly<Record<string, Tools>>,
): number | null {
  const { label, values } = method
  const repeated = values.success.filter(({ trials }) => trials > 1)
  if (repeated.length > 0) return mean(repeated.map(flipsWithin))
  const key = tools[label]?.method
  const twin = methods.find((other) => other.label !== label && tools[other.label]?.method === key)
  return key === undefined || !twin ? null : flipsBetween(values.success, twin.values.success)
}

/** The chance that two different trials of a task differ: 2 p (1 - p) n / (n - 1), which is unbiased. */
const flipsWithin = ({ mean: p, trials }: TaskValue): number =>
  (2 * (p as number) * (1 - (p as number)) * trials) / (trials - 1)

/** The mean over tasks of the chance that a trial of each differs; null if they have no task in common. */
function flipsBetween(a: readonly TaskValue[], b: readonly TaskValue[]): number | null {
  return mean(
    a.flatMap(({ mean: p }, task) => {
      const q = b[task]?.mean ?? null
      return p === null || q === null ? [] : [p * (1 - q) + q * (1 - p)]
    }),
  )
}
