import { expect, it } from 'vitest'

const load = (name: string) =>
  import(new URL(`../../../src/graders/harness/node/${name}`, import.meta.url).href)
const { createLink } = await load('link.mjs')

/** Connects tests and a module of the solution in this process. Returns the module as the tests see it. */
function joinedTo<Module extends object>(module: Module): Module {
  const tests: string[] = []
  const solution: string[] = []
  const join = (parity: 0 | 1, inbox: string[], outbox: string[], other: () => { receive(): unknown }) =>
    createLink({
      side: parity === 0 ? 'solution' : 'tests',
      channel: {
        write: (line: string) => outbox.push(line),
        read() {
          while (inbox.length === 0) other().receive()
          return inbox.shift()
        },
      },
      answers: { load: (_: unknown, reply: (work: () => unknown) => void) => reply(() => module) },
      ended: () => undefined,
      confused: (error: Error) => {
        throw error
      },
      sent: () => undefined,
    })
  const answering = join(0, solution, tests, () => asking)
  const asking = join(1, tests, solution, () => answering)
  return asking.ask('load')
}

class List<T> extends Array<T> {
  first() {
    return this[0]
  }
}
class Lru<K, V> extends Map<K, V> {
  override set(key: K, value: V) {
    this.delete(key)
    super.set(key, value)
    if (this.size > 2) this.delete([...this.keys()][0] as K)
    return this
  }
}
class Tags extends Set<string> {
  override add(tag: string) {
    return super.add(tag.toLowerCase())
  }
}
class Pairs extends Map<number, number> {
  override [Symbol.iterator](): never {
    throw new Error('not this way')
  }
}
class Clock extends Date {
  override getTime() {
    return super.getTime() + 1
  }
}
class Bytes extends Uint8Array {}

it('the harness sends instances of classes that extend an array', () => {
  const there = joinedTo({ List, listOf: (...items: number[]) => List.from(items) })
  const made = new there.List<number>()
  made.push(3, 4)
  expect([made.first(), made.length, made instanceof there.List]).toEqual([3, 2, true])
  expect(there.listOf(1, 2).map((item) => 2 * item)).toEqual(List.of(2, 4))
})

it('the harness sends instances of classes that override how a builtin is read or changed', () => {
  const there = joinedTo({ Lru, Tags, Pairs, Clock, Bytes })
  const lru = new there.Lru<number, number>()
  lru.set(1, 1).set(2, 2).set(1, 3).set(4, 4)
  expect([...lru]).toEqual([
    [1, 3],
    [4, 4],
  ])
  const tags = new there.Tags()
  tags.add('A').add('b')
  expect([...tags]).toEqual(['a', 'b'])
  const pairs = new there.Pairs([[1, 2]])
  expect([pairs.set(3, 4).get(3), pairs.size]).toEqual([4, 2])
  const clock = new there.Clock(5)
  clock.setTime(9)
  expect([clock.getTime(), clock.valueOf()]).toEqual([10, 9])
  expect([...new there.Bytes([1, 2])]).toEqual([1, 2])
})

it('the harness sends arrays with properties named like array methods', () => {
  const given = Object.assign([1, 2], { slice: () => [], constructor: 'mine', forEach: 0 })
  const there = joinedTo({ change: (list: unknown[]) => list.push(3) })
  there.change(given)
  expect([...given]).toEqual([1, 2, 3])
})

interface Item {
  rank: number
}
const items = (count: number): Item[] => Array.from({ length: count }, (_, at) => ({ rank: count - at }))
const ranks = (list: Item[]) => list.map(({ rank }) => rank)
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

it("the harness applies a call's changes to its arguments, however large they are", () => {
  const there = joinedTo({
    sort: (list: Item[]) => list.sort((a, b) => a.rank - b.rank),
    raise(list: Item[]) {
      for (const item of list) item.rank++
    },
    drop(state: { count: number; items: Item[] }) {
      state.items.pop()
      state.count++
    },
  })
  for (const count of [199, 200, 201, 1000]) {
    const list = items(count)
    there.sort(list)
    expect(ranks(list)).toEqual(upTo(count))
    there.raise(list)
    expect(ranks(list)).toEqual(upTo(count + 1).slice(1))
    const state = { count: 0, items: list }
    there.drop(state)
    expect([state.count, state.items.length]).toEqual([1, count - 1])
  }
})

it('the harness applies changes that a call made after calling back', () => {
  const there = joinedTo({
    keep(list: Item[], wanted: (rank: number) => boolean) {
      let kept = 0
      for (const item of list) if (wanted(item.rank)) list[kept++] = item
      list.length = kept
    },
  })
  const list = items(250)
  there.keep(list, (rank) => rank % 2 === 0)
  expect(ranks(list)).toEqual(ranks(items(250)).filter((rank) => rank % 2 === 0))
})

it('the harness sends changes made on this side, however large the object is', () => {
  const there = joinedTo({ ranks })
  const list = items(1000)
  there.ranks(list)
  list.reverse()
  ;(list[999] as Item).rank = 0
  expect(there.ranks(list)).toEqual([...upTo(999), 0])
})
