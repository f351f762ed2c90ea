import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tableOf } from '../../helpers/house/tables.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, program, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const table = (name: string) => Object.entries(tableOf<Record<string, string>>(import.meta.url, name))

// Two runs for all tests of this file.
const cwd = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
beforeAll(async () => {
  const args = argv`--tasks ferry-morning --methods now=baseline,next=self-consistency --quiet --out`
  await execa(process.execPath, [program, ...args, 'results/live1'], { cwd })
  cpSync(join(cwd, 'results/live1'), join(cwd, 'results/live2'), { recursive: true })
})

it.each(table('mistyped'))('bench %s is refused, and leads to what was meant: %s', async (typed, meant) => {
  await refused(typed.split(' '), [fixed(meant)], { cwd })
})

it.each(table('mistypedOfRun'))(
  'bench run %s is refused, and leads to what was meant: %s',
  async (typed, meant) => {
    const [flag = '', value = ''] = typed.split(' ')
    const others = ['--tasks', 'answers', '--methods', 'baseline']
    const at = others.indexOf(flag)
    if (at >= 0) others.splice(at, 2)
    await refused([...others, flag, value], [fixed(meant)], { cwd })
  },
)

it('with agents of a config file, the model of a vendor is recognised, too', async () => {
  const folder = folderOf({ 'bench.config.yaml': 'agents: { local: { provider: ollama, model: m } }' })
  await refused(argv`--tasks answers --methods baseline --agents gpt-4o`, ['Did you mean openai:gpt-4o?'], {
    cwd: folder,
  })
})

it.each([
  'list',
  'version',
  'eval',
  'resume',
  'logs',
  'inspect',
  'rm',
  'diff',
  'estimate',
  'new',
  'stop',
  'models',
  'datasets',
  'strategies',
  'config',
  'docs',
  'validate',
  'watch',
])('bench %s, a word of other tools, leads to what does it here', async (word) => {
  const { code, stderr } = await bench([word])
  expect(code).toBe(2)
  expect(stderr).toMatchSnapshot()
})

it('bench show takes the address of a page of bench view, with its choice, whether or not its server is there', async () => {
  const page = 'http://127.0.0.1:9/runs/live1'
  const { stdout } = await bench(['show', `${page}?method=now&sort=apart`], { cwd })
  expect(stdout).toContain('now, epoch 1')
  expect(stdout).not.toContain('next, epoch 1')
  const [, trial = ''] = /^\s+([0-9a-f]{12}) /m.exec(stdout) ?? []
  expect((await bench(['show', `${page}/trials/${trial}?method=now`], { cwd })).stdout).toContain(
    `Trial ${trial}`,
  )
  await refused(['show', `${page}x`], ['Did you mean live1?'], { cwd })
  await refused(['show', 'http://127.0.0.1:9/other'], ['names no run'], { cwd })
})

it('bench compare tells the mistakes of its format, its conditions and its methods at once', async () => {
  const { stderr } = await refused(
    argv`compare live1:now live1:neither --format foo --fail-if ${'worse<1,cost>0'}`,
    ['there is no format "foo"', '--fail-if worse<1', '--fail-if cost>0', 'neither'],
    { cwd },
  )
  expect(stderr.trim().split('\n')).toHaveLength(4)
})

const fixed = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
