import { differenceClaim } from '../../paired/difference-claim.ts'
import type { SignFlipTest } from '../../paired/sign-flip-test.ts'
import { differences } from '../../paired/task-difference.ts'
import { fiellerRatio } from '../../ratios/fieller-ratio.ts'
import { geometricMeanRatio } from '../../ratios/geometric-mean-ratio.ts'
import { medianRatio } from '../../ratios/median-ratio.ts'
import { percentSaved } from '../../ratios/percent-saved.ts'
import { ratioOfMeans } from '../../ratios/ratio-of-means.ts'
import { largestTask } from '../../tasks/largest-task.ts'
import { pairedMeans, type TaskValue } from '../../tasks/task-value.ts'
import type { Spent } from '../comparison.ts'
import type { SpentDifference } from '../pair-results.ts'
import type { MethodTasks } from '../rows/method-tasks.ts'
import { outcomeInterval } from './outcome-interval.ts'

/** Compares the spending of A and B, failed trials included, over the tasks where both are known. */
export function spentDifference(
  a: MethodTasks,
  b: MethodTasks,
  spent: Spent,
  { tasks, confidence, flip }: { tasks: readonly string[]; confidence: number; flip: SignFlipTest },
): Omit<SpentDifference, 'exploratoryP' | 'atEqualSuccess'> {
  const meanAt = (method: MethodTasks, task: number) => method.values[spent][task]?.mean ?? null
  const both = [...tasks.keys()].filter((task) => meanAt(a, task) !== null && meanAt(b, task) !== null)
  const x = both.map((task) => meanAt(a, task) as number)
  const y = both.map((task) => meanAt(b, task) as number)
  const fieller = fiellerRatio(x, y, confidence)
  // Spending is never below 0, so nobody saves more than 100%.
  const ratio = { ...fieller, lower: fieller.lower === null ? null : Math.max(0, fieller.lower) }
  const { p, exactP, claimP, refusal } = differenceClaim(differences(x, y), () => flip)
  const { p: _, ...typical } = geometricMeanRatio(x, y, confidence)
  const successOf = ({ values }: MethodTasks) => both.map((task) => values.success[task] as TaskValue)
  const [ours, theirs] = [successOf(a), successOf(b)]
  const { estimate, lower, upper } = outcomeInterval(ours, theirs, confidence)
  return {
    nTasks: both.length,
    nDropped: tasks.length - both.length,
    ratio,
    saved: percentSaved(ratio.ratio, ratio.lower, ratio.upper),
    typical,
    median: medianRatio(x, y, confidence),
    largest: largestOf(tasks, both, x, y),
    p,
    exactP,
    claimP,
    success: { estimate, lower, upper, nTasks: pairedMeans(ours, theirs).a.length },
    refusal,
  }
}

function largestOf(
  tasks: readonly string[],
  both: readonly number[],
  x: readonly number[],
  y: readonly number[],
): SpentDifference['largest'] {
  const names = both.map((task) => tasks[task] as string)
  const largest = largestTask(names, y)
  if (!largest) return null
  const rest = (values: readonly number[]) => values.filter((_, index) => names[index] !== largest.task)
  return { ...largest, ratioWithout: ratioOfMeans(rest(x), rest(y)) }
}
