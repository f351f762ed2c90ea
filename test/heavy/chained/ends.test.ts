import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, root } from '../../helpers/runs/cli.ts'
import { chainedPrograms, git, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'
import { stageProject } from '../../helpers/stages/stage-runs.ts'

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const pause = () => new Promise((done) => setTimeout(done, 50))

/** A project whose test never ends, and starts a process that does not end either. Both write down their ids. */
function hangingProject() {
  const outer = tempFolder()
  const [folder, temporary] = [join(outer, 'project'), join(outer, 'tmp')]
  mkdirSync(temporary)
  writeFiles(folder, {
    'hang.test.mjs': `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('hangs', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync(${JSON.stringify(join(outer, 'pids'))}, process.pid + ' ' + process.ppid + ' ' + child.pid + ' .')
  await new Promise((done) => setTimeout(done, 100_000))
})
`,
  })
  const start = (program: string, words: string[]) =>
    spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const pids = async () => {
    const path = join(outer, 'pids')
    while (!existsSync(path) || !readFileSync(path, 'utf8').endsWith('.')) await pause()
    const found = readFileSync(path, 'utf8').split(' ').slice(0, 3).map(Number)
    onTestFinished(() => {
      for (const pid of found.filter(isAlive)) process.kill(pid, 'SIGKILL')
    })
    return found
  }
  return { folder, temporary, start, pids }
}

const endOf = (child: ChildProcess) => new Promise((done) => child.on('exit', (code) => done(code)))

async function areGone(pids: readonly number[]) {
  for (let i = 0; i < 100 && pids.some(isAlive); i++) await pause()
  return !pids.some(isAlive)
}

const stage = join(chainedPrograms, 'test.mjs')
const tool = join(root, 'dist/bench/tools/test-runner.mjs')

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s', (signal, code) => {
  it.each([
    ['a stage', stage, ['7', 'w1']],
    ['a tool', tool, []],
  ])('ends %s with all that it started, and leaves no folder behind', async (_, program, words) => {
    const { folder, temporary, start, pids } = hangingProject()
    const child = start(program, words)
    const ended = endOf(child)
    const started = await pids()
    child.kill(signal)
    expect(await ended).toBe(code)
    expect(await areGone(started)).toBe(true)
    expect(readdirSync(temporary)).toEqual([])
    if (program === stage) expect(stateIn(folder, 'w1').stages).toEqual([])
  })
})

it.each([
  ['a stage', stage, ['7', 'w1']],
  ['a tool', tool, []],
])('what %s started does not outlive it when it is killed', async (_, program, words) => {
  const { start, pids } = hangingProject()
  const child = start(program, words)
  const started = await pids()
  child.kill('SIGKILL')
  expect(await areGone(started)).toBe(true)
})

it('a change that is too large for the state is not shipped at all, and the state says why', async () => {
  const folder = tempFolder()
  writeFiles(folder, { 'a.txt': 'a\n' })
  await runStage('test', ['7', 'w1'], folder)
  const home = join(folder, '.bench/w1')
  writeFileSync(join(home, 'workspace/big.bin'), randomBytes(9 * 1024 ** 2))
  const { exitCode, stderr } = await runStage('ship', ['7', 'w1'], folder)
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^ship: the new state has more than 8388608 bytes/)
  const { stages, ship } = stateIn(folder, 'w1')
  expect(ship).toBeUndefined()
  expect(stages.at(-1)).toMatchObject({ stage: 'ship', status: 'failed', detail: stderr.slice(6) })
  expect(readdirSync(home).sort()).toEqual(['repository', 'state.json', 'workspace'])
  expect(await git(folder, '--git-dir', join(home, 'repository'), 'branch', '--list', 'bench/*')).toBe('')
})

it('bench stage gives a task to a workflow that a shell began, unless it is refused', async () => {
  const { cwd, scripted } = stageProject()
  await runStage('test', ['7', 'q1'], cwd)
  const args = (task: string) => ['stage', 'plan', '7', 'q1', '--request', task, ...scripted]
  expect(await bench([...args('Wrong.'), '--limit', 'calls=x'], { cwd })).toMatchObject({ code: 2 })
  expect(stateIn(cwd, 'q1').task).toBe('')
  expect(await bench(args('Mend add.'), { cwd })).toMatchObject({ code: 0 })
  expect(stateIn(cwd, 'q1')).toMatchObject({ task: 'Mend add.', plan: 'planner says' })
})
