import type { testMargins } from '../../src/analysis/compare/pairs/margin-tests.ts'
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
  margin: number
  /** On a random share of tasks A loses this share of its successes; 1: it fails for good. */
  depth: number
}

/** Counts how often A is called no worse, or equivalent, in `runs` runs. */
export function falseMarginClaims(
  design: MarginDesign,
  runs: number,
  test: typeof testMargins,
): { notWorse: number; equivalent: number } {
  const random = seededRandom(`margin/${JSON.stringify(design)}`)
  const counts = { notWorse: 0, equivalent: 0 }
  for (let run = 0; run < runs; run++) {
    const [tests] = test([drawPair(design, random)], design.margin, 0.05)
    if (tests?.notWorse.a.holds) counts.notWorse++
    if (tests?.equivalent.holds) counts.equivalent++
  }
  return counts
}

function drawPair(
  { tasks, epochs, fewest, rate, margin, depth }: MarginDesign,
  random: Random,
): { a: TaskValue[]; b: TaskValue[] } {
  const count = () => (fewest === undefined ? epochs : fewest + Math.floor(random() * (epochs - fewest + 1)))
  const draw = (chance: number) => {
    const trials = count()
    let passed = 0
    for (let epoch = 0; epoch < trials; epoch++) if (random() < chance) passed++
    return successValue(passed, trials, 0)
  }
  const pair = { a: [] as TaskValue[], b: [] as TaskValue[] }
  for (let task = 0; task < tasks; task++) {
    const isLost = random() < margin / rate / depth
    pair.a.push(draw(isLost ? rate * (1 - depth) : rate))
    pair.b.push(draw(rate))
  }
  return pair
}
