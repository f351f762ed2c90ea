import type { testMargins } from '../../src/analysis/compare/margin-tests.ts'
import { successValue, type TaskValue } from '../../src/analysis/tasks/task-value.ts'
import { type Random, seededRandom } from '../../src/base/random.ts'

/** A world in which A is worse than B by exactly the margin. */
export interface MarginDesign {
  tasks: number
  /** Epochs of each task; with `fewest` a random number from that to `epochs`. */
  epochs: number
  fewest?: number
  /** Chance of success of an epoch. */
  rate: number
  /** A random share of tasks has another rate, the same for both methods; A loses only the other tasks. */
  hard?: { share: number; rate: number }
  /** One score a task, this far from its rate at most, instead of passed epochs. */
  spread?: number
  margin: number
  /** On a random share of tasks A loses this share of its successes; 1: it fails for good. */
  depth: number
  /** Number of such pairs in the family, 1 by default. */
  pairs?: number
}

/** Counts in how many of `runs` runs A is called no worse, or equivalent, in any pair. */
export function falseMarginClaims(
  design: MarginDesign,
  runs: number,
  test: typeof testMargins,
): { notWorse: number; equivalent: number } {
  const random = seededRandom(`margin/${JSON.stringify(design)}`)
  const counts = { notWorse: 0, equivalent: 0 }
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: design.pairs ?? 1 }, () => drawMarginPair(design, random))
    const tests = test(pairs, design.margin, 0.05)
    if (tests.some(({ notWorse }) => notWorse.a.holds)) counts.notWorse++
    if (tests.some(({ equivalent }) => equivalent.holds)) counts.equivalent++
  }
  return counts
}

/** Draws the tasks of a pair in such a world. */
export function drawMarginPair(design: MarginDesign, random: Random): { a: TaskValue[]; b: TaskValue[] } {
  const { tasks, rate, hard, margin, depth } = design
  const loss = margin / rate / depth / (1 - (hard?.share ?? 0))
  const pair = { a: [] as TaskValue[], b: [] as TaskValue[] }
  for (let task = 0; task < tasks; task++) {
    const isHard = hard !== undefined && random() < hard.share
    const own = isHard ? hard.rate : rate
    const isLost = !isHard && random() < loss
    pair.a.push(drawTask(design, isLost ? own * (1 - depth) : own, random))
    pair.b.push(drawTask(design, own, random))
  }
  return pair
}

function drawTask({ epochs, fewest, spread }: MarginDesign, chance: number, random: Random): TaskValue {
  if (spread !== undefined) {
    const score = chance === 0 ? 0 : chance + spread * (2 * random() - 1)
    return { mean: score, trials: 1, missing: 0, squares: 0 }
  }
  const trials = fewest === undefined ? epochs : fewest + Math.floor(random() * (epochs - fewest + 1))
  let passed = 0
  for (let epoch = 0; epoch < trials; epoch++) if (random() < chance) passed++
  return successValue(passed, trials, 0)
}
