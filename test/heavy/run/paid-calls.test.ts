import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { familySetting } from '../../helpers/agents/wire-families.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, intentsOf, recordsOf, startBench, stepsOf, until } from '../../helpers/runs/cli.ts'
import type { Script } from '../../model-server/script.ts'

const text = 'Answer: 42. {"approved": true}'
const slow = { text, failure: { kind: 'slow', ms: 1500 } } as const
const script: Script = [slow, slow, { text, always: true }]
const plan = [
  ...[
    '--mode',
    'live',
    '--tasks',
    'ferry-morning,lamp-paths',
    '--methods',
    'sequential[maxInner=1,maxOuter=1]',
  ],
  ...['--agents', 'openai-compatible:m', '--allow-unsandboxed', '--parallel', '2', '--quiet'],
]
const asksOf = (folder: string) => stepsOf(folder).filter((step): step is AskStep => step.kind === 'ask')

const bills = (folder: string) =>
  asksOf(folder)
    .map(({ tokens, role }) => JSON.stringify([role, tokens]))
    .sort()

it.each(['SIGINT', 'SIGTERM'] as const)(
  'the first %s lets paid calls in flight end, begins no other, and the resumed run asks for none of them again',
  async (signal) => {
    const calm = await familySetting(script)
    await benchOk([...plan, '--out', calm.folder], { env: calm.env })

    const { server, env, folder } = await familySetting(script)
    const TMPDIR = tempFolder()
    const running = startBench([...plan, '--out', folder], { env: { ...env, TMPDIR } })
    await until(() => server.asked() === 2 || running.isOver())
    running.kill(signal)
    // npm passes on the signal that the terminal has sent already.
    running.kill(signal)
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('stopping: waits for 2 paid calls in flight; Ctrl-C again cuts them off')
    expect(stderr).toContain('interrupted after 0 of 2 trials')
    expect(server.asked()).toBe(2)
    expect(asksOf(folder).map(({ reply }) => reply)).toEqual([text, text])
    expect(intentsOf(folder)).toHaveLength(2)
    expect(recordsOf(folder)).toEqual([])
    expect(readdirSync(TMPDIR)).toEqual([])

    const resumed = startBench(['--resume', folder, '--quiet', '--allow-unsandboxed'], {
      env: { ...env, TMPDIR },
    })
    const { stderr: said } = await resumed.ended
    expect(said).not.toMatch(/paid|killed|left behind/)
    expect(server.asked()).toBe(calm.server.asked())
    expect(bills(folder)).toEqual(bills(calm.folder))
    expect(asksOf(folder).filter(({ payer }) => payer === 'void')).toEqual([])
    expect(await benchOk(['replay', folder])).toContain('no divergence')
  },
)

it('the first Ctrl-C ends waits for retries at once', async () => {
  const { server, env, folder } = await familySetting([
    { always: true, failure: { kind: 'status', status: 503, retryAfter: '60' } },
  ])
  const running = startBench([...plan, '--out', join(folder)], { env })
  await until(() => server.asked() === 2 || running.isOver())
  await until(() => asksOf(folder).length === 2 || running.isOver())
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toContain('stopping: bench aborts the calls in flight')
  expect(server.asked()).toBe(2)
})
