import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, inject, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, program, recordsOf, refused, root } from '../../helpers/runs/cli.ts'

describe('open files', () => {
  /** The command line under a limit of open files. */
  const benchUnder = (limit: number, args: readonly string[], cwd: string) =>
    execa('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, program, ...args], {
      cwd,
      env: { ORCHESTRATION_BENCH_CACHE: inject('cache'), BENCH_DEBUG: undefined },
      stdin: 'ignore',
      reject: false,
    })

  const run = ['run', '--tasks', 'duration-text', '--methods', 'baseline', '--quiet', '--out', 'r']

  needs('prlimit').it(
    'a run that may open few files gives its programs no more, and grades them',
    async () => {
      const cwd = tempFolder()
      const { exitCode, stderr } = await benchUnder(64, [...run, '--parallel', '1'], cwd)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'run folder: r' })
    },
  )

  // Without a sandbox fewer files are open, and the limit is not reached.
  needs('bwrap').it(
    'a run that opens too many files at once names the limit and how to raise it, and can be resumed',
    async () => {
      const cwd = tempFolder()
      const { stderr } = await benchUnder(48, [...run, '--epochs', '12', '--parallel', '12'], cwd)
      expect(stderr).not.toMatch(/Internal error/)
      expect(stderr).toMatch(/^the first error: .*48 \(`ulimit -n`\)\. Raise that limit/m)
      const reasons = recordsOf(join(cwd, 'r')).flatMap(({ outcome: { status, reason } }) =>
        status === 'error' ? [reason] : [],
      )
      expect(reasons.length).toBeGreaterThan(0)
      for (const reason of reasons)
        expect(reason).toContain(
          'bench has reached its limit of open files: 48 (`ulimit -n`). Raise that limit (`ulimit -n 1024`)',
        )
      expect((await bench(['run', '--resume', 'r', '--retry-errors', '--quiet'], { cwd })).code).toBe(0)
      const after = recordsOf(join(cwd, 'r'))
      expect(after.map(({ outcome }) => outcome.status)).toEqual(after.map(() => 'completed'))
    },
  )
})

it('no command writes into the folder that bench is installed in', async () => {
  const installed = tempFolder()
  for (const part of [
    'package.json',
    'dist',
    'tasks/answers',
    'fixtures',
    'src/graders',
    'src/sandbox',
    'src/user-code',
    'strategies',
  ])
    cpSync(join(root, part), join(installed, part), { recursive: true })
  const listing = () =>
    readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((path) => `${path} ${statSync(join(installed, path)).mtimeMs}`)
      .sort()
  const before = listing()
  const cwd = tempFolder()
  const env = { ORCHESTRATION_BENCH_CACHE: join(cwd, 'cache') }
  const bench = (...args: string[]) =>
    execa(process.execPath, [join(installed, 'dist/bench/cli.cjs'), ...args], { cwd, env })
  // Several times, since a later call may write a cache.
  for (const run of ['one', 'two']) {
    await bench('--help')
    await bench('--tasks', 'ferry-morning', '--methods', 'baseline', '--out', run, '--quiet')
    await bench('report', run)
  }
  expect(listing()).toEqual(before)
})

const baseline = ['--tasks', 'duration-text', '--methods', 'baseline', '--quiet']

it('a missing temporary folder is named as the cause', async () => {
  const env = { TMPDIR: '/nonexist' }
  await refused(
    [...baseline, '--out', join(tempFolder(), 'run')],
    [
      /^bench: \[TMPDIR\] the temporary folder \/nonexist does not exist\. Create it, or set TMPDIR to another folder\.$/,
    ],
    { env },
  )
  const { stdout } = await bench(['doctor'], { env })
  expect(stdout).toMatch(
    /sandbox +cannot be tested: the temporary folder \/nonexist does not exist\n +Create it, or set TMPDIR to another folder\.\n/,
  )
})

it('bench replay replays a broken trial up to the fault, and grades it again on request', async () => {
  const folder = tempFolder()
  const TMPDIR = join(folder, 'temporary')
  mkdirSync(TMPDIR)
  // The user of programs must be able to enter it.
  chmodSync(folder, 0o755)
  const agent = join(folder, 'agent.mjs')
  // The agent removes the folder that grading needs.
  writeFileSync(
    agent,
    `import { rmSync } from 'node:fs'
    export default () => {
      rmSync(${JSON.stringify(TMPDIR)}, { recursive: true, force: true })
      return 'FILE: src/duration.mjs\\n\`\`\`\\nexport const formatDuration = () => ""\\n\`\`\`'
    }`,
  )
  const run = join(folder, 'run')
  const args = [...baseline, '--agents', `scripted:${agent}`, '--out', run]
  const broken = await bench(args, { env: { TMPDIR } })
  expect([broken.code, broken.stderr]).toEqual([1, expect.any(String)])
  expect(recordsOf(run)[0]?.outcome).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('grading broke: cannot write a private folder'),
  })
  expect(await bench(['replay', run])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
  const regraded = await bench(['replay', run, '--regrade'])
  expect(regraded.code).toBe(1)
  expect(`${regraded.stdout}${regraded.stderr}`).toMatch(/record field outcome\] recorded: .*grading broke/)
})

/** Calls bench under a umask. */
async function benchUnder(umask: string, args: readonly string[], cwd: string) {
  const words = ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, program, ...args]
  const env = { ORCHESTRATION_BENCH_CACHE: join(cwd, 'cache') }
  return await execa('sh', words, { cwd, env, reject: false, stdin: 'ignore' })
}

const writable = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)))].filter(
    (path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o022) !== 0,
  )

const plan = [
  ...['--tasks', 'duration-text,ferry-morning', '--methods', 'baseline,chained', '--keep-workspaces', 'all'],
  ...['--agents', 'oracle', '--tools', 'write', '--quiet'],
]

it.each(['000', '077'])(
  'under umask %s nothing that bench writes can be changed by others, and its programs still run',
  { timeout: 120_000 },
  async (umask) => {
    const cwd = tempFolder()
    const ended = await benchUnder(umask, [...plan, '--out', 'results/run'], cwd)
    expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
    expect(ended.stderr).not.toContain('can be changed by other users')
    for (const record of recordsOf(join(cwd, 'results/run')))
      expect(record.outcome.status, JSON.stringify(record.outcome)).toBe('completed')
    await benchUnder(
      umask,
      ['report', 'results/run', '--format', 'markdown,html,svg', '--out', 'report'],
      cwd,
    )
    expect(writable(cwd).filter((path) => path !== cwd)).toEqual([])
  },
)

it('a run folder that others can change is told when it is resumed, and by the API', {
  timeout: 60_000,
}, async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--out', 'run', '--quiet']
  expect(await benchUnder('022', args, cwd)).toMatchObject({ exitCode: 0 })
  chmodSync(join(cwd, 'run/steps.jsonl'), 0o666)
  const { stderr } = await benchUnder('022', ['run', '--resume', 'run'], cwd)
  expect(stderr).toContain('run/steps.jsonl can be changed by other users of this machine')
  expect(stderr).toContain('chmod -R go-w run')

  const code = `
    import { run } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
    const seen = []
    await run({ tasks: 'ferry-morning', methods: 'baseline', out: process.argv[1], onEvent: (event) => seen.push(event) })
    console.log(process.umask(), seen.filter(({ message = '' }) => message.includes('can be changed by other')).length)`
  const asked = async (umask: string) => {
    const words = [
      '-c',
      `umask ${umask}; exec "$@"`,
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      code,
    ]
    return (await execa('sh', [...words, `api-${umask}`], { cwd })).stdout
  }
  expect(await asked('000')).toBe('0 1')
  expect(await asked('022')).toBe('18 0')
})
