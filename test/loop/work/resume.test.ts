import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { lastState, setState } from '../../../src/loop/replay/set-state.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** Asks three times; the prompt of the second ask can be changed. */
const threeAsks = (second = 'two') =>
  strategyOf(async ({ ask }) => {
    for (const prompt of ['one', second, 'three']) await ask('solver', prompt)
    return { stopReason: 'done' }
  })

const counting = () => {
  const asked: string[] = []
  const agent = agentOf(({ prompt, trial }) => {
    asked.push(trial.key)
    return `reply to ${prompt.slice(-5)}. Answer: 42`
  })
  return { asked, agent }
}

/** Cuts the journal off after a number of steps, as a crash does. */
function crashAfter(folder: string, steps: number): void {
  const path = join(folder, 'steps.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(
    path,
    lines
      .slice(0, steps)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

const lostOf = (steps: readonly Step[]) => steps.filter((step) => step.kind === 'ask' && step.maybePaid)

it('a resumed trial takes its steps from the journal, asks only the rest, and gets the same record', async () => {
  const first = counting()
  const whole = await playTrial({ agent: first.agent, strategy: threeAsks() })
  for (const steps of [0, 1, 2, 3]) {
    const folder = tempFolder()
    writeFileSync(join(folder, 'steps.jsonl'), readFileSync(join(whole.folder, 'steps.jsonl')))
    crashAfter(folder, steps)
    const again = counting()
    const resumed = await playTrial({ agent: again.agent, strategy: threeAsks(), folder })
    expect(again.asked).toEqual(['#0', '#1', '#2'].slice(steps))
    expect({ ...resumed.record, wall: 0 }).toEqual({ ...whole.record, wall: 0 })
  }
})

it('a request that differs on resume voids the later steps, is reported with both texts, and stays in the ledger', async () => {
  const first = await playTrial({ agent: counting().agent, strategy: threeAsks() })
  const again = counting()
  const resumed = await playTrial({
    agent: again.agent,
    strategy: threeAsks('another'),
    folder: first.folder,
  })
  expect(again.asked).toEqual(['#1', '#2'])
  expect(resumed.divergences).toHaveLength(1)
  expect(resumed.divergences[0]).toMatch(/step #1.*two.*another/s)
  expect(resumed.record.spent.calls).toBe(3)
  expect(resumed.steps.filter(({ kind }) => kind === 'ask')).toHaveLength(5)
  // Void steps are not used again.
  const third = counting()
  await playTrial({ agent: third.agent, strategy: threeAsks('another'), folder: first.folder })
  expect(third.asked).toEqual([])
})

it('a replay ends at the first divergence, calls no agent, and reports unused steps', async () => {
  const first = await playTrial({ agent: counting().agent, strategy: threeAsks() })
  const again = counting()
  const replay = (strategy: ReturnType<typeof threeAsks>) =>
    playTrial({ agent: again.agent, strategy, folder: first.folder, replay: true })
  expect((await replay(threeAsks())).divergences).toEqual([])
  expect((await replay(threeAsks('another'))).divergences[0]).toMatch(/the request differs/)
  const shorter = strategyOf(async ({ ask }) => {
    await ask('solver', 'one')
    return { stopReason: 'done' }
  })
  expect((await replay(shorter)).divergences.join()).toMatch(/step #1.*not requested now/s)
  const longer = strategyOf(async (context) => {
    await threeAsks().run(context)
    await context.ask('solver', 'four')
    return { stopReason: 'done' }
  })
  expect((await replay(longer)).divergences[0]).toMatch(/step #3.*has no such step/s)
  expect(again.asked).toEqual([])
})

it('a paid call whose result was lost is reported and made once more', async () => {
  const setting = { agent: agentOf(() => 'Answer: 42', { paid: true }), strategy: threeAsks() }
  const whole = await playTrial(setting)
  // The intent of the second ask is the last line.
  crashAfter(whole.folder, 3)
  const resumed = await playTrial({ ...setting, folder: whole.folder })
  expect(lostOf(resumed.steps)).toMatchObject([{ key: '#1', payer: 'void', costUsd: null }])
  expect({ ...resumed.record, wall: 0 }).toEqual({ ...whole.record, wall: 0 })
  const third = await playTrial({ ...setting, folder: whole.folder })
  expect(lostOf(third.steps)).toHaveLength(1)
})

it('edits in an agent’s folder are kept as a change set with blobs, and resume without the folder', async () => {
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'a.txt': 'old\n', 'gone.txt': 'x\n' })
  const folders: string[] = []
  const editing = agentOf(async ({ workspace }) => {
    const folder = await workspace.folder()
    folders.push(folder)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old\n')
    writeFileSync(join(folder, 'a.txt'), 'new\n')
    writeFileSync(join(folder, 'b.bin'), Buffer.from([0xff, 0xfe, 0x00]))
    rmSync(join(folder, 'gone.txt'))
    return 'done'
  })
  const strategy = strategyOf(async ({ ask, workspace }) => {
    await ask('solver', 'go')
    expect(workspace.list()).toEqual(['a.txt'])
    expect(workspace.read('a.txt')).toBe('new\n')
    return { stopReason: 'done' }
  })
  const first = await playTrial({ agent: editing, strategy, task })
  expect(first.record.outcome.status).toBe('completed')
  expect(first.steps[0]).toMatchObject({
    changeSet: {
      source: 'folder',
      changes: [
        { path: 'a.txt', after: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { path: 'gone.txt', after: null },
      ],
      rejected: [{ path: 'b.bin', reason: 'is no UTF-8 text' }],
    },
  })
  expect(folders.map((folder) => existsSync(folder))).toEqual([false])
  expect(readdirSync(join(first.folder, 'blobs'))).toHaveLength(1)
  const replayed = await playTrial({ agent: editing, strategy, task, folder: first.folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(replayed.record.delivered).toBe(first.record.delivered)
})

it('edits in the folder of an agent that was cut off are dropped', async () => {
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'a.txt': 'old\n' })
  const agent = agentOf(async ({ workspace }) => {
    writeFileSync(join(await workspace.folder(), 'a.txt'), 'half')
    return { error: { reason: 'exit' as const, message: 'killed' } }
  })
  const strategy = strategyOf(async ({ ask, workspace }) => {
    await ask('solver', 'go').catch(() => {})
    expect(workspace.read('a.txt')).toBe('old\n')
    return { stopReason: 'done' }
  })
  expect((await playTrial({ agent, strategy, task })).record.outcome.status).toBe('completed')
})

it('texts over 64 KiB are kept in blobs and resume from them', async () => {
  const long = `${'x'.repeat(70_000)} Answer: 42`
  const strategy = strategyOf(async ({ ask }) => {
    expect(await ask('solver', 'one')).toBe(long)
    return { stopReason: 'done', state: { kept: long } }
  })
  const first = await playTrial({ agent: agentOf(() => long), strategy })
  expect(readFileSync(join(first.folder, 'steps.jsonl'), 'utf8').length).toBeLessThan(5000)
  expect(JSON.stringify(first.record).length).toBeLessThan(5000)
  expect(first.steps[0]).toMatchObject({ reply: long })
  const again = counting()
  expect((await playTrial({ agent: again.agent, strategy, folder: first.folder })).record.passed).toBe(true)
  expect(again.asked).toEqual([])
})

const looping = strategyOf(async ({ ask, checkpoint }) => {
  const state = { round: 0, rounds: 3, hint: '' }
  while (state.round < state.rounds) {
    state.round++
    Object.assign(state, await checkpoint(state))
    await ask('solver', `round ${state.round} ${state.hint}`)
  }
  return { stopReason: 'done', state: { ...state } }
})

it('a resumed method continues from the state that a person has set', async () => {
  const first = await playTrial({ agent: counting().agent, strategy: looping })
  const { folder } = first
  crashAfter(folder, 4) // state, ask, state, ask; the third round is lost
  const blobs = openBlobs(join(folder, 'blobs'))
  expect(lastState(folder, first.record.trial, blobs)?.state).toEqual({ round: 2, rounds: 3, hint: '' })
  setState(folder, first.record.trial, { rounds: 2, hint: 'be brief' }, blobs)

  const again = counting()
  const resumed = await playTrial({ agent: again.agent, strategy: looping, folder })
  expect(again.asked).toEqual(['#3'])
  expect(resumed.record).toMatchObject({
    interventions: 1,
    state: { round: 2, rounds: 2, hint: 'be brief' },
    spent: { calls: 2 },
  })
  expect(resumed.divergences).toEqual([])
  const replayed = await playTrial({ agent: again.agent, strategy: looping, folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect({ ...replayed.record, wall: 0 }).toEqual({ ...resumed.record, wall: 0 })
})

it('setting a state rejects an unknown field, a trial without a state, and an ended trial', async () => {
  const { folder, record } = await playTrial({ agent: counting().agent, strategy: looping })
  const blobs = openBlobs(join(folder, 'blobs'))
  expect(() => setState(folder, record.trial, { rond: 1 }, blobs)).toThrow(
    /has no field rond.*round, rounds, hint/s,
  )
  expect(() => setState(folder, 'nobody', { round: 1 }, blobs)).toThrow(/no state/)
  writeFileSync(join(folder, 'records.jsonl'), `${JSON.stringify(record)}\n`)
  expect(() => setState(folder, record.trial, { round: 1 }, blobs)).toThrow(/has ended/)
})
