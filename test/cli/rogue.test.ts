import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bench, recordsOf, root } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

/** Runs a strategy with this body beside the baseline, and gives what came of it. */
async function besides(body: string) {
  const folder = tempFolder()
  const file = join(folder, 'rogue.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'rogue', summary: '', diagram: '', roles: { solver: 'produce' }, options: z.object({}),
  async run({ ask }) { ${body}; return { stopReason: 'done' } },
})`,
  )
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
