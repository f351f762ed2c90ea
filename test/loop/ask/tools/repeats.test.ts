import { expect, it } from 'vitest'
import { countRepeats } from '../../../../src/loop/ask/tools/repeats.ts'

/** Makes calls, and returns which of them were refused. */
function refusals(calls: readonly (readonly [same: string, server: string | undefined, answer: string])[]) {
  const repeats = countRepeats()
  return calls.map(([same, server, answer]) => {
    const isRepeated = repeats.isRepeated({ same, server })
    if (!isRepeated) repeats.add({ same, server }, answer)
    return isRepeated
  })
}

it('a call without a server is refused after two, whatever comes between', () => {
  const calls = ['a', 'a', 'b', 'a', 'b', 'b', 'c'].map((same) => [same, undefined, 'x'] as const)
  expect(refusals(calls)).toEqual([false, false, false, true, false, true, false])
})

it('a call of a server with a state is made as long as its answers differ', () => {
  const calls = ['0', '1', '2', '3', '4'].map((answer) => ['count', 'notes', answer] as const)
  expect(refusals(calls)).not.toContain(true)
})

it('a call of a server with a state is made again after another call of the server, but not after one of another server', () => {
  const poll = ['status', 'jobs', 'running'] as const
  const other = ['add', 'jobs', 'done'] as const
  const elsewhere = ['count', 'notes', '1'] as const
  expect(refusals([poll, poll, poll, other, poll, poll, poll])).toEqual([
    ...[false, false, true],
    ...[false, false, false, true],
  ])
  expect(refusals([poll, poll, elsewhere, poll])).toEqual([false, false, false, true])
})

it('polling a server with a state begins anew when its answer changes', () => {
  const poll = (answer: string) => ['status', 'jobs', answer] as const
  const calls = [poll('running'), poll('done'), poll('done'), poll('done')]
  expect(refusals(calls)).toEqual([false, false, false, true])
})
