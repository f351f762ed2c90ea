import { differenceClaim } from '../paired/difference-claim.ts'
import type { SignFlipTest } from '../paired/sign-flip-test.ts'
import { differences } from '../paired/task-difference.ts'
import { fiellerRatio } from '../ratios/fieller-ratio.ts'
import { geometricMeanRatio } from '../ratios/geometric-mean-ratio.ts'
import { medianRatio } from '../ratios/median-ratio.ts'
import { percentSaved } from '../ratios/percent-saved.ts'
import { ratioOfMeans } from '../ratios/ratio-of-means.ts'
import type { Spent, SpentDifference } from './comparison.ts'
import { largestTask } from './largest-task.ts'
import type { MethodTasks } from './method-tasks.ts'
import { outcomeDifference } from './outcome-difference.ts'

/** A against B in what they spend, failures counted in, over the tasks where both are known. */
export function spentDifference(
  a: MethodTasks,
  b: MethodTasks,
  spent: Spent,
  { tasks, confidence, flip }: { tasks: readonly string[]; confidence: number; flip: SignFlipTest },
): Omit<SpentDifference, 'exploratoryP' | 'atEqualSuccess'> {
  const both = tasks.flatMap((_, task) =>
    a.values[spent][task]?.mean == null || b.values[spent][task]?.mean == null ? [] : [task],
  )
  const x = both.map((task) => a.values[spent][task]?.mean as number)
  const y = both.map((task) => b.values[spent][task]?.mean as number)
  const ratio = fiellerRatio(x, y, confidence)
  const { p, exactP, claimP, refusal } = differenceClaim(differences(x, y), () => flip)
  const { p: _, ...typical } = geometricMeanRatio(x, y, confidence)
  const [ours, theirs] = [a, b].map(({ values }) =>
    both.map((task) => values.success[task] as (typeof values.success)[number]),
  ) as [typeof a.values.success, typeof a.values.success]
  const success = outcomeDifference(ours, theirs, { confidence, seed: '' })
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
    success: {
      estimate: success.estimate,
      lower: success.lower,
      upper: success.upper,
      nTasks: success.nTasks,
    },
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
