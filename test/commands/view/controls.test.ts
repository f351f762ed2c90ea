import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ownLockText } from '../../../src/loop/record/lock.ts'
import { appendPeopleLine, readPeople } from '../../../src/loop/record/people-file.ts'
import { richRun } from '../../helpers/exports/rich-run.ts'
import { record } from '../../helpers/runs/run-files.ts'
import { viewerOf } from '../../helpers/servers/viewer.ts'
import { hostile } from '../../reports/html/page-sample.ts'

const asks = {
  ...{ type: 'waits' as const, trial: 'b1b2b3', key: '#0', hash: 'h', at: '2026-01-01T00:00:00.000Z' },
  ...{ task: 'suite/task', method: 'baseline', epoch: 1, question: `Go on? ${hostile[0]}` },
  show: [{ path: 'draft.md', text: 'A first draft.' }],
}

/** A run in which a trial waits, and a server on it. */
async function waitingRun(control = true) {
  const run = richRun({ trials: 2 }, { recorded: [record('a')], steps: [] })
  appendPeopleLine(run, asks)
  const viewer = await viewerOf(dirname(run), { control })
  const send = async (deed: string, form: Record<string, string>) =>
    viewer.post(`/runs/run/${deed}`, { control: await viewer.controlOf('/runs/run'), ...form })
  return { run, viewer, send }
}

it('a question of a trial stands on the page of its run, and an answer is noted for the run to take', async () => {
  const { run, viewer, send } = await waitingRun()
  const { text } = await viewer.get('/runs/run')
  expect(text).toContain('Go on? &#60;/script&#62;')
  expect(text).toContain('A first draft.')
  expect((await send('approve', { trial: asks.trial, answer: 'yes', text: '' })).status).toBe(303)
  const lines = await readPeople(run)
  expect(lines.at(-1)).toMatchObject({ type: 'answer', trial: asks.trial, hash: 'h', decision: 'approved' })
  expect((await send('approve', { trial: asks.trial, text: 'Shorten the ending.' })).status).toBe(303)
  expect((await readPeople(run)).at(-1)).toMatchObject({
    decision: 'feedback',
    feedback: 'Shorten the ending.',
  })
})

it('without --control a question is shown, and no form', async () => {
  const { viewer } = await waitingRun(false)
  const { text } = await viewer.get('/runs/run')
  expect(text).toContain('A first draft.')
  expect(text).not.toContain('method="post"')
})

it('a run that works is paused by the page; one that does not says what to do', async () => {
  const { run, send } = await waitingRun()
  const refused = await send('pause', {})
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('no bench is working on this run, so there is nothing to pause')
  writeFileSync(join(run, 'lock'), ownLockText(0))
  expect((await send('pause', {})).status).toBe(303)
  expect(existsSync(join(run, 'pause'))).toBe(true)
})

it('what a run does not take is refused with the words of the command, and nothing is noted', async () => {
  const { run, send } = await waitingRun()
  const before = await readPeople(run)
  for (const [deed, form, words] of [
    ['approve', { trial: asks.trial, text: ' ' }, 'has no answer'],
    ['approve', { answer: 'yes' }, 'names no trial'],
    ['approve', { trial: 'zzz', answer: 'yes' }, 'no trial that waits for a person'],
    ['guide', { trial: 'zzz', state: 's', text: 't' }, 'no trial has an id that starts with this'],
  ] as const) {
    const { status, text } = await send(deed, form)
    expect([deed, status]).toEqual([deed, 400])
    expect(text).toContain(words)
  }
  expect(await readPeople(run)).toEqual(before)
  expect((await send('erase', {})).status).toBe(404)
})
