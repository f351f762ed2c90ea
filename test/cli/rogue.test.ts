import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bench, recordsOf, root } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

function rogueFile(folder: string, body: string): string {
  const file = join(folder, 'rogue.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'rogue', summary: '', diagram: '', roles: { solver: 'produce' }, options: z.object({}),
  async run({ ask, branch, checkpoint }) { ${body}; return { stopReason: 'done' } },
})`,
  )
  return file
}

/** Begins a run of a strategy with this body, which says on stderr that it is under way. */
async function started(body: string) {
  const folder = join(tempFolder(), 'run')
  const file = rogueFile(tempFolder(), `console.error('under way'); ${body}`)
  const args = ['--tasks', 'lamp-paths', '--methods', file, '--out', folder, '--quiet']
  const child = spawn(process.execPath, [join(root, 'dist/bench/cli.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (text) => `${text}`.includes('under way') && resolve()),
  )
  return { child, folder }
}

/** Runs a strategy with this body beside the baseline, and gives what came of it. */
async function besides(body: string) {
  const folder = tempFolder()
  const file = rogueFile(folder, body)
  const run = join(folder, 'run')
  const ended = await bench([
    '--tasks',
    'lamp-paths,ferry-morning',
    '--methods',
    `${file},baseline`,
    '--out',
    run,
    '--quiet',
  ])
  expect(ended.stderr).not.toMatch(/^\s+at /m)
  return { ...ended, run }
}

it('ends only the trials of a method that waits for what never comes', async () => {
  const { code, stderr, run } = await besides('await new Promise(() => {})')
  expect(code).toBe(0)
  expect(stderr).toContain(
    '2 trial(s) of rogue ended as failed, the first because the method broke: it waits',
  )
  expect(
    recordsOf(run)
      .map(({ method, outcome }) => `${method} ${outcome.status}`)
      .sort(),
  ).toEqual(['baseline completed', 'baseline completed', 'rogue failed', 'rogue failed'])
})

it.each([
  ['that it waits for', 'await branch("side", work)', 'failed'],
  [
    'that it left behind',
    'void branch("side", work); await new Promise((resolve) => setTimeout(resolve, 200))',
    'completed',
  ],
])('bills a branch %s and that never ends, in the record and on replay', async (_, wait, status) => {
  const { code, run } = await besides(`
    const work = async ({ ask }) => { await ask('solver', 'x'); await new Promise(() => {}) }
    ${wait}`)
  expect(code).toBe(0)
  const rogue = recordsOf(run).filter(({ method }) => method === 'rogue')
  expect(rogue.map(({ outcome }) => outcome.status)).toEqual([status, status])
  for (const { spent } of rogue) expect(spent).toMatchObject({ calls: 1, unreportedTokens: 0 })
  const replayed = await bench(['replay', run])
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('no divergence') })
})

it.each([
  ['asks a role that it does not have', "for (;;) await ask('nobody', 'x').catch(() => {})"],
  ['may ask no more', "for (;;) await ask('solver', 'x', { limits: { tokens: 1 } }).catch(() => {})"],
  ['keeps a state', 'for (let i = 0; ; i++) await checkpoint({ i }).catch(() => {})'],
  ['waits by a clock of its own', 'setInterval(() => {}, 1000); await new Promise(() => {})'],
])(
  'hears one Ctrl-C under a method that %s for ever',
  async (_, body) => {
    const { child, folder } = await started(body)
    child.kill('SIGINT')
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect(code).toBe(130)
    expect(recordsOf(folder)).toEqual([])
  },
  30_000,
)

it('tells of a method that ends the process, and does not call that done', async () => {
  const { code, stderr } = await besides('process.exit(0)')
  expect(code).toBe(1)
  expect(stderr).toContain('ended the process')
})

it('stops cleanly when a method throws out of nowhere, or lets a rejection float', async () => {
  const late = await besides(
    "setTimeout(() => { throw new Error('late') }, 5); await new Promise((resolve) => setTimeout(resolve, 300))",
  )
  expect(late.code).toBe(1)
  expect(late.stderr).toMatch(/threw outside of its calls: late.*bench run --resume/s)
  const floating = await besides("Promise.reject(new Error('floating')); await ask('solver', 'x')")
  expect(floating.code).toBe(1)
  expect(floating.stderr).toContain('threw outside of its calls: floating')
})

it('keeps what a method prints out of the results', async () => {
  const { code, stdout, stderr } = await besides("console.log('noise'); await ask('solver', 'x')")
  expect(code).toBe(0)
  expect(stdout).not.toContain('noise')
  expect(stderr).toContain('noise')
})

it('goes on with a free request as it was when the run began, whatever became of the folder', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'request.md'), 'Add b.')
  writeFileSync(join(folder, 'a.mjs'), 'export const a = 1\n')
  writeFileSync(
    join(folder, 'agent.mjs'),
    "export default () => 'FILE: b.mjs\\n```\\nexport const b = 2\\n```'",
  )
  const run = join(folder, 'run')
  const agent = `scripted:${join(folder, 'agent.mjs')}`
  const begun = await bench(
    [
      'run',
      '--instruction',
      'request.md',
      '--workspace',
      '.',
      '--methods',
      'baseline',
      '--agents',
      agent,
      '--out',
      run,
      '--quiet',
    ],
    { cwd: folder },
  )
  expect(begun.code).toBe(0)
  writeFileSync(join(folder, 'a.mjs'), 'changed\n')
  const replayed = await bench(['replay', run], { cwd: folder })
  expect(replayed.stdout).toContain('no divergence')
  const [record] = recordsOf(run)
  expect(record).toMatchObject({ passed: null })
  expect(readFileSync(join(run, 'artifacts', record?.trial ?? '', 'changes.patch'), 'utf8')).toContain(
    '+export const b = 2',
  )
})
