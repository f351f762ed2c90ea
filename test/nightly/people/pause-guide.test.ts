import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Asker,
  liveArgs,
  runAsker,
  startAsker,
  writeAsker,
} from '../../helpers/fanout/asking-strategy.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, stepsOf, until, wholeLines } from '../../helpers/runs/cli.ts'

const lastSession = (folder: string) => JSON.parse(wholeLines(join(folder, 'sessions.jsonl')).at(-1) ?? '{}')
const trialOf = (folder: string) => stepsOf(folder)[0]?.trial ?? ''
const promptsOf = (folder: string) =>
  stepsOf(folder).flatMap((step) => (step.kind === 'ask' ? [/Round \d\.[\s\S]*/.exec(step.prompt)?.[0]] : []))

/** Runs into the first round of each trial that begins, and pauses there. */
async function pausedAfterOneRound(asker: Asker) {
  const running = startAsker(asker, asker.args, asker.gate)
  await until(() => running.isOver() || asker.rounds().length > 0)
  const told = await bench(['pause', asker.folder])
  asker.openRound(1)
  return { told, paused: await running.ended }
}

describe.each([
  ['dev mode', []],
  ['live mode', liveArgs],
])('in %s', (_, mode) => {
  it('bench pause stops each trial at its next checkpoint with exit code 4; the resumed run does nothing twice', async () => {
    const asker = writeAsker('[rounds=3,asks=false]', [...mode, '--parallel', '1', '--epochs', '2'])
    const { folder } = asker
    const { told, paused } = await pausedAfterOneRound(asker)
    expect(told).toMatchObject({ code: 0 })
    expect(told.stderr).toMatch(/next checkpoint; a method without checkpoints ends its trial first/)
    expect(paused).toMatchObject({ code: 4, stdout: '' })
    expect(paused.stderr).toContain(`paused after 0 of 2 trials. Resume with: bench run --resume ${folder}`)
    expect(lastSession(folder)).toMatchObject({ reason: 'paused' })
    expect(asker.rounds()).toEqual(['round 1'])
    await refused(['pause', folder], ['no bench is working on this run, so there is nothing to pause'])

    expect(await runAsker(asker, ['--resume', folder, '--quiet'])).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'pause'))).toBe(false)
    expect(promptsOf(folder).filter((prompt) => prompt?.startsWith('Round 1.'))).toHaveLength(2)
    expect(recordsOf(folder).filter(({ people }) => people)).toEqual([])
    expect(await benchOk(['replay', folder], { cwd: asker.cwd })).toContain('no divergence')
  })

  it('bench guide reaches a paused trial once, at the checkpoint where it stands, also across kill -9', async () => {
    const asker = writeAsker('[rounds=3,asks=false]', mode)
    const { folder } = asker
    await pausedAfterOneRound(asker)
    const trial = trialOf(folder)
    expect(await bench(['guide', folder, trial, 'work', 'Be brief.'])).toMatchObject({ code: 0 })
    expect(await bench(['guide', folder, trial.slice(0, 8), 'work', 'And kind.'])).toMatchObject({ code: 0 })
    const killed = await runAsker(asker, ['--resume', folder], { ASKER_DIES: 'checkpoint 2' })
    expect(killed.signal).toBe('SIGKILL')
    expect(await runAsker(asker, ['--resume', folder, '--quiet'])).toMatchObject({ code: 0 })
    // The strategy keeps what it was told in its state.
    const told = 'Be brief.\nAnd kind. '
    expect(promptsOf(folder)).toEqual(['Round 1.  ', `Round 2. ${told}`, `Round 3. ${told}`])
    expect(recordsOf(folder)[0]).toMatchObject({
      interventions: 2,
      people: { approvals: 0, guidance: 2, sets: 0 },
      state: { guidance: { work: 'Be brief.\nAnd kind.', check: '' } },
    })
    expect(await benchOk(['replay', folder], { cwd: asker.cwd })).toContain('no divergence')
    expect(await benchOk(['show', folder, trial])).toMatch(
      /guided by a person[\s\S]*guidance for work[\s\S]*Be brief\./,
    )
    await refused(['guide', folder, trial, 'work', 'More.'], ['the trial has ended'])
  })
})

it('bench guide reaches a running trial at its next checkpoint, and many may speak at the same time', async () => {
  const asker = writeAsker('[rounds=3,asks=false]', liveArgs)
  const { folder } = asker
  asker.openRound(1)
  const running = startAsker(asker, asker.args, asker.gate)
  await until(() => running.isOver() || asker.rounds().length > 1)
  const trial = trialOf(folder)
  const words = ['one', 'two', 'three', 'four', 'five', 'six']
  const said = await Promise.all(
    words.map((word) => runAsker(asker, ['guide', folder, trial, 'check', word])),
  )
  expect(said.map(({ code }) => code)).toEqual(words.map(() => 0))
  asker.openRound(2)
  asker.openRound(3)
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(recordsOf(folder)[0]).toMatchObject({ interventions: 6 })
  const [, second = '', third = ''] = promptsOf(folder)
  expect(second.trim()).toBe('Round 2.')
  expect(third.replace('Round 3.', '').trim().split('\n').sort()).toEqual(words.toSorted())
})

it('bench guide refuses an unknown state, an empty text, an unknown trial, and a method without guidance', async () => {
  const asker = writeAsker('[rounds=2,asks=false]')
  const { folder } = asker
  await pausedAfterOneRound(asker)
  const trial = trialOf(folder)
  await refused(argv`guide ${folder} ${trial} worc ${'Be brief.'}`, [
    /there is no state of asker.* "worc"/,
    'Did you mean "work"?',
  ])
  await refused(['guide', folder, trial, 'work', ' '], ['the text is empty'])
  await refused(['guide', folder, 'zzz', 'work', 'Be brief.'], ['no trial has an id that starts with this'])
  expect(existsSync(join(folder, 'people.jsonl'))).toBe(false)

  const without = writeAsker('[rounds=2,asks=false,guided=false]')
  await pausedAfterOneRound(without)
  const other = trialOf(without.folder)
  await refused(argv`guide ${without.folder} ${other} work ${'Be brief.'}`, [
    /the method asker.* takes no guidance/,
  ])
})

it('a method with a machine takes guidance for the states of its machine', async () => {
  const asker = writeAsker('', liveArgs)
  const { cwd, folder } = asker
  const machine = '{ states: { draft: { type: single }, review: { type: human-approval } } }'
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `methods:\n  own:\n    strategy: ./asker.mjs\n    options: { rounds: 2, asks: false, machine: ${machine} }\n`,
  )
  const running = startAsker(
    asker,
    asker.args.map((word) => (word === join(cwd, 'asker.mjs') ? 'own' : word)),
    asker.gate,
  )
  await until(() => running.isOver() || asker.rounds().length > 0)
  await bench(['pause', folder])
  asker.openRound(1)
  const { stderr } = await running.ended
  expect(stderr).toContain('own can ask a person')
  const trial = trialOf(folder)
  await refused(argv`guide ${folder} ${trial} work ${'Be brief.'}`, [
    /no state of own "work"/,
    'Known: draft, review.',
  ])
  expect(await bench(['guide', folder, trial, 'review', 'Be strict.'])).toMatchObject({ code: 0 })
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 0 })
  expect(recordsOf(folder)[0]?.state).toMatchObject({
    guidance: { work: '', check: '', review: 'Be strict.' },
  })
})
