import assert from 'node:assert/strict'
import { test } from 'node:test'

/** Loads a module in each test, so that one that does not load fails its own tests alone. */
const modules = {
  median: () => import('../src/median.mjs'),
  queue: () => import('../src/queue.mjs'),
  slug: () => import('../src/slug.mjs'),
  paging: () => import('../src/paging.mjs'),
  calendar: () => import('../src/calendar.mjs'),
  merge: () => import('../src/merge.mjs'),
  cache: () => import('../src/cache.mjs'),
  wrap: () => import('../src/wrap.mjs'),
  split: () => import('../src/split.mjs'),
  search: () => import('../src/search.mjs'),
}

/** One test for each module, so that each corrected fault counts alike and the modules as they are count nothing. */
const parts = new Map()
const check = (title, run) => {
  const [module] = title.split(':')
  parts.set(module, [...(parts.get(module) ?? []), run])
}

check('median: numbers of different lengths', async () => {
  const { median } = await modules.median()
  assert.equal(median([10, 9, 2]), 9)
  assert.equal(median([100, 20, 3, 1000]), 60)
})
check('median: nothing, one number, and a list that stays as it is', async () => {
  const { median } = await modules.median()
  const given = [3, 1, 2]
  assert.equal(median(given), 2)
  assert.deepEqual(given, [3, 1, 2])
  assert.equal(median([]), null)
  assert.equal(median([-4]), -4)
})

check('queue: equal priorities in the order in which they came', async () => {
  const queue = (await modules.queue()).createQueue()
  for (const name of ['a', 'b', 'c']) queue.add(name, 1)
  assert.deepEqual([queue.take(), queue.take(), queue.take()], ['a', 'b', 'c'])
})
check('queue: the smallest first, whatever came between', async () => {
  const queue = (await modules.queue()).createQueue()
  queue.add('late', 5)
  queue.add('soon', 1)
  assert.equal(queue.take(), 'soon')
  queue.add('between', 3)
  queue.add('also late', 5)
  assert.deepEqual([queue.take(), queue.take(), queue.take(), queue.take()], ['between', 'late', 'also late', undefined])
})

check('slug: one dash for several signs', async () => {
  const { slug } = await modules.slug()
  assert.equal(slug('Ten --- faults, one week'), 'ten-faults-one-week')
})
check('slug: accents, and signs at the ends', async () => {
  const { slug } = await modules.slug()
  assert.equal(slug('!! Café au lait 2 ??'), 'cafe-au-lait-2')
  assert.equal(slug('...'), '')
})

check('paging: a last page that is full', async () => {
  const { pageOf } = await modules.paging()
  assert.equal(pageOf([1, 2, 3, 4], 1, 2).pages, 2)
  assert.deepEqual([...pageOf([1, 2, 3, 4], 9, 2).items], [3, 4])
})
check('paging: a rest, an empty list, and pages out of range', async () => {
  const { pageOf } = await modules.paging()
  assert.deepEqual([...pageOf([1, 2, 3], 2, 2).items], [3])
  assert.deepEqual([...pageOf([1, 2, 3], 0, 2).items], [1, 2])
  assert.equal(pageOf([], 1, 10).pages, 1)
})

check('calendar: February of a leap year', async () => {
  const { dayOfYear } = await modules.calendar()
  assert.equal(dayOfYear(2024, 2, 29), 60)
  assert.equal(dayOfYear(2024, 2, 1), 32)
})
check('calendar: ends of years and of centuries', async () => {
  const { dayOfYear } = await modules.calendar()
  assert.equal(dayOfYear(2023, 12, 31), 365)
  assert.equal(dayOfYear(2024, 12, 31), 366)
  assert.equal(dayOfYear(1900, 3, 1), 60)
  assert.equal(dayOfYear(2000, 3, 1), 61)
})

check('merge: an interval inside of another', async () => {
  const { mergeIntervals } = await modules.merge()
  assert.deepEqual(mergeIntervals([[1, 10], [2, 3]]), [[1, 10]])
})
check('merge: intervals that touch, and such that do not', async () => {
  const { mergeIntervals } = await modules.merge()
  assert.deepEqual(mergeIntervals([[5, 6], [1, 2], [2, 3]]), [[1, 3], [5, 6]])
  assert.deepEqual(mergeIntervals([[3, 4], [1, 2]]), [[1, 2], [3, 4]])
  assert.deepEqual(mergeIntervals([]), [])
})

check('cache: reading counts as use', async () => {
  const cache = (await modules.cache()).createCache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
})
check('cache: writing counts as use, and a key is held once', async () => {
  const cache = (await modules.cache()).createCache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 9)
  cache.set('c', 3)
  assert.equal(cache.size(), 2)
  assert.deepEqual([cache.get('a'), cache.get('b')], [9, undefined])
})

check('wrap: lines that are full', async () => {
  const { wrapText } = await modules.wrap()
  assert.deepEqual([...wrapText('aa bb cc', 5)], ['aa bb', 'cc'])
  assert.deepEqual([...wrapText('aa bbb cc', 5)], ['aa', 'bbb', 'cc'])
})
check('wrap: long words and spaces', async () => {
  const { wrapText } = await modules.wrap()
  assert.deepEqual([...wrapText('  a   longword b ', 4)], ['a', 'longword', 'b'])
  assert.deepEqual([...wrapText('', 4)], [])
})

check('split: equal losses', async () => {
  const { shareOut } = await modules.split()
  assert.deepEqual([...shareOut(100, [1, 1, 1])], [34, 33, 33])
  assert.deepEqual([...shareOut(5, [1, 1])], [3, 2])
})
check('split: other weights, and nothing to share', async () => {
  const { shareOut } = await modules.split()
  assert.deepEqual([...shareOut(10, [1, 2, 4])], [1, 3, 6])
  assert.deepEqual([...shareOut(0, [1, 5])], [0, 0])
})

check('search: equal numbers', async () => {
  const { lowerBound } = await modules.search()
  assert.equal(lowerBound([1, 2, 2, 2, 5], 2), 1)
})
check('search: below all, above all, and between', async () => {
  const { lowerBound } = await modules.search()
  assert.equal(lowerBound([3, 5], 1), 0)
  assert.equal(lowerBound([3, 5], 9), 2)
  assert.equal(lowerBound([3, 5, 9], 6), 2)
  assert.equal(lowerBound([], 1), 0)
})

for (const [module, runs] of parts)
  test(module, async () => {
    for (const run of runs) await run()
  })
