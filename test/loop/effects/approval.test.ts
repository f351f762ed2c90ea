import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TrialState } from '../../../src/loop/branch/trial-state.ts'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { openPeople } from '../../../src/loop/record/people.ts'
import { appendPeopleLine, readPeopleLines } from '../../../src/loop/record/people-file.ts'
import { voidTrials } from '../../../src/loop/record/repair.ts'
import { lastState, setState } from '../../../src/loop/replay/set-state.ts'
import type { ApproveOptions } from '../../../src/strategy.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const agent = agentOf(() => 'Answer: 42')
const abort = { policy: { policy: 'abort' } } as const
const park = { policy: { policy: 'park' } } as const
const peopleIn = (folder: string) =>
  openPeople(folder, {
    assertWritable: () => {},
    onError: (error) => {
      throw error
    },
  })

/** A strategy that asks once, and says what it was answered. */
const asking = (options?: ApproveOptions) =>
  strategyOf(async ({ approve }) => ({ stopReason: 'done', state: { ...(await approve('Good?', options)) } }))

it('an abort cancels the trial, or is returned to a method that wants to end by itself', async () => {
  const cancelled = await playTrial({ agent, strategy: asking(), approvals: abort })
  expect(cancelled.record.outcome.status).toBe('cancelled')
  const running: TrialState[] = []
  let aborted: string | undefined
  const strategy = strategyOf(async ({ approve }) => {
    const { decision } = await approve('Good?', { onAbort: 'return' })
    aborted = running[0]?.people.aborted
    return { stopReason: 'halted', detail: decision }
  })
  const { record } = await playTrial({ agent, strategy, approvals: abort, running })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, detail: 'abort' })
  expect(aborted).toBe('Good?')
})

it.each([
  ['texts that are no texts', { show: { 'a.md': 3 } }, /the text of a\.md/],
  ['a list', { show: ['a.md'] }, /show must be a plain object/],
  ['an unknown onAbort', { onAbort: 'stop' }, /onAbort must be 'cancel' or 'return'/],
])('approve() with %s is the error of the method', async (_, options, message) => {
  const { record } = await playTrial({ agent, strategy: asking(options as ApproveOptions) })
  expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringMatching(message) })
})

it('an answer is for one question with its texts, and no rerun of the trial takes it again', async () => {
  const folder = tempFolder()
  const play = (strategy = asking({ show: { 'a.md': 'one' } })) =>
    playTrial({ agent, strategy, folder, approvals: park, people: peopleIn(folder) })
  await expect(play()).rejects.toThrow('interrupted')
  const [waits] = readPeopleLines(folder)
  if (waits?.type !== 'waits') throw new Error('no question')
  const { trial, key, hash } = waits
  const answer = { decision: 'approved', feedback: '', at: '' } as const
  appendPeopleLine(folder, { type: 'answer', id: 'first', trial, key, hash, ...answer })
  // The same question with another text is another question.
  await expect(play(asking({ show: { 'a.md': 'two' } }))).rejects.toThrow('interrupted')
  expect((await play()).record).toMatchObject({ people: { approvals: 1 }, state: { decision: 'approved' } })
  await voidTrials(folder, new Map([[trial, 'it ended in error']]))
  await expect(play()).rejects.toThrow('interrupted')
})

it('guidance and a set state act on one checkpoint: guidance is added, then the field is set', async () => {
  const folder = tempFolder()
  const strategy = strategyOf(async ({ ask, checkpoint }) => {
    const state = await checkpoint({ guidance: { work: 'Old.' }, limit: 1 })
    await ask('solver', 'go')
    return { stopReason: 'done', state }
  })
  const { record } = await playTrial({ agent, strategy, folder })
  appendPeopleLine(folder, {
    type: 'guidance',
    id: 'g',
    trial: record.trial,
    state: 'work',
    text: 'New.',
    at: '',
  })
  const blobs = openBlobs(join(folder, 'blobs'))
  setState(folder, record.trial, { limit: 2 }, blobs)
  const resumed = await playTrial({ agent, strategy, folder, people: peopleIn(folder) })
  expect(resumed.record).toMatchObject({
    interventions: 2,
    people: { approvals: 0, guidance: 1, sets: 1 },
    state: { guidance: { work: 'Old.\nNew.' }, limit: 2 },
  })
  expect(lastState(folder, record.trial, blobs)).toMatchObject({ set: { limit: 2 }, guidance: [{ id: 'g' }] })
  const replayed = await playTrial({ agent, strategy, folder, replay: true })
  expect({ ...replayed.record, wall: 0 }).toEqual({ ...resumed.record, wall: 0 })
})
