import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outcomesOf, rogueFile } from '../../helpers/machine/rogue.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, recordsOf, stepsOf } from '../../helpers/runs/cli.ts'

it('a scripted agent that throws unawaited ends only its own trial, also in the middle of a call', async () => {
  const folder = tempFolder()
  const agent = join(folder, 'loose.mjs')
  writeFileSync(
    agent,
    `export const paid = true
    export default ({ trial }) => {
      if (trial.epoch === 2) setTimeout(() => { throw new Error('out of the blue') }, 5)
      return trial.epoch === 2 ? new Promise(() => {}) : 'Answer: 1'
    }`,
  )
  const run = join(folder, 'run')
  const plan = [
    '--tasks',
    'lamp-paths',
    '--mode',
    'live',
    '--methods',
    'baseline',
    '--epochs',
    '3',
    '--agents',
    `scripted:${agent}`,
  ]
  expect((await bench([...plan, '--parallel', '3', '--quiet', '--out', run])).code).toBe(1)
  const outcomes = recordsOf(run).map(({ epoch, outcome }) => [epoch, outcome.status, outcome.reason])
  expect(outcomes.sort()).toEqual([
    [1, 'completed', ''],
    [2, 'error', `agent scripted:${agent} of method baseline threw where nobody awaited it: out of the blue`],
    [3, 'completed', ''],
  ])
  // The call may have been paid; its result is lost.
  expect(stepsOf(run).filter(({ payer }) => payer === 'void')).toMatchObject([
    { kind: 'ask', maybePaid: true },
  ])
  expect((await bench(['show', run])).code).toBe(0)
  expect(await bench(['replay', run])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
})

it('replay repeats what other branches did before one broke their trial', async () => {
  const folder = tempFolder()
  const agent = join(folder, 'agent.mjs')
  writeFileSync(
    agent,
    `export default ({ prompt }) => {
      if (!prompt.includes('slow')) return 'quick'
      setTimeout(() => { throw new Error('out of the blue') }, 300)
      return new Promise(() => {})
    }`,
  )
  const method = rogueFile(
    folder,
    `await Promise.all([
      branch('slow', ({ ask }) => ask('solver', 'slow')),
      branch('quick', async ({ ask }) => { for (const i of [1, 2, 3]) await ask('solver', 'quick ' + i) }),
    ])`,
  )
  const run = join(folder, 'run')
  const plan = ['--tasks', 'lamp-paths', '--methods', method, '--agents', `scripted:${agent}`]
  expect((await bench([...plan, '--quiet', '--out', run])).code).toBe(1)
  expect(stepsOf(run).filter(({ kind, payer }) => kind === 'ask' && payer === 'method')).toHaveLength(3)
  expect(outcomesOf(run)).toEqual(['rogue error'])
  expect(await bench(['replay', run])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
})

it.each([
  ['no limit', []],
  ['a limit of calls', ['--max-calls', '9']],
  ['a limit of time', ['--max-time', '60']],
])(
  'a scripted agent that never replies is blamed instead of the method, and its call is kept, under %s',
  async (_, limits) => {
    const folder = tempFolder()
    const agent = join(folder, 'hang.mjs')
    const write = (reply: string) =>
      writeFileSync(agent, `export const paid = true; export default async () => ${reply}`)
    write('new Promise(() => {})')
    const run = join(folder, 'run')
    const plan = [
      '--tasks',
      'lamp-paths',
      '--mode',
      'live',
      '--methods',
      'baseline,best-of[n=2]',
      '--agents',
      `scripted:${agent}`,
    ]
    const { code, stderr } = await bench([...plan, ...limits, '--quiet', '--out', run])
    expect(code).toBe(1)
    expect(stderr).not.toContain('ended the process')
    const reason = `agent scripted:${agent} as "solver": its reply never came: nothing is left in the process that could bring it`
    expect(recordsOf(run).map(({ outcome, passed }) => ({ ...outcome, passed }))).toEqual(
      [1, 2].map(() => ({ status: 'error', reason, passed: null })),
    )
    const asked = stepsOf(run).filter(({ kind }) => kind === 'ask')
    expect(asked).toHaveLength(3)
    for (const call of asked) expect(call).toMatchObject({ payer: 'void', maybePaid: true, costUsd: null })
    expect(readFileSync(join(run, 'sessions.jsonl'), 'utf8')).toContain('"type":"end"')
    expect(await bench(['replay', run])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no divergence'),
    })

    write("'Answer: 1'")
    expect((await bench(['--resume', run, '--retry-errors', '--accept-changes', '--quiet'])).code).toBe(0)
    expect(outcomesOf(run)).toEqual(['baseline completed', 'best-of[n=2] completed'])
  },
)
