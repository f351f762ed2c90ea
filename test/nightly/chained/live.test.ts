import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, startBench, stepsOf } from '../../helpers/runs/cli.ts'
import { git, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'
import { stageProject, textsIn } from '../../helpers/stages/stage-runs.ts'
import { startModelServer } from '../../model-server/server.ts'

const key = 'sk-live-test-0123456789abcdef'
const fixed = 'FILE: sum.mjs\n```\nexport const add = (a, b) => a + b\n```'

/** A project, and a provider on loopback that plans, mends it and approves. */
async function liveProject() {
  const server = await startModelServer(({ messages }) => {
    const prompt = messages.at(-1)?.text ?? ''
    if (/JSON Schema|one JSON value/.test(prompt))
      return { text: JSON.stringify({ verdict: 'approve', comments: 'good', blocking: [] }) }
    return {
      text: prompt.includes('FILE: path/to/file') || /Solve the task/.test(prompt) ? fixed : 'Mend it.',
    }
  })
  onTestFinished(() => server.close())
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }
  const { cwd } = stageProject()
  const stage = (name: string, ...more: string[]) =>
    argv`stage ${name} issue.md w1 --mode live --agents anthropic:claude-sonnet-4-5 --quiet ${more}`
  return { server, cwd, env, stage }
}

it('stages ask a live provider, whose tokens are in the ledger, and its key is nowhere', async () => {
  const { server, cwd, env, stage } = await liveProject()
  for (const name of ['plan', 'build', 'test', 'review', 'document', 'ship']) {
    const ended = await bench(stage(name, '-o', `run-${name}`, '--allow-unsandboxed'), { cwd, env })
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
  }
  expect(server.asked()).toBe(4)
  const asks = ['plan', 'build', 'review', 'document'].flatMap((name) =>
    stepsOf(join(cwd, `run-${name}`)).filter((step): step is AskStep => step.kind === 'ask'),
  )
  expect(asks.map(({ role }) => role)).toEqual(['planner', 'builder', 'reviewer', 'documenter'])
  for (const [i, { usage }] of server.log.entries())
    expect(asks[i]?.tokens).toMatchObject({ input: usage?.input, output: usage?.output })
  expect(recordsOf(join(cwd, 'run-plan'))[0]).toMatchObject({ simulated: false, mode: 'live' })
  expect(stateIn(cwd, 'w1')).toMatchObject({
    plan: 'Mend it.',
    test_results: { success: true },
    review: { verdict: 'approve' },
    ship: { files: ['sum.mjs'] },
  })
  for (const text of Object.values(textsIn(cwd))) expect(text).not.toContain(key)
})

it('stages that a live agent may steer need the sandbox or --allow-unsandboxed, as runs do', async () => {
  const { server, cwd, env, stage } = await liveProject()
  await refused(
    stage('build', '--sandbox', 'none'),
    [/--allow-unsandboxed on a machine that holds nothing/],
    { cwd, env },
  )
  expect(existsSync(join(cwd, '.bench/w1'))).toBe(false)
  await refused(stage('plan', '--dev'), [/--dev\] conflicts with --mode live/], { cwd, env })
  expect(server.asked()).toBe(0)
})

it('a stage that may cost more than --confirm-above is not begun without consent', async () => {
  const { server, cwd, env, stage } = await liveProject()
  const args = stage('plan', '--allow-unsandboxed', '--confirm-above', '0.0000001')
  const ended = await bench(args, { cwd, env })
  expect(ended.code).not.toBe(0)
  expect(server.asked()).toBe(0)
  expect(existsSync(join(cwd, '.bench/w1'))).toBe(false)
  await benchOk([...args, '--yes', '-o', 'run'], { cwd, env })
  expect(server.asked()).toBe(1)
  expect(readFileSync(join(cwd, 'run/run.json'), 'utf8')).not.toContain(key)
})

it('a workflow of an npm workspace tests its own packages, and writes no file of the user', async () => {
  const folder = tempFolder()
  const test = (name: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark } from '${name}'
test('marks', () => assert.equal(mark(), 2))
`
  const shape = (value: number) => `import { writeFileSync } from 'node:fs'
export const mark = () => (writeFileSync(new URL('cache.txt', import.meta.url), ''), ${value})
`
  writeFiles(folder, {
    'package.json': '{"workspaces":["libs/*"]}\n',
    'libs/one/package.json': '{"name":"one","type":"module","exports":"./index.js"}\n',
    'libs/one/index.js': shape(1),
    'libs/two/package.json': '{"name":"@my/two","type":"module","exports":"./index.js"}\n',
    'libs/two/index.js': shape(1),
    'test/one.test.mjs': test('one'),
    'test/two.test.mjs': test('@my/two'),
    'node_modules/plain/package.json': '{}\n',
    'node_modules/@my/plain/package.json': '{}\n',
  })
  symlinkSync('../libs/one', join(folder, 'node_modules/one'))
  symlinkSync(join(folder, 'libs/two'), join(folder, 'node_modules/@my/two'))
  expect((await runStage('test', ['7', 'w1'], folder)).stdout).toBe('test: 0 of 2 tests passed')
  const workspace = join(folder, '.bench/w1/workspace')
  for (const name of ['one', 'two']) writeFileSync(join(workspace, `libs/${name}/index.js`), shape(2))
  expect((await runStage('test', ['7', 'w1'], folder)).stdout).toBe('test: 2 of 2 tests passed')
  expect(readdirSync(join(folder, 'libs/one')).sort()).toEqual(['index.js', 'package.json'])
  expect(readdirSync(join(folder, 'libs/two')).sort()).toEqual(['index.js', 'package.json'])
  for (const name of ['plain', '@my/plain'])
    expect(existsSync(join(workspace, 'node_modules', name, 'package.json'))).toBe(true)
})

it('a link that leads out by way of other links is no work, and one that stays inside is', async () => {
  const folder = tempFolder()
  writeFiles(folder, { 'a.txt': 'a\n', 'deep/er/b.txt': 'b\n', 'node_modules/tool/cli.mjs': '' })
  const links = {
    'deep/er/top': '../..',
    good: 'deep/er/top/a.txt',
    late: 'missing.txt',
    bin: 'node_modules/tool/cli.mjs',
    out: 'deep/er/top/../x',
    packages: 'node_modules/tool/../../../x',
    round: 'round',
    far: 'deep/er/../../..',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path))
  await runStage('test', ['7', 'w1'], folder)
  const workspace = join(folder, '.bench/w1/workspace')
  const copied = Object.keys(links).filter((path) =>
    lstatSync(join(workspace, path), { throwIfNoEntry: false }),
  )
  expect(copied).toEqual(['deep/er/top', 'good', 'late', 'bin'])
  expect(readFileSync(join(workspace, 'good'), 'utf8')).toBe('a\n')
})

it('a workflow takes neither files behind a link nor runs of bench', async () => {
  const folder = tempFolder()
  writeFiles(folder, {
    'mine/run.json': '{"scripts":{}}\n',
    'old/file.txt': 'old\n',
    'results/one/run.json': '{"schemaVersion":12}\n',
    'results/one/artifacts/x.txt': 'x\n',
    'kept/run.json': '{}\n',
    'kept/records.jsonl': '',
  })
  await git(folder, 'init', '--quiet')
  await git(folder, 'add', '.')
  rmSync(join(folder, 'old'), { recursive: true })
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real/file.txt'), 'real\n')
  symlinkSync('real', join(folder, 'old'))
  await runStage('test', ['7', 'w1'], folder)
  const workspace = join(folder, '.bench/w1/workspace')
  expect(readdirSync(workspace).sort()).toEqual(['mine', 'old', 'real'])
  expect(lstatSync(join(workspace, 'old')).isSymbolicLink()).toBe(true)
})

it('a stage says in words what is wrong with the places of a workflow', async () => {
  const broken = async (breakIt: (folder: string) => void) => {
    const folder = tempFolder()
    writeFiles(folder, { 'a.txt': '' })
    breakIt(folder)
    const { exitCode, stderr } = await runStage('ship', ['7', 'w1'], folder)
    expect(exitCode).toBe(1)
    return stderr.replaceAll(folder, '')
  }
  const made = (folder: string) => {
    writeFiles(join(folder, '.bench/w1'), {
      'state.json':
        '{"version":1,"workflow_id":"w1","issue":"7","task":"","output":"files","round":1,"stages":[]}\n',
    })
    mkdirSync(join(folder, '.bench/w1/workspace'))
  }
  expect(await broken((folder) => writeFileSync(join(folder, '.bench'), ''))).toMatchSnapshot()
  expect(await broken((folder) => symlinkSync('gone', join(folder, '.bench')))).toMatchSnapshot()
  expect(
    await broken((folder) => {
      mkdirSync(join(folder, '.bench'))
      symlinkSync('gone', join(folder, '.bench/w1'))
    }),
  ).toBe('ship: /.bench/w1 is a link that leads nowhere; remove it, or move it away')
  expect(
    await broken((folder) => {
      made(folder)
      mkdirSync(join(folder, '.bench/w1/repository'))
    }),
  ).toBe('ship: /.bench/w1/repository is not the repository of a workflow; use another workflow id')
  expect(
    await broken((folder) => {
      made(folder)
      writeFileSync(join(folder, '.bench/w1/repository'), '')
    }),
  ).toBe('ship: /.bench/w1/repository is not a folder; remove it, or move it away')
})

it('a workflow that began with an id alone takes the first task that it is given', async () => {
  const folder = tempFolder()
  writeFiles(folder, { 'a.txt': '', 'more/7.md': 'Add b.\n' })
  await runStage('test', ['7', 'w1'], folder)
  expect(stateIn(folder, 'w1').task).toBe('')
  await runStage('test', ['more/7.md', 'w1'], folder)
  expect(stateIn(folder, 'w1')).toMatchObject({ task: 'Add b.\n', issue: '7' })
})

const call = async (args: readonly string[], env: Record<string, string>) =>
  await startBench(args, { env }).ended

it('bench ask speaks with the socket of a stage and ends with the exit code of the answer', async () => {
  const socket = join(tempFolder(), 's')
  const server = createServer((connection) => {
    connection.write('{"hello":{"version":1,"stage":"s","roles":["planner"]}}\n')
    connection.on('data', (chunk) => {
      const { id, ask } = JSON.parse(chunk.toString())
      const answer = ask.role === 'planner' ? { reply: ask } : { error: { reason: 'busy', message: 'wait' } }
      connection.write(`${JSON.stringify({ id, ...answer })}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  const env = { BENCH_SOCKET: socket }
  expect(await call(['ask', 'planner', 'Plan.', '--system', 'Brief.', '--work', 'judge'], env)).toMatchObject(
    {
      ...{ code: 0, stderr: '' },
      stdout: '{"role":"planner","prompt":"Plan.","system":"Brief.","work":"judge"}',
    },
  )
  expect(await call(['ask', 'builder', 'Build.', '--json'], env)).toMatchObject({
    ...{ code: 4, stderr: 'bench: busy: wait' },
    stdout: '{"error":{"reason":"busy","message":"wait"}}',
  })
})

it('bench state reads and changes the state file where BENCH_STATE names one', async () => {
  const file = join(tempFolder(), 'state.json')
  writeFileSync(file, '{"plan":"first"}')
  const env = { BENCH_STATE: file }
  expect(await call(['state', 'plan'], env)).toMatchObject({ code: 0, stdout: 'first', stderr: '' })
  expect(await call(['state', '--set', 'round=2'], env)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe('{\n  "plan": "first",\n  "round": 2\n}\n')
  expect(await call(['state', 'answer'], env)).toMatchObject({ code: 1, stdout: '' })
})

it('outside of a stage, bench ask and bench state say what is missing', async () => {
  await refused(['ask', 'planner', 'Plan.'], [/\[BENCH_SOCKET\] is not set: ask works inside a stage only/])
  await refused(['state'], [/\[RUN\] is missing/])
  await refused(['state', 'run', '--json'], [/\[--json\] works inside a stage only/])
})
