import { seededRandom } from '../../base/random.ts'
import { mean } from '../numeric/moments.ts'
import { flipPValue, flippedMeans } from '../resampling/flipped-means.ts'
import { exactSignFlipTest, randomFlipCount, type SignFlipTest } from './sign-flip-test.ts'
import { differences } from './task-difference.ts'

/** Indexes of two methods in a list. */
export type PlacePair = readonly [a: number, b: number]

/**
 * Makes sign-flip tests of many pairs of methods, each over the tasks where both have a value (not null). A test is exact if
 * that is feasible; else pairs with the same tasks share their random patterns.
 */
export function pairFlips(
  methods: readonly (readonly (number | null)[])[],
  pairs: readonly PlacePair[],
  seed: string,
): SignFlipTest[] {
  const tests = new Array<SignFlipTest>(pairs.length)
  const groups = new Map<string, { tasks: number[]; open: number[] }>()
  for (const [index, pair] of pairs.entries()) {
    const tasks = sharedTasks(methods, pair)
    const exact = exactSignFlipTest(differencesOf(methods, pair, tasks))
    if (exact) tests[index] = exact
    else {
      const key = tasks.join()
      const group = groups.get(key) ?? { tasks, open: [] }
      groups.set(key, group)
      group.open.push(index)
    }
  }
  for (const { tasks, open } of groups.values()) {
    const places = [...new Set(open.flatMap((index) => pairs[index] as PlacePair))]
    const columns = places.map((place) =>
      Float64Array.from(tasks, (task) => methods[place]?.[task] as number),
    )
    const flipped = flippedMeans(columns, randomFlipCount, seededRandom(seed))
    for (const index of open) {
      const [a, b] = pairs[index] as PlacePair
      const ours = flipped[places.indexOf(a)] as Float64Array
      const theirs = flipped[places.indexOf(b)] as Float64Array
      tests[index] = randomTest(
        differencesOf(methods, [a, b], tasks),
        ours.map((value, replicate) => value - (theirs[replicate] as number)),
      )
    }
  }
  return tests
}

function randomTest(values: readonly number[], flipped: Float64Array): SignFlipTest {
  const statistic = mean(values) as number
  const tolerance = 1e-9 * (mean(values.map(Math.abs)) as number)
  return { statistic, p: flipPValue(flipped, statistic, tolerance), flips: flipped.length, refusal: null }
}

function sharedTasks(methods: readonly (readonly (number | null)[])[], [a, b]: PlacePair): number[] {
  return (methods[a] ?? []).flatMap((value, task) =>
    value === null || (methods[b]?.[task] ?? null) === null ? [] : [task],
  )
}

function differencesOf(
  methods: readonly (readonly (number | null)[])[],
  [a, b]: PlacePair,
  tasks: readonly number[],
): number[] {
  const values = (place: number) => tasks.map((task) => methods[place]?.[task] as number)
  return differences(values(a), values(b))
}
