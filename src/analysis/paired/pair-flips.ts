import { seededRandom } from '../../base/random.ts'
import { mean } from '../numeric/moments.ts'
import { subtractReplicates } from '../resampling/bootstrap.ts'
import { flipPValue, flippedMeans } from '../resampling/flipped-means.ts'
import { exactSignFlipTest, randomFlipCount, type SignFlipTest } from './sign-flip-test.ts'
import { differences } from './task-difference.ts'

/** Indexes of two methods in a list. */
export type PlacePair = readonly [a: number, b: number]

/** Values of methods, task by task; null: none. */
type Columns = readonly (readonly (number | null)[])[]

/** Two methods on the tasks where both have a value, with their replicates from the same draws. */
interface DrawnPair {
  a: number[]
  b: number[]
  ours: Float64Array
  theirs: Float64Array
}

/**
 * Makes sign-flip tests of many pairs of methods, each over the tasks where both have a value (not null). A test is exact if
 * that is feasible; else pairs with the same tasks share their random patterns.
 */
export function pairFlips(methods: Columns, pairs: readonly PlacePair[], seed: string): SignFlipTest[] {
  const tests = pairs.map((pair) => {
    const tasks = sharedTasks(methods, pair)
    const [a, b] = pair.map((place) => tasks.map((task) => methods[place]?.[task] as number))
    return exactSignFlipTest(differences(a as number[], b as number[]))
  })
  const open = pairs.filter((_, index) => tests[index] === null)
  const drawn = drawTogether(methods, open, (columns) =>
    flippedMeans(columns, randomFlipCount, seededRandom(seed)),
  )
  const random = drawn.map(({ a, b, ours, theirs }) =>
    randomTest(differences(a, b), subtractReplicates(ours, theirs)),
  )
  return tests.map((test) => test ?? (random.shift() as SignFlipTest))
}

/** Draws replicates for pairs of methods, once for each method among pairs with the same tasks. */
export function drawTogether(
  methods: Columns,
  pairs: readonly PlacePair[],
  draw: (columns: Float64Array[]) => Float64Array[],
): DrawnPair[] {
  const unknown = methods.map((values) => values.flatMap((value, task) => (value === null ? [task] : [])))
  const groups = new Map<string, PlacePair[]>()
  const keys = pairs.map((pair) => {
    const key = [...new Set(pair.flatMap((place) => unknown[place] as number[]))].sort().join()
    groups.set(key, [...(groups.get(key) ?? []), pair])
    return key
  })
  const drawn = new Map(
    [...groups].map(([key, group]) => {
      const tasks = sharedTasks(methods, group[0] as PlacePair)
      const places = [...new Set(group.flat())]
      const columns = places.map((place) => tasks.map((task) => methods[place]?.[task] as number))
      const replicates = draw(columns.map((column) => Float64Array.from(column)))
      return [key, new Map(places.map((place, at) => [place, [columns[at], replicates[at]]]))]
    }),
  )
  return pairs.map(([a, b], index) => {
    const of = (place: number) => drawn.get(keys[index] as string)?.get(place) as [number[], Float64Array]
    const [[ofA, ours], [ofB, theirs]] = [of(a), of(b)]
    return { a: ofA, b: ofB, ours, theirs }
  })
}

function randomTest(values: readonly number[], flipped: Float64Array): SignFlipTest {
  const statistic = mean(values) as number
  const tolerance = 1e-9 * (mean(values.map(Math.abs)) as number)
  return { statistic, p: flipPValue(flipped, statistic, tolerance), flips: flipped.length, refusal: null }
}

function sharedTasks(methods: Columns, [a, b]: PlacePair): number[] {
  const [ours, theirs] = [methods[a] ?? [], methods[b] ?? []]
  return [...ours.keys()].filter((task) => ours[task] !== null && (theirs[task] ?? null) !== null)
}
