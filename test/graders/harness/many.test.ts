import { expect, it } from 'vitest'
import { joinedTo } from '../../helpers/graders/joined.ts'

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
