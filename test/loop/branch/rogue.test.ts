import { expect, it } from 'vitest'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const fine = agentOf(() => 'Answer: 42')

it('a method that catches every refusal ends as limited', async () => {
  const strategy = strategyOf(async ({ ask }) => {
    for (;;) await ask('solver', 'again').catch(() => {})
  })
  const { record, steps } = await playTrial({ agent: fine, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({ outcome: { status: 'limited' }, passed: true, spent: { calls: 2 } })
  expect(steps.length).toBeLessThan(40)
})

it('an interrupt ends a method that catches every error', async () => {
  const abort = new AbortController()
  const strategy = strategyOf(async ({ ask }) => {
    for (;;) await ask('solver', 'again').catch(() => {})
  })
  const trial = playTrial({
    agent: agentOf(async () => wait(1).then(() => 'x')),
    strategy,
    signal: abort.signal,
  })
  setTimeout(() => abort.abort(), 30)
  await expect(trial).rejects.toThrow('interrupted')
})

it.each([
  ['nothing', undefined],
  ['an answer that is not a string', { answer: 42, stopReason: 'done' }],
  ['stopReason finished', { stopReason: 'finished' }],
  ['a detail that is not a string', { stopReason: 'done', detail: {} }],
  ['serialize', { stopReason: 'done', state: { big: 10n } }],
])('a method that returns %s fails', async (words, result) => {
  const { record } = await playTrial({ agent: fine, strategy: strategyOf(async () => result as never) })
  expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
})

it('a method that labels its steps with other values than strings and numbers fails', async () => {
  const strategy = strategyOf(async ({ label }) => {
    label({ final: true } as never)
    return { stopReason: 'done' }
  })
  expect((await playTrial({ agent: fine, strategy })).record.outcome.reason).toContain('"final"')
})

it('a trial waits for an unawaited ask and is billed for it', async () => {
  const strategy = strategyOf(async ({ ask }) => {
    void ask('solver', 'and gone')
    return { answer: '42', stopReason: 'done' }
  })
  const slow = agentOf(() => wait(10).then(() => 'x'))
  expect((await playTrial({ agent: slow, strategy })).record).toMatchObject({
    passed: true,
    spent: { calls: 1 },
  })
})

it('an epoch cannot change the options of the next', async () => {
  const strategy = strategyOf(async ({ options }) => {
    options.n = 1
    return { stopReason: 'done' }
  })
  expect((await playTrial({ agent: fine, strategy })).record.outcome).toMatchObject({ status: 'failed' })
})

it('a paid call whose adapter broke is in the ledger as maybe paid', async () => {
  const agent = agentOf(
    () => {
      throw new Error('adapter bug')
    },
    { paid: true },
  )
  const strategy = strategyOf(async ({ ask }) => {
    await ask('solver', 'x')
    return { stopReason: 'done' }
  })
  const { steps, paid } = await playTrial({ agent, strategy })
  expect(paid).toBe(true)
  expect(steps).toMatchObject([{ kind: 'ask', payer: 'void', maybePaid: true, costUsd: null }])
})

it('paid calls of branches that lost a first are in the ledger, and a first that is nested or that all branches fail replays', async () => {
  const agent = agentOf(
    async ({ trial }) => {
      await wait(trial.key.startsWith('slow') ? 100 : 2)
      return { text: 'x', durationMs: 2 }
    },
    { paid: true },
  )
  const strategy = strategyOf(async ({ first, ask }) => {
    const one = await first({
      slow: async (context) => (await context.first({ deep: ({ ask }) => ask('judge', 'go') })).name,
      quick: ({ ask }) => ask('judge', 'go'),
    })
    await first({
      a: async ({ ask }) => {
        await ask('judge', 'a')
        throw new Error('a failed')
      },
      b: async ({ ask }) => {
        await ask('judge', 'b')
        throw new Error('b failed')
      },
    }).catch((error) => expect(error.message).toBe('a failed'))
    await ask('judge', 'end')
    return { answer: '42', stopReason: 'done', detail: one.name }
  })
  const live = await playTrial({ agent, strategy, mode: 'live' })
  expect(live.record.detail).toBe('quick')
  expect(live.steps.filter((step) => step.kind === 'ask' && step.maybePaid)).toMatchObject([
    { key: 'slow/deep#0' },
  ])
  const again = await playTrial({ agent, strategy, mode: 'live', folder: live.folder, replay: true })
  expect(again.divergences).toEqual([])
  expect({ ...again.record, wall: 0 }).toEqual({ ...live.record, wall: 0 })
})

it('a secret reply appears in no checkpoint, note, detail or state', async () => {
  const secret = 'the reference: 42'
  const strategy = strategyOf(async ({ ask, checkpoint, note }) => {
    const reply = await ask('solver', 'x')
    await checkpoint({ reply })
    note({ type: 'seen', reply })
    return { stopReason: 'done', detail: reply, state: { reply } }
  })
  const { readFileSync } = await import('node:fs')
  const { folder, record } = await playTrial({
    agent: agentOf(() => ({ text: secret, secret: true })),
    strategy,
  })
  const files = ['steps.jsonl', 'events.jsonl']
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join()
  expect(files + JSON.stringify(record)).not.toContain('reference: 42')
})

it('a file block is refused where a folder exists, and the reverse', async () => {
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'a/b.txt': 'x\n' })
  const agent = agentOf(() => 'FILE: a\n```\nx\n```\nFILE: a/b.txt/c\n```\nx\n```\nFILE: d\n```\nfine\n```')
  const strategy = strategyOf(async ({ ask, workspace }) => {
    await ask('solver', 'x')
    expect(workspace.list()).toEqual(['a/b.txt', 'd'])
    return { stopReason: 'done' }
  })
  const { record, steps } = await playTrial({ agent, strategy, task })
  expect(record.outcome.status).toBe('completed')
  expect(steps[0]).toMatchObject({ changeSet: { rejected: [{ path: 'a' }, { path: 'a/b.txt/c' }] } })
})

it.each(['../../f.mjs', '/etc/f.mjs', 'y'.repeat(6000), '../*f.mjs'])(
  'a refused file block is never delivered as the function',
  async (path) => {
    const task = answerTask(
      { output: 'function', language: 'javascript', entryPoint: 'f', editable: ['f.mjs'] },
      { 'f.mjs': 'export function f() {}\n' },
    )
    const code = '```js\nexport function f() { return 1 }\n```\n'
    const rejected = [{ path: path.slice(0, 200), reason: expect.any(String) }]
    const once = strategyOf(async ({ ask }) => {
      await ask('solver', 'x')
      return { stopReason: 'done' }
    })
    const refused = await playTrial({
      agent: agentOf(() => `FILE: ${path}\n${code}`),
      strategy: once,
      task,
    })
    expect(refused.record.delivered).toBeNull()
    expect(refused.steps[0]).toMatchObject({ changeSet: { changes: [], rejected } })
    const replayed = await playTrial({
      agent: fine,
      strategy: once,
      task,
      folder: refused.folder,
      replay: true,
    })
    expect({ ...replayed.record, wall: 0 }).toEqual({ ...refused.record, wall: 0 })

    const own = code.replace('1', '2')
    const beside = await playTrial({
      agent: agentOf(() => `${own}FILE: ${path}\n${code}`),
      strategy: once,
      task,
    })
    const plain = await playTrial({ agent: agentOf(() => own), strategy: once, task })
    expect(beside.record.delivered).toBe(plain.record.delivered)
    expect(beside.steps[0]).toMatchObject({ changeSet: { changes: [{ path: 'f.mjs' }], rejected } })
  },
)

it('a method that has ended cannot make a paid call', async () => {
  let late: Promise<unknown> | undefined
  const strategy = strategyOf(async ({ ask }) => {
    late = wait(20).then(() => ask('solver', 'late'))
    return { answer: '42', stopReason: 'done' }
  })
  let asked = 0
  const agent = agentOf(() => `${asked++}`)
  await playTrial({ agent, strategy })
  expect(await Promise.race([late, wait(60)])).toBeUndefined()
  expect(asked).toBe(0)
})
