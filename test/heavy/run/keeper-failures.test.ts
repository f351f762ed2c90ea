import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readRecords } from '../../../src/loop/record/records.ts'
import { readSessions } from '../../../src/loop/record/sessions.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { keptIn, textsIn } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type Trials, workOff } from '../../helpers/runs/session.ts'
import { agentOf, answerTask, strategyOf } from '../../helpers/runs/trial.ts'

const uuid = '01234567-89ab-cdef-0123-456789abcdef'
const task = answerTask({ editable: ['**'] }, { 'a.txt': 'one' })

/** Runs or resumes four trials that write one file. */
const session = (
  folder: string,
  keepWorkspaces: 'failed' | 'all' | 'none' = 'all',
  change: Partial<Trials> & { retryErrors?: boolean } = {},
) => {
  const strategy = strategyOf(async ({ ask, workspace }) => {
    const answer = await ask('solver', 'go')
    workspace.apply([{ path: 'b.txt', content: answer }])
    return { stopReason: 'done' as const, answer: answer }
  })
  const { retryErrors, ...trials } = change
  return workOff(
    { folder, mode: 'dev', epochs: 4, task, strategy, agent: agentOf(() => 'Answer: 42'), ...trials },
    { ...(retryErrors && { retryErrors }) },
    { keepWorkspaces },
  )
}

const recordedIn = (folder: string) => [...readRecords(folder)].map(({ trial }) => trial).sort()

/** Puts a program of this text in the place of git, for the rest of the test. */
function replaceGit(script: string): void {
  const bin = tempFolder()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  onTestFinished(keepEnvironment())
  process.env.PATH = `${bin}:${process.env.PATH}`
}

it.each([
  ['ends with an error', 'echo "fatal: No space left on device" >&2; exit 128', /No space left on device/],
  [
    'ends with an error after half of its work',
    'case "$*" in *fast-import*) exit 1;; esac; exec "$REAL_GIT" "$@"',
    /failed/,
  ],
  ['is killed', 'kill -9 $$', /git cannot write there/],
])(
  'where git %s, the run stops, says why, and keeps no half workspace; a resume does the rest',
  async (_, script, reason) => {
    const folder = tempFolder()
    const real =
      process.env.PATH?.split(':')
        .map((path) => join(path, 'git'))
        .find(existsSync) ?? ''
    replaceGit(script)
    process.env.REAL_GIT = real
    await expect(session(folder)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(reason) as string,
      problem: { where: join(folder, 'workspaces'), fix: expect.stringContaining('--resume') as string },
    })
    expect(keptIn(folder)).toEqual([])
    expect(recordedIn(folder)).toEqual([])
    replaceGit(`exec ${real} "$@"`)
    const { end } = await session(folder)
    expect(end).toMatchObject({ done: 4, interrupted: false })
    expect(keptIn(folder)).toEqual(recordedIn(folder))
  },
)

it('where the signal that ends bench ends git first, the trial is interrupted and has no record', async () => {
  const folder = tempFolder()
  replaceGit('kill -INT $$')
  const { end } = await session(folder)
  expect(end).toMatchObject({ done: 0, interrupted: true })
  expect(keptIn(folder)).toEqual([])
})

it('what a killed session left unfinished is removed at the next start, and whole workspaces stay', async () => {
  const folder = tempFolder()
  await session(folder)
  const whole = keptIn(folder)
  writeFileSync(join(folder, 'workspaces', whole[0] ?? '', 'files', 'mine.txt'), 'mine')
  const draft = join(folder, 'workspaces', `${whole[0]}.${uuid}`)
  mkdirSync(join(draft, 'repository', 'objects'), { recursive: true })
  writeFileSync(join(draft, 'half'), 'x')
  mkdirSync(join(folder, 'workspaces', 'my notes'))
  await session(folder)
  expect(keptIn(folder)).toEqual([...whole, 'my notes'])
  // A finished trial is not written again.
  expect(textsIn(join(folder, 'workspaces', whole[0] ?? '', 'files'))).toHaveProperty(['mine.txt'], 'mine')
})

it('a trial without a record is written again as a whole', async () => {
  const folder = tempFolder()
  await session(folder)
  const [first = ''] = [...readRecords(folder)].map(({ trial }) => trial)
  const place = join(folder, 'workspaces', first, 'files')
  writeFileSync(join(place, 'mine.txt'), 'mine')
  rmSync(join(place, 'b.txt'))
  const records = join(folder, 'records.jsonl')
  writeFileSync(records, readFileSync(records, 'utf8').split('\n').slice(1).join('\n'))
  await session(folder)
  expect(textsIn(place)).toEqual({ 'a.txt': 'one', 'b.txt': 'Answer: 42' })
  expect(keptIn(folder)).toEqual(recordedIn(folder))
})

it('a trial that passes when it is run again leaves no workspace of its failure, also where none are kept any more', async () => {
  for (const keep of ['failed', 'none'] as const) {
    const folder = tempFolder()
    const down = agentOf(({ trial }) =>
      trial.epoch === 2 ? { error: { reason: 'server', message: 'HTTP 503' } } : 'Answer: 42',
    )
    await session(folder, 'failed', { agent: down })
    expect(keptIn(folder)).toHaveLength(1)
    await session(folder, keep, { retryErrors: true })
    expect(keptIn(folder)).toEqual([])
    expect(recordedIn(folder)).toHaveLength(4)
  }
})

it('a link in the place of a workspace, or of their folder, is replaced and never followed', async () => {
  const elsewhere = tempFolder()
  mkdirSync(join(elsewhere, `abcdef012345.${uuid}`))
  writeFileSync(join(elsewhere, 'file'), 'mine')
  const folder = tempFolder()
  symlinkSync(elsewhere, join(folder, 'workspaces'))
  await session(folder)
  expect(readdirSync(elsewhere).sort()).toEqual([`abcdef012345.${uuid}`, 'file'])
  expect(keptIn(folder)).toEqual(recordedIn(folder))
  const unkept = tempFolder()
  symlinkSync(elsewhere, join(unkept, 'workspaces'))
  for (const trial of recordedIn(folder)) mkdirSync(join(elsewhere, trial))
  const names = readdirSync(elsewhere)
  await session(unkept, 'failed')
  expect(recordedIn(unkept)).toEqual(recordedIn(folder))
  expect(readdirSync(elsewhere)).toEqual(names)
  for (const trial of recordedIn(folder)) rmdirSync(join(elsewhere, trial))

  const [first = ''] = [...readRecords(folder)].map(({ trial }) => trial)
  rmSync(join(folder, 'workspaces', first), { recursive: true })
  symlinkSync(elsewhere, join(folder, 'workspaces', first))
  const records = join(folder, 'records.jsonl')
  writeFileSync(records, readFileSync(records, 'utf8').split('\n').slice(1).join('\n'))
  await session(folder)
  expect(readdirSync(elsewhere).sort()).toEqual([`abcdef012345.${uuid}`, 'file'])
  expect(textsIn(join(folder, 'workspaces', first, 'files'))).toEqual({
    'a.txt': 'one',
    'b.txt': 'Answer: 42',
  })
})

it('each session notes which workspaces it keeps, and one that keeps none by default notes nothing', async () => {
  const folder = tempFolder()
  await session(folder, 'failed')
  await session(folder, 'none')
  expect(readSessions(folder).map(({ keepWorkspaces }) => keepWorkspaces)).toEqual(['failed', 'none'])
  const plain = tempFolder()
  await workOff({
    ...{ folder: plain, mode: 'dev', epochs: 1, agent: agentOf(() => '42') },
    strategy: strategyOf(async () => ({ stopReason: 'done' })),
  })
  expect(readFileSync(join(plain, 'sessions.jsonl'), 'utf8')).not.toContain('keepWorkspaces')
})
