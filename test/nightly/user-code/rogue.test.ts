import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { outcomesOf, rogueFile } from '../../helpers/machine/rogue.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, root } from '../../helpers/runs/cli.ts'

/** Begins a run of a strategy with this body, which says on stderr that it is under way. */
async function started(body: string) {
  const folder = join(tempFolder(), 'run')
  const file = rogueFile(tempFolder(), `console.error('under way'); ${body}`)
  const args = ['--tasks', 'lamp-paths', '--methods', file, '--out', folder, '--quiet']
  const child = spawn(process.execPath, [join(root, 'dist/bench/cli.cjs'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (text) => `${text}`.includes('under way') && resolve()),
  )
  return { child, folder }
}

/** Runs a strategy with this body beside the baseline, and gives what came of it. */
async function besides(body: string, before?: string) {
  const folder = tempFolder()
  const file = rogueFile(folder, body, before)
  const run = join(folder, 'run')
  const ended = await bench(
    argv`--tasks lamp-paths,ferry-morning --methods ${file},baseline --out ${run} --quiet`,
  )
  expect(ended.stderr).not.toMatch(/^\s+at /m)
  return { ...ended, run }
}

it('a method that waits for something that never comes ends only its own trials', async () => {
  const { code, stderr, run } = await besides('await new Promise(() => {})')
  expect(code).toBe(0)
  expect(stderr).toContain('2 trials of rogue ended as failed, the first because the method broke: it waits')
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
])('a branch %s and that never ends is billed, in the record and on replay', async (_, wait, status) => {
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
])('bench handles a single Ctrl-C under a method that %s for ever', async (_, body) => {
  const { child, folder } = await started(body)
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.on('exit', resolve))
  expect(code).toBe(130)
  expect(recordsOf(folder)).toEqual([])
})

it('a method that ends the process is reported, not counted as done', async () => {
  const { code, stderr } = await besides('process.exit(0)')
  expect(code).toBe(1)
  expect(stderr).toContain('ended the process')
})

it.each([
  ['late', "setTimeout(() => { throw new Error('late') }, 5); await new Promise(() => {})"],
  ['floating', "Promise.reject(new Error('floating')); await ask('solver', 'x')"],
])('a method that throws unawaited ends only its own trials: %s', async (word, body) => {
  const { code, stderr, run } = await besides(body)
  expect(code).toBe(1)
  expect(outcomesOf(run)).toEqual(['baseline completed', 'baseline completed', 'rogue error', 'rogue error'])
  for (const { trial, method, outcome } of recordsOf(run)) {
    if (method !== 'rogue') continue
    expect(outcome.reason).toBe(`method rogue threw where nobody awaited it: ${word}`)
    expect(stderr).toMatch(
      new RegExp(
        `trial ${trial}: method rogue threw an error that nothing awaited \\(${word}, \\S+:\\d+:\\d+\\), so the trial ends in error; the run continues`,
      ),
    )
  }
  expect(await bench(['replay', run])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
  // Nothing is left for another session.
  const again = await bench(['--resume', run, '--quiet'])
  expect(again).toMatchObject({ code: 1, stderr: expect.not.stringContaining(word) })
})

it('an error of unknown origin stops the run cleanly and names the possible trials', async () => {
  const { code, stderr, run } = await besides(
    "bus.once('tick', () => { throw new Error('nobody knows') }); await new Promise((resolve) => setTimeout(resolve, 3000))",
    "import { EventEmitter } from 'node:events'\nconst bus = new EventEmitter()\nsetInterval(() => bus.emit('tick'), 20).unref()",
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /threw an error outside of its calls: nobody knows\none of these was running at that time:\n( {2}method rogue, trial [0-9a-f]{24}\n){1,2}to run one at a time: bench run --resume RUN --parallel 1/,
  )
  expect(stderr).toMatch(/Resume with: bench run --resume/)
  expect(outcomesOf(run)).not.toContain('rogue error')
})

it('output of a method does not mix with the results', async () => {
  const { code, stdout, stderr } = await besides("console.log('noise'); await ask('solver', 'x')")
  expect(code).toBe(0)
  expect(stdout).not.toContain('noise')
  expect(stderr).toContain('noise')
})

it('a resumed free request uses the folder as it was when the run began', async () => {
  const folder = folderOf({
    'request.md': 'Add b.',
    'a.mjs': 'export const a = 1\n',
    'agent.mjs': "export default () => 'FILE: b.mjs\\n```\\nexport const b = 2\\n```'",
  })
  const run = join(folder, 'run')
  const agent = `scripted:${join(folder, 'agent.mjs')}`
  const begun = await bench(
    argv`run --instruction request.md --workspace . --methods baseline --agents ${agent} --out ${run}
      --quiet`,
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
