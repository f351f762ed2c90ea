import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outcomesOf, rogueFile } from '../../helpers/machine/rogue.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { solve, writeStrategy } from '../../helpers/machine/user-code.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, stepsOf } from '../../helpers/runs/cli.ts'

const plan = ['--tasks', 'lamp-paths', '--quiet', '--out', 'run']

it('a bug in a strategy is reported with file, line and column of its source, and the stack in show --full', async () => {
  const cwd = tempFolder()
  const code = `    const data = undefined as unknown as { a: { b: string } } | undefined
    await ask('solver', 'Do it.')
    const read = (from: typeof data): string =>
      from!
        .a.b
    ${'read(data)'}
    ${solve}`
  const method = writeStrategy(
    cwd,
    'broken',
    code,
    'interface Above {\n  a: string\n}\nexport type { Above }',
  )
  const ran = await bench([...plan, '--methods', method], { cwd })
  expect(ran.stderr).toContain(
    "the first because the method broke: Cannot read properties of undefined (reading 'a') (./broken.ts:13:10)",
  )
  const [record] = recordsOf(join(cwd, 'run'))
  // The reason is the same on every machine; only fields that may differ name files.
  expect(record?.outcome.reason).toBe("the method broke: Cannot read properties of undefined (reading 'a')")
  const shown = await benchOk(['show', 'run', record?.trial ?? '', '--full'], { cwd })
  expect(shown).toMatch(
    /Stack\n {2}\| TypeError: .*\n {2}\| {5}at read \(\.\/broken\.ts:13:10\)\n.*\.\/broken\.ts:14:\d+/,
  )
  expect(shown).not.toContain('dist/bench')
  expect(await benchOk(['show', 'run', record?.trial ?? ''], { cwd })).not.toContain('Stack')
  await benchOk(['replay', 'run'], { cwd })
})

it('an error of a script is reported with file and line, inside and outside of its calls', async () => {
  const cwd = folderOf({
    'agent.mjs': "export default () => {\n  throw new Error('no')\n}\n",
    'late.mjs':
      "export default () => {\n  setTimeout(() => { throw new Error('late') })\n  return new Promise(() => setTimeout(() => {}, 500))\n}\n",
  })
  const args = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--quiet']
  const inside = await bench([...args, '--agents', 'scripted:agent.mjs', '--out', 'inside'], { cwd })
  expect(inside.code).toBe(1)
  const [step] = stepsOf(join(cwd, 'inside')).filter(({ kind }) => kind === 'ask')
  expect(step).toMatchObject({
    error: {
      message: 'the script threw: no (./agent.mjs:2:9)',
      stack: expect.stringContaining('./agent.mjs:2:9'),
    },
  })
  const trial = recordsOf(join(cwd, 'inside'))[0]?.trial ?? ''
  expect(await benchOk(['show', 'inside', trial, '--full'], { cwd })).toMatch(
    /stack\n {4}\| Error: no\n.*agent\.mjs:2:9/,
  )
  const outside = await bench([...args, '--agents', 'scripted:late.mjs', '--out', 'outside'], { cwd })
  expect(outside.stderr).toMatch(
    /threw an error that nothing awaited \(late, \.\/late\.mjs:2:\d+\), so the trial ends in error/,
  )
  expect(recordsOf(join(cwd, 'outside'))[0]?.wall).toMatchObject({
    place: expect.stringContaining('./late.mjs:2:'),
  })
})

it('a call of process.exit() is reported with its method and how to go on', async () => {
  const cwd = tempFolder()
  const method = writeStrategy(cwd, 'leaves', `    await ask('solver', 'Do it.')\n    process.exit(0)`)
  const ran = await bench([...plan, '--methods', method], { cwd })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toMatch(
    /^method leaves in trial \w{12} \(answers\/lamp-paths, epoch 1\) ended the process, for example with process\.exit\(\); resume with: bench run --resume run$/,
  )
  const loaded = writeStrategy(cwd, 'early', solve, 'process.exit(0)')
  const early = await bench(['--tasks', 'lamp-paths', '--methods', loaded], { cwd })
  expect(early.stderr).toMatch(
    /the strategy file \.\/early\.ts, while loading ended the process.*nothing has begun/,
  )
})

it.each([
  [
    'an answer',
    "return { stopReason: 'done', answer: ask('solver', 'Do it.') }",
    /an answer that is a promise. In promise, await it/,
  ],
  ['a prompt', "await ask('solver', ask('critic', 'Read.'))", /the prompt is a promise; await it first/],
  ['a state', 'await checkpoint(Promise.resolve({ a: 1 }))', /the state is a promise; await it first/],
])('an unawaited promise (%s) is reported with “await it”', async (_, code, message) => {
  const cwd = tempFolder()
  const ran = await bench([...plan, '--methods', writeStrategy(cwd, 'promise', code)], { cwd })
  expect(ran.stderr).toMatch(message)
})

it.each([
  [
    'an ask that is never awaited',
    "ask('critic', 'Read.'); return { stopReason: 'done', answer: 'a' }",
    'ask("critic") was never awaited',
  ],
  [
    'a branch that is never awaited',
    "branch('a', async (b) => { await b.ask('critic', 'x') }); return { stopReason: 'done', answer: 'a' }",
    'branch("a") was never awaited',
  ],
  [
    'a branch whose work nobody takes',
    "await branch('a', async (b) => { await b.ask('solver', 'x') }); return { stopReason: 'done' }",
    'branch "a" made an answer, and nothing of it was adopted',
  ],
  [
    'nothing of all that',
    `const [a] = await Promise.all([branch('a', async (b) => { await b.ask('solver', 'x'); return b.workspace }), branch('b', async (b) => b.ask('critic', 'x'))]); workspace.adopt(a); return { stopReason: 'done' }`,
    undefined,
  ],
])('the report mentions %s', async (_, code, unused) => {
  const cwd = tempFolder()
  const ran = await bench([...plan, '--methods', writeStrategy(cwd, 'forgets', code)], { cwd })
  expect(ran.code).toBe(0)
  const [record] = recordsOf(join(cwd, 'run'))
  expect(record?.unused).toEqual(unused === undefined ? undefined : [unused])
  if (unused === undefined) return expect(ran.stderr).not.toContain('unused')
  expect(ran.stderr).toContain(`1 trial of forgets left work unused, the first: ${unused}`)
  expect(await benchOk(['show', 'run', record?.trial ?? ''], { cwd })).toContain(`Unused       ${unused}`)
  await benchOk(['replay', 'run'], { cwd })
})

it('a trial that asks for ever in dev mode is reported', async () => {
  const cwd = tempFolder()
  const method = writeStrategy(cwd, 'endless', "    for (;;) await ask('critic', 'Again.').catch(() => {})")
  const ran = await bench([...plan, '--methods', method, '--limit', 'calls=20001'], { cwd })
  expect(ran.stderr).toMatch(
    /note: endless has made 10000 calls in trial \w{12} \(answers\/lamp-paths, epoch 1\) and goes on; --limit calls=N/,
  )
  expect(ran.stderr).toContain('has made 20000 calls')
  expect(recordsOf(join(cwd, 'run'))[0]?.outcome.status).toBe('limited')
})

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
  const plan = argv`--tasks lamp-paths --mode live --methods baseline --epochs 3 --agents scripted:${agent}`
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
    // However slow the machine is, it throws after the replies of the other branch.
    `let quick = 0
    export default ({ prompt }) => {
      if (!prompt.includes('slow')) { quick++; return 'quick' }
      const timer = setInterval(() => {
        if (quick < 3) return
        clearInterval(timer)
        setTimeout(() => { throw new Error('out of the blue') }, 1000)
      }, 20)
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
    const plan = argv`--tasks lamp-paths --mode live --methods baseline,best-of[n=2]
      --agents scripted:${agent}`
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
