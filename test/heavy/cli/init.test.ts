import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, program, recordsOf, refused, root, shareProcess } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

shareProcess()

const [file, schema] = ['bench.config.yaml', 'bench.config.schema.json']
/** The environment of a shell, without variables of the test runner. */
const env = { npm_command: undefined }

describe('the file that bench init writes', () => {
  it('makes bench run work unchanged, with simulated agents, and names that command', async () => {
    const cwd = tempFolder()
    expect(await benchOk(['init'], { cwd, env })).toMatch(/ are written\. Next: .* run\n?$/)
    expect(existsSync(join(cwd, schema))).toBe(true)
    await benchOk(['run', '--quiet', '--out', 'run'], { cwd })
    const records = recordsOf(join(cwd, 'run'))
    expect(records).toHaveLength(8 * 2 * 2)
    for (const { simulated, mode } of records)
      expect({ simulated, mode }).toEqual({ simulated: true, mode: 'dev' })
  })

  it('names guides that bench help prints', async () => {
    const cwd = tempFolder()
    await benchOk(['init'], { cwd })
    const guides = [...readFileSync(join(cwd, file), 'utf8').matchAll(/bench help ([\w-]+)/g)]
    expect(guides.length).toBeGreaterThan(1)
    for (const [, guide = ''] of guides) expect(await benchOk(['help', guide], { cwd })).toMatch(/\n-----/)
  })
})

describe('bench init', () => {
  it.each([
    ['a file', (path: string) => writeFileSync(path, 'mine')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ])('writes nothing if %s has the name of the config file', async (_, make) => {
    const cwd = tempFolder()
    make(join(cwd, file))
    await refused(
      ['init'],
      [/^bench: \[bench\.config\.yaml\] already exists\. Edit it, or remove it first\.$/],
      { cwd },
    )
    expect(readdirSync(cwd)).toEqual([file])
  })

  it('leaves no config file if the schema cannot be written', async () => {
    const cwd = tempFolder()
    mkdirSync(join(cwd, schema))
    await refused(
      ['init'],
      [/^bench: \[.*bench\.config\.schema\.json\] cannot be written: EISDIR\b.*folder/],
      { cwd },
    )
    expect(readdirSync(cwd)).toEqual([schema])
  })

  needs('Linux').it.each(['/proc', '/sys'])(
    'refuses %s, where nobody can write, in one line with exit code 2',
    async (cwd) => {
      const { stderr } = await refused(
        ['init'],
        [/^bench: \[.*bench\.config\.yaml\] cannot be written: E[A-Z]+: /],
        { cwd },
      )
      expect(stderr.split('\n')).toHaveLength(1)
      expect(stderr).toMatch(/Run bench init in a writable folder/)
    },
  )

  needs('Linux', 'a checkout that other users may read').it(
    'refuses in the same way for a user without permission to write',
    async () => {
      const cwd = tempFolder()
      chmodSync(cwd, 0o555)
      const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
      const { exitCode, stderr } = await execa(process.execPath, [program, 'init'], {
        cwd,
        reject: false,
        ...asNobody,
      })
      expect(stderr).toMatch(
        /^bench: \[.*bench\.config\.yaml\] cannot be written: EACCES: permission denied\. Run [^\n]*$/,
      )
      expect(exitCode).toBe(2)
      expect(readdirSync(cwd)).toEqual([])
    },
  )
})

describe('a command in a working folder that was removed', () => {
  needs('Linux').it.each([[[]], [['init']], [['doctor']], [['--tasks', 'all', '--methods', 'baseline']]])(
    'is reported: bench %j',
    async (args) => {
      const folder = join(tempFolder(), 'gone')
      mkdirSync(folder)
      const script = `rmdir "${folder}"; exec "$@"`
      const call = ['-c', script, 'sh', process.execPath, program, ...args]
      const { exitCode, stderr } = await execa('sh', call, { cwd: folder, reject: false })
      expect(stderr).toMatchSnapshot()
      expect(exitCode).toBe(2)
    },
  )
})

describe('an output below a place where no folder can be made', () => {
  needs('Linux').it(
    'is refused before any work, by every command that writes one',
    { timeout: 60_000 },
    async () => {
      const run = join(tempFolder(), 'run')
      await benchOk(argv`--tasks ferry-morning --methods baseline --agents oracle --quiet --out ${run}`)
      const to = '/proc/none/below'
      for (const format of ['text', 'html', 'svg'])
        await refused(['report', run, '--format', format, '--out', to], [`[--out ${to}`, 'cannot be written'])
      await refused(['report', run, '--junit', to], [`[--junit ${to}]`, 'cannot be written'])
      const again = ['--tasks', 'ferry-morning', '--methods', 'baseline']
      await refused([...again, '--junit', to], ['cannot be written'])
      // A cache that cannot be written is not an error.
      const kept = await bench(argv`${again} --quiet --out ${run}-2`, {
        env: { ORCHESTRATION_BENCH_CACHE: to },
      })
      expect(kept.code).toBe(0)
    },
  )
})

/** The environment of a shell, without variables of the test runner. */
const plain = { npm_command: undefined, ORCHESTRATION_BENCH_CACHE: inject('cache') }
const commandsOf = (text: string) =>
  [...text.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, command = '']) => command)

/** A folder with `bench` on the PATH, as after `npm install -g`. */
function withBench() {
  const bin = tempFolder()
  symlinkSync(program, join(bin, 'bench'))
  return { ...plain, PATH: `${bin}${delimiter}${process.env.PATH}` }
}

it('bench without arguments names a few commands that all work as printed in that folder', {
  timeout: 120_000,
}, async () => {
  const cwd = tempFolder()
  const env = withBench()
  const { stdout, stderr, exitCode } = await execa('bench', [], { cwd, env })
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  const commands = commandsOf(stdout)
  expect(commands.length).toBeGreaterThanOrEqual(4)
  expect(commands.length).toBeLessThanOrEqual(6)
  // The path of the checkout may be long.
  const lines = stdout.replaceAll(root, '').split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  for (const command of commands) {
    expect(command).toMatch(/^bench /)
    expect((await execa('sh', ['-c', command], { cwd, env, reject: false })).exitCode, command).toBe(0)
  }
  // `bench init` was one of the commands.
  const after = (await execa('bench', [], { cwd, env })).stdout
  expect(commandsOf(after)).toContain('bench run')
  expect(commandsOf(after).join()).not.toMatch(/init|--tasks/)
  expect((await execa('sh', ['-c', 'bench run --quiet'], { cwd, env, reject: false })).exitCode).toBe(0)
})

const args = argv`--tasks ferry-morning --methods baseline --quiet --mode live
  --agents openai-compatible:little --allow-unsandboxed --out run --confirm-above 1`

/** Starts a live run of unknown cost in a new terminal, and types the answer to its question. */
async function answering(typed: string) {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  const { shown, exitCode } = await inTerminal(args, [[/\[y\/N\]/, typed]], { cwd, env })
  return { shown, exitCode, asked: server.asked(), folder: join(cwd, 'run') }
}

needs('script').it(
  'bench asks in a terminal before a live run that may cost more than allowed, and runs after yes',
  async () => {
    const { shown, exitCode, asked, folder } = await answering('y\r')
    expect(shown).toMatch(/total: unknown[\s\S]*The run may cost more than \$1\.00\. Run it\? \[y\/N\]/)
    expect(exitCode, shown).toBe(0)
    expect(asked).toBe(1)
    expect(recordsOf(folder)).toHaveLength(1)
  },
)

for (const [answer, typed] of [
  ['n', 'n\r'],
  ['another word', 'yes please\r'],
  ['nothing', '\r'],
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
] as const)
  needs('script').it(`the answer ${answer} starts no run and leaves no files`, async () => {
    const { shown, exitCode, asked, folder } = await answering(typed)
    expect(exitCode, shown).toBe(130)
    expect(asked).toBe(0)
    expect(existsSync(folder)).toBe(false)
    expect(shown).not.toMatch(/^\s+at |Internal error|Warning/m)
  })
