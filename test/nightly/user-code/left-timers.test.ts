import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'

it('an error of a strategy’s forgotten timer is one line, in a run and in a replay', async () => {
  const cwd = folderOf({
    'late.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => {
    setTimeout(() => { throw new Error('too late') }, 1500)
    return { stopReason: 'done', answer: await ask('solver', 'go') }
  } })`,
  })
  const run = ['--tasks', 'lamp-paths', '--methods', './late.mjs', '--out', 'run', '--quiet']
  for (const args of [run, ['replay', 'run']]) {
    const { code, stderr } = await bench(args, { cwd })
    expect(code, args.join(' ')).toBe(1)
    expect(stderr).toMatch(/an error was thrown after all trials had ended, .*: too late/)
    expect(stderr).not.toContain('    at ')
  }
})

it.each([
  ['throws again and again', 'throw new Error("again")', 1, /thrown after all trials had ended, .*: again$/],
  ['goes on for ever', '', 0, /bench ended the process: .* left a timer or a connection open$/],
])('the process ends although a timer %s, once its output is read', async (_, body, code, message) => {
  const cwd = folderOf({
    'late.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => {
    setTimeout(() => setInterval(() => { ${body} }, 200), 1000)
    return { stopReason: 'done', answer: await ask('solver', 'go') }
  } })`,
  })
  const ran = await bench(['--tasks', 'lamp-paths', '--methods', './late.mjs', '--out', 'run', '--json'], {
    cwd,
  })
  expect(ran.code).toBe(code)
  expect(ran.stderr).toMatch(message)
  expect(JSON.parse(ran.stdout)).toMatchObject({ records: 1 })
})

it('a pilot and a description end although their strategy never does, with one line for its error', async () => {
  const cwd = tempFolder()
  const strategy = (begin: string, run: string) => `import { defineStrategy, z } from 'orchestration-bench'
${begin}
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => { ${run}; return { stopReason: 'done', answer: await ask('solver', 'go') } } })`
  writeFileSync(join(cwd, 'top.mjs'), strategy('setInterval(() => {}, 500)', ''))
  const shown = await bench(['methods', './top.mjs'], { cwd })
  expect(shown).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('left a timer or a connection open'),
  })
  writeFileSync(join(cwd, 'thrown.mjs'), strategy('', 'setInterval(() => { throw new Error("again") }, 300)'))
  const pilot = ['power', '--tasks', 'lamp-paths', '--methods', 'baseline,./thrown.mjs']
  const { code, stderr } = await bench(pilot, { cwd })
  expect(code).toBe(1)
  expect(stderr).toMatch(/was thrown after all trials had ended|threw an error/)
  expect(stderr).not.toContain('    at ')
})
