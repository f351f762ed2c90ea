import type { TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { normal, type Random, seededRandom } from '../../../src/base/random.ts'
import { taskValues } from '../../analysis/task-values.ts'

/** A world of tasks from which experiments draw theirs. */
export interface World {
  name: string
  tasks: number
  epochs: number
  /** Mean of the tasks' log odds of success, and their standard deviation. */
  level: number
  difficulty: number
  /** Standard deviation of each method's own part in a task's log odds: tasks that suit one and not another. */
  own: number
  /** Share of trials that go missing. */
  missing?: number
  /** Standard deviation of the logarithm of the tasks' sizes, in tokens; 0.5. */
  skew?: number
  /** Shift of A's log odds. */
  effect?: number
}

/** Trials of one method on the tasks of one experiment, with what they spent. */
export interface SimulatedMethod {
  success: TaskValue[]
  tokens: TaskValue[]
  priced: ({ cost: number; success: number } | null)[]
}

/** One experiment: each method's trials on the same newly drawn tasks. Only the first has the world's effect. */
export function experiment(world: World, methods: number, random: Random): SimulatedMethod[] {
  const tasks = Array.from({ length: world.tasks }, () => ({
    odds: world.level + world.difficulty * normal(random),
    size: Math.exp(7 + (world.skew ?? 0.5) * normal(random)),
  }))
  return Array.from({ length: methods }, (_, method) => {
    const trials = tasks.map(({ odds, size }) => {
      const p = chance(odds + (method === 0 ? (world.effect ?? 0) : 0) + world.own * normal(random))
      const scale = size * Math.exp(0.4 * normal(random))
      return Array.from({ length: world.epochs }, () => {
        const lost = random() < (world.missing ?? 0)
        const passed = random() < p ? 1 : 0
        const tokens = scale * Math.exp(0.3 * normal(random))
        return lost ? null : { passed, tokens }
      })
    })
    const success = taskValues(trials.map((row) => row.map((trial) => trial?.passed ?? null)))
    const tokens = taskValues(trials.map((row) => row.map((trial) => trial?.tokens ?? null)))
    const priced = success.map((task, index) =>
      task.mean === null ? null : { cost: tokens[index]?.mean as number, success: task.mean },
    )
    return { success, tokens, priced }
  })
}

/** Mean success of the first method and of the others over the whole world, by 400,000 tasks: good to 0.001. */
export function truth(world: World): { first: number; other: number } {
  const random = seededRandom(`truth/${world.name}`)
  const draws = 400_000
  let [first, other] = [0, 0]
  for (let draw = 0; draw < draws; draw++) {
    const odds = world.level + Math.sqrt(world.difficulty ** 2 + world.own ** 2) * normal(random)
    first += chance(odds + (world.effect ?? 0)) / draws
    other += chance(odds) / draws
  }
  return { first, other }
}

/** Mean tokens of a task; all methods spend the same. */
export function meanTokens({ skew = 0.5 }: World): number {
  return Math.exp(7 + (skew ** 2 + 0.4 ** 2 + 0.3 ** 2) / 2)
}

function chance(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}
