import { describe, expect, it } from 'vitest'
import { createFlips, type Flips, type TaskOfPair } from '../../src/analysis/flips.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { aRecord } from './records.ts'

/** Trials by method and task, a letter an epoch: passed, failed, error, cancelled, ungraded, or `.`, which did not run. */
type Letters = Readonly<Record<string, Readonly<Record<string, string>>>>

function flipsOf(letters: Letters, epochs: number, clusters: Readonly<Record<string, string>> = {}): Flips {
  const flips = createFlips()
  for (const [method, tasks] of Object.entries(letters))
    for (const [task, trials] of Object.entries(tasks))
      for (const [index, letter] of [...trials].entries()) {
        const changes = { method, task, suite: task.split('/')[0] ?? '', epoch: index + 1 }
        if (letter === 'p' || letter === 'f') flips.add(aRecord({ ...changes, passed: letter === 'p' }))
        if (letter === 'u') flips.add(aRecord({ ...changes, passed: null }))
        if (letter === 'e' || letter === 'c')
          flips.add(aRecord({ ...changes, status: letter === 'e' ? 'error' : 'cancelled' }))
      }
  const labels = Object.keys(letters)
  return flips.result({
    methods: labels.map((label) => ({ label, method: label, agents: 'scripted', set: null, epochs })),
    pairs: labels.flatMap((a, index) => labels.slice(index + 1).map((b) => ({ a, b }))),
    clusters,
  })
}

const tasks = (list: readonly { task: string }[] | undefined) => list?.map(({ task }) => task)

describe('two methods, one epoch', () => {
  const {
    pairs,
    methods,
    tasks: all,
  } = flipsOf(
    {
      A: { 's/1': 'p', 's/2': 'p', 's/3': 'f', 's/4': 'f', 's/5': 'p' },
      B: { 's/1': 'p', 's/2': 'f', 's/3': 'p', 's/4': 'f', 's/5': 'f' },
    },
    1,
  )

  it('every task is solved by both, by one alone, or by neither, with the trials of both', () => {
    expect(all).toBe(5)
    const [pair] = pairs
    expect(pair).toMatchObject({ a: 'A', b: 'B', both: 1, neither: 1, ties: [], untestable: 0 })
    expect(tasks(pair?.onlyA)).toEqual(['s/2', 's/5'])
    expect(pair?.onlyB).toEqual([
      {
        task: 's/3',
        suite: 's',
        a: {
          ...{ side: 'fails', passed: 0, graded: 1, missing: 0 },
          trials: { passed: [], failed: ['s/3|A|1'], missing: [] },
        },
        b: {
          ...{ side: 'solves', passed: 1, graded: 1, missing: 0 },
          trials: { passed: ['s/3|B|1'], failed: [], missing: [] },
        },
      },
    ])
  })

  it('no task of one trial is flaky', () => {
    expect(methods.map(({ flaky, repeated }) => [flaky, repeated])).toEqual([
      [[], 0],
      [[], 0],
    ])
    expect(methods[0]).toMatchObject({ label: 'A', solved: 3, failed: 2, ties: 0, untestable: 0, missing: 0 })
  })
})

it('with epochs the majority decides, a tie is on no side, and the clearest change stands first', () => {
  const { pairs, methods } = flipsOf(
    {
      A: { 's/near': 'pppf', 's/clear': 'pppp', 's/tie': 'ppff', 's/same': 'pppf' },
      B: { 's/near': 'fffp', 's/clear': 'ffff', 's/tie': 'pppp', 's/same': 'pppp' },
    },
    4,
  )
  const [pair] = pairs
  expect(tasks(pair?.onlyA)).toEqual(['s/clear', 's/near'])
  expect(pair).toMatchObject({ both: 1, neither: 0, onlyB: [], untestable: 0 })
  expect(pair?.ties.map(({ task, a, b }: TaskOfPair) => [task, a.side, b.side])).toEqual([
    ['s/tie', 'tie', 'solves'],
  ])
  // Whatever the sides: 3 and 4 of 4 against 1 and 0; 2 and 3 of 4 against 4.
  expect([pair?.higherA, pair?.higherB]).toEqual([
    ['s/clear', 's/near'],
    ['s/same', 's/tie'],
  ])
  expect(methods[0]).toMatchObject({ solved: 3, failed: 0, ties: 1, repeated: 4 })
  // The most even ones first, then by name.
  expect(methods[0]?.flaky.map(({ task, passed, graded }) => [task, passed, graded])).toEqual([
    ['s/tie', 2, 4],
    ['s/near', 3, 4],
    ['s/same', 3, 4],
  ])
  expect(methods[0]?.flaky[1]?.trials).toEqual({
    passed: ['s/near|A|1', 's/near|A|2', 's/near|A|3'],
    failed: ['s/near|A|4'],
    missing: [],
  })
  expect(tasks(methods[1]?.flaky)).toEqual(['s/near'])
})

describe('a missing trial is not a failed one', () => {
  it.each([
    // Planned three times each.
    ['ppe', 'solves', 1],
    ['pp.', 'solves', 1],
    ['ffc', 'fails', 1],
    ['ffu', 'fails', 1],
    ['pfe', 'untestable', 1],
    ['pf.', 'untestable', 1],
    ['p..', 'untestable', 2],
    ['pec', 'untestable', 2],
    ['fuu', 'untestable', 2],
    ['eee', 'untestable', 3],
  ])('%s of three planned trials: %s', (letters, side, missing) => {
    const { pairs, methods } = flipsOf({ A: { 's/1': letters }, B: { 's/1': 'ppp' } }, 3)
    const [a] = methods
    const counts = { solves: a?.solved, fails: a?.failed, untestable: a?.untestable }
    expect(counts).toEqual({ solves: 0, fails: 0, untestable: 0, [side]: 1 })
    expect(a?.missing).toBe(missing)
    expect(pairs[0]?.untestable).toBe(side === 'untestable' ? 1 : 0)
    expect(pairs[0]?.onlyB).toHaveLength(side === 'fails' ? 1 : 0)
    expect(pairs[0]?.both).toBe(side === 'solves' ? 1 : 0)
  })

  it('a half of the planned trials decides nothing while one is missing', () => {
    const { methods } = flipsOf({ A: { 's/1': 'ppfe', 's/2': 'ppff' } }, 4)
    expect(methods[0]).toMatchObject({ ties: 1, untestable: 1, missing: 1 })
  })

  it('a task that one of the methods never ran is untestable, and flaky tasks count graded trials alone', () => {
    const { pairs, methods } = flipsOf({ A: { 's/1': 'pfe' }, B: { 's/2': 'pp.' } }, 3)
    expect(pairs[0]).toMatchObject({ both: 0, neither: 0, onlyA: [], onlyB: [], untestable: 2 })
    expect(pairs[0]).toMatchObject({ higherA: [], higherB: [] })
    expect(methods.map(({ missing }) => missing)).toEqual([4, 4])
    expect(methods[0]?.flaky).toMatchObject([
      { task: 's/1', passed: 1, graded: 2, missing: 1, trials: { missing: ['s/1|A|3'] } },
    ])
    expect(methods[0]?.repeated).toBe(1)
  })
})

it('a task has its suite and, if it states one, its cluster; the order of the records changes nothing', () => {
  const letters = { A: { 'x/1': 'p', 'y/1': 'f' }, B: { 'x/1': 'f', 'y/1': 'p' } }
  const flips = flipsOf(letters, 1, { 'x/1': 'django' })
  expect(flips.pairs[0]?.onlyA).toMatchObject([{ task: 'x/1', suite: 'x', cluster: 'django' }])
  expect(flips.pairs[0]?.onlyB[0]).not.toHaveProperty('cluster')
  const turned = { B: { 'y/1': 'p', 'x/1': 'f' }, A: { 'y/1': 'f', 'x/1': 'p' } }
  const { onlyA, onlyB } = flipsOf(turned, 1).pairs[0] ?? {}
  expect([tasks(onlyA), tasks(onlyB)]).toEqual([['y/1'], ['x/1']])
})

interface Board {
  simple: string
  reflexion: string
  both: number
  neither: number
  onlySimple: number[]
  onlyReflexion: number[]
}

describe('boards that were published', () => {
  const boards: Record<string, Board> = tableOf(import.meta.url, 'boards')

  it.each(Object.entries(boards))(
    '%s: the tasks that changed sides are those of an independent count',
    (_, board) => {
      const name = (place: number) => `b/${String(place).padStart(3, '0')}`
      const column = (solved: string) =>
        Object.fromEntries([...solved].map((one, place) => [name(place), one === '1' ? 'p' : 'f']))
      const { pairs } = flipsOf({ simple: column(board.simple), reflexion: column(board.reflexion) }, 1)
      const [pair] = pairs
      expect(tasks(pair?.onlyA)).toEqual(board.onlySimple.map(name))
      expect(tasks(pair?.onlyB)).toEqual(board.onlyReflexion.map(name))
      expect(pair).toMatchObject({ both: board.both, neither: board.neither, ties: [], untestable: 0 })
    },
  )
})
