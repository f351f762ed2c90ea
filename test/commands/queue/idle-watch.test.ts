import { expect, it } from 'vitest'
import { createIdleWatch } from '../../../src/commands/queue/watch-blocks.ts'

it('a coordinator says once that no worker is at work, when blocks have waited for 30 s', () => {
  let [now, told] = [0, 0]
  const watch = createIdleWatch(
    () => told++,
    () => now,
  )
  const at = (seconds: number, isIdle: boolean) => {
    now = seconds * 1000
    watch(isIdle)
    return told
  }
  expect([at(0, true), at(29, true), at(29.5, false), at(31, true), at(60, true)]).toEqual([0, 0, 0, 0, 0])
  expect([at(61, true), at(200, true), at(201, false), at(300, true)]).toEqual([1, 1, 1, 1])
})
