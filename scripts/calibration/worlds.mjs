// The worlds that experiments are drawn from, and what is true in them.
import { normal, seededRandom } from '../../dist/src/base/random.js'

const base = {
  id: 'calibration',
  version: 1,
  description: 'Made for the calibration.',
  skills: { produce: 1.5, judge: 0, summarise: 0, decide: 0 },
  difficulty: { weight: 3, default: 0.5 },
  interaction: 1,
  effects: {},
  feedback: { gain: 0, maxRounds: 0 },
  regression: 0,
  context: { threshold: 100_000, lossPerThousand: 0 },
  correlation: 0.3,
  verdicts: { falseAccept: 0, falseReject: 0, noise: 0 },
  malformed: 0,
  visiblePass: 0,
  failures: {},
  output: Object.fromEntries(
    ['produce', 'judge', 'summarise', 'decide'].map((work) => [work, { median: 400, spread: 0.6 }]),
  ),
  reasoningShare: 0,
  price: { input: 3, output: 15, cached: 0.3 },
  latency: { baseMs: 500, msPerToken: 10, spread: 0.3 },
  checkMs: 1000,
}
const profile = (changes) => ({ ...base, ...changes })
const skill = (produce) => ({ ...base.skills, produce })
const spreadOut = (spread) => ({
  output: Object.fromEntries(Object.keys(base.output).map((work) => [work, { median: 400, spread }])),
})

/** `effect`: logits by which the first method is better. All methods are one strategy, so the rest is equal. */
export const worlds = [
  { name: 'A/A, 20 tasks, 1 epoch', tasks: 20, epochs: 1, methods: 2, profile: profile({}) },
  {
    name: 'A/A, 12 tasks, 3 epochs, tasks that suit one method',
    ...{ tasks: 12, epochs: 3, methods: 2, profile: profile({ interaction: 2 }) },
  },
  {
    name: 'A/A, 15 tasks, 2 epochs, near the ceiling, skewed tokens',
    ...{ tasks: 15, epochs: 2, methods: 2, profile: profile({ skills: skill(4), ...spreadOut(1) }) },
  },
  {
    name: 'A/A, 15 tasks, 2 epochs, a tenth of trials missing',
    ...{ tasks: 15, epochs: 2, methods: 2, profile: profile({ failures: { server: 0.1 } }) },
  },
  { name: 'A/A, four methods, 12 tasks, 1 epoch', tasks: 12, epochs: 1, methods: 4, profile: profile({}) },
  {
    name: 'planted, 20 tasks, 1 epoch',
    ...{ tasks: 20, epochs: 1, methods: 2, effect: 1.5, profile: profile({}) },
  },
  {
    name: 'planted, 12 tasks, 3 epochs, tasks that suit one method',
    ...{ tasks: 12, epochs: 3, methods: 2, effect: 1.5, profile: profile({ interaction: 2 }) },
  },
]

/**
 * True success of the first and of another method over all tasks that there could be (difficulty uniform in [0, 1], as
 * experiments draw it; see src/agents/simulated/behaviour.ts): by 400,000 tasks, good to 0.001.
 */
export function truthOf({ effect = 0, profile: { skills, difficulty, interaction } }) {
  const random = seededRandom('calibration/truth')
  const draws = 400_000
  let [first, other] = [0, 0]
  for (let draw = 0; draw < draws; draw++) {
    const logits = skills.produce - difficulty.weight * random() + interaction * normal(random)
    first += 1 / (1 + Math.exp(-logits - effect)) / draws
    other += 1 / (1 + Math.exp(-logits)) / draws
  }
  return { first, other }
}
