import { expect, it } from 'vitest'
import { joinedTo } from '../../helpers/graders/joined.ts'

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
