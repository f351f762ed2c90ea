import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/schema/task.ts'
import { gitTreeHash } from '../../../src/workflows/chain/run-stage.ts'
import { chained } from '../../../strategies/chained.ts'
import { chainOfTrial } from '../../helpers/chained/chained-with.ts'
import { withoutWall } from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'
import { agentOf, answerTask, playTrial, type Setting } from '../../helpers/runs/trial.ts'
import { chainPlace, git, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

const block = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\`\`\`\n`
const approve = JSON.stringify({ verdict: 'approve', comments: 'Good.', blocking: [] })
const texts: Readonly<Record<string, string>> = {
  planner: 'Write add.',
  reviewer: approve,
  documenter: 'It adds now.',
}
/** An agent for each role; the builder says these texts in turn. */
const agentThatBuilds = (...works: string[]) => {
  let built = 0
  return agentOf(({ role }) => texts[role] ?? (works[Math.min(built++, works.length - 1)] as string))
}

const options = { ...chained.options.parse({}) }
const startsNothing: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))
const rolesOf = ({ steps }: Awaited<ReturnType<typeof playTrial>>) =>
  steps.flatMap((step) => (step.kind === 'ask' ? step.role : []))

const ownTests = {
  'sum.test.mjs': `import test from 'node:test'
import assert from 'node:assert'
import { add } from './src/sum.mjs'
test('adds two', () => assert.equal(add(1, 2), 3))
`,
}
/** A task whose workspace has a failing test of its own. */
const withTests = (): Task => codeTask({ files: ownTests })
const right = block('src/sum.mjs', rightSum)
const wrong = block('src/sum.mjs', 'export const add = () => 1\nexport const double = () => 1\n')

const runOn = (task: Task, agent: Setting['agent'], more: Partial<Setting> = {}) =>
  playTrial({ agent, strategy: chained as Setting['strategy'], options, task, ...more })

/** The journal alone gives the same record, and nothing is started. */
async function isReplayed(
  { folder, record }: Awaited<ReturnType<typeof playTrial>>,
  task: Task,
  more: Partial<Setting> = {},
) {
  const nobody = agentOf(() => 'never')
  const replayed = await runOn(task, nobody, { ...more, folder, replay: true, sandbox: startsNothing })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed.record)).toEqual(withoutWall(record))
}

describe('chained on real files', () => {
  it.each([
    ['compact', 'test_failures', 'test_output'],
    ['raw', 'test_output', 'test_failures'],
  ])('with reports=%s the builder reads %s of failed tests, not %s', async (reports, read, not) => {
    const raw = { options: { ...chained.options.parse({ reports }) } }
    const task = withTests()
    const played = await runOn(task, agentThatBuilds(wrong, right), raw)
    expect(played.record).toMatchObject({ passed: true, claimed: 'done' })
    const prompts = played.steps.flatMap((step) =>
      step.kind === 'ask' ? [`${step.role} ${step.prompt}`] : [],
    )
    const mended = prompts.filter((prompt) => prompt.startsWith('builder'))[1] ?? ''
    expect([mended.includes(read), mended.includes(not)]).toEqual([true, false])
    // node:test prints the tests that passed, too, and where it was called.
    const review = prompts.find((prompt) => prompt.startsWith('reviewer')) ?? ''
    expect([/duration_ms|# tests/.test(mended), review.includes('"output"')]).toEqual(
      reports === 'raw' ? [true, true] : [false, false],
    )
    const saved = (played.record.savings ?? []).map(
      ({ rawTokens, compactTokens }) => rawTokens - compactTokens,
    )
    expect([
      saved.length > 0,
      saved.every((tokens) => (reports === 'raw' ? tokens === 0 : tokens > 0)),
    ]).toEqual([true, true])
    await isReplayed(played, task, raw)
  })

  it('mends what the tests of the workspace find, and ships a patch that leads from the start to the graded tree', async () => {
    const task = withTests()
    const played = await runOn(task, agentThatBuilds(wrong, right))
    expect(played.record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    expect(rolesOf(played)).toEqual(['planner', 'builder', 'builder', 'reviewer', 'documenter'])
    await isReplayed(played, task)
    const mending = played.steps.find((step) => step.kind === 'ask' && step.key.startsWith('build~2'))
    expect(mending).toMatchObject({ prompt: expect.stringContaining('"test_name":"adds two"') })

    const { state } = chainOfTrial(played)
    expect(state.stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
      ...['plan done', 'build done', 'test failed', 'build done', 'test done', 'review done'],
      ...['document done', 'ship done'],
    ])
    const outputs = join(played.folder, 'artifacts', played.record.trial, 'outputs')
    expect(readFileSync(join(outputs, 'document.md'), 'utf8')).toBe('It adds now.')
    const patch = readFileSync(join(outputs, 'change.patch'), 'utf8')
    const folder = tempFolder()
    writeFiles(folder, task.files)
    writeFileSync(join(tempFolder(), 'change.patch'), patch)
    await git(folder, 'init', '--quiet')
    writeFileSync(join(folder, '.git/change.patch'), patch)
    await git(folder, 'apply', '.git/change.patch')
    await git(folder, 'add', '--all')
    const tree = (await git(folder, 'write-tree')).trim()
    expect(tree).toBe(state.ship?.tree)
    const graded: Record<string, string> = { ...task.files, 'src/sum.mjs': rightSum }
    expect(gitTreeHash({ list: () => Object.keys(graded), read: (path) => graded[path] })).toBe(tree)
  })

  it('asks nobody for a note on an answer, and starts neither test nor document nor ship', async () => {
    const played = await runOn(answerTask(), agentThatBuilds('Answer: 42'))
    expect(played.record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    const stages = played.steps.flatMap((step) => (step.kind === 'stage' ? step.stage : []))
    expect(stages).toEqual(['plan', 'build', 'review'])
    expect(rolesOf(played)).toEqual(['planner', 'builder', 'reviewer'])
    expect(played.record.spent.calls).toBe(3)
  })
})

describe('chained with an agent that fails', () => {
  it('is no failure of the method if nobody ever answered', async () => {
    const down = agentOf(() => ({ error: { reason: 'server', message: 'it is down' } }))
    const played = await runOn(answerTask(), down)
    expect(played.record.outcome).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('it is down'),
    })
  })

  it('halts, names the stage, and grades the work so far', async () => {
    const agent = agentOf(({ role }) =>
      role === 'reviewer'
        ? { error: { reason: 'refusal', message: 'I would rather not' } }
        : (texts[role] ?? right),
    )
    const played = await runOn(codeTask(), agent)
    expect(played.record).toMatchObject({ passed: true, claimed: 'halted', outcome: { status: 'completed' } })
    expect(played.record.detail).toMatch(/^stage review: .*I would rather not/)
    await isReplayed(played, codeTask())
  })

  it('keeps what its stages came to at a limit of the trial', async () => {
    const played = await runOn(withTests(), agentThatBuilds(right), { limits: { calls: 2 } })
    expect(played.record).toMatchObject({ passed: true, outcome: { status: 'limited' } })
    expect(chainOfTrial(played).ends.map(({ stage }) => stage)).toEqual(['plan', 'build', 'test'])
  })
})

it('a chain that knows the reference solution journals hashes alone, and is replayed by running its stages again', async () => {
  const agent = agentOf(({ role }) => ({ text: texts[role] ?? right, secret: role === 'builder' }))
  const played = await runOn(withTests(), agent)
  expect(played.record).toMatchObject({ passed: true, claimed: 'done' })
  const ledger = readFileSync(join(played.folder, 'steps.jsonl'), 'utf8')
  expect(ledger).not.toContain('a + b')
  expect(existsSync(join(played.folder, 'blobs'))).toBe(false)
  const outputs = join(played.folder, 'artifacts', played.record.trial, 'outputs')
  expect(readFileSync(join(outputs, 'change.patch'), 'utf8')).not.toContain('a + b')
  const replayed = await runOn(withTests(), agent, { folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed.record)).toEqual(withoutWall(played.record))
})

const bare = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
const tsconfig = '{"compilerOptions":{"noEmit":true},"files":["a.ts"]}\n'
/** A file whose tests are made for a runner that is not here. */
const source = { 'lib/area.mjs': 'export const area = (w, h) => w * h\n' }
const vitestTest = {
  'area.test.mjs': `import { expect, it } from 'vitest'
it('is an area', () => expect(1).toBe(1))
`,
}

describe('a tool that is missing', () => {
  it.each([
    ['tsc is', { 'tsconfig.json': tsconfig, 'a.ts': '' }],
    ['vite is', { 'vite.config.mjs': 'export default {}\n' }],
    ['tsc and vite are', { 'tsconfig.json': tsconfig, 'a.ts': '', 'vite.config.ts': 'export default {}\n' }],
  ])('leaves a build unchecked: %s not installed', async (who, start) => {
    const place = chainPlace({ start, answer: () => 'Done.' })
    Object.assign(place.env, bare)
    const detail = `${who} not installed, so the build was not checked`
    expect(await place.run('build')).toEqual({ exitCode: 0, stdout: `build: ${detail}`, stderr: '' })
    expect(place.state().stages).toEqual([{ stage: 'build', status: 'done', detail }])
    expect(place.state().build_results).toBeUndefined()
  })

  it.each([
    ['export const a: number = 1\n', 0, 'the build is good'],
    ["export const a: number = ''\n", 1, 'the build has 1 error'],
  ])('leaves the other checker of a build its say: %j', async (text, exitCode, said) => {
    const start = { 'tsconfig.json': tsconfig, 'a.ts': text, 'vite.config.mjs': 'export default {}\n' }
    const place = chainPlace({ start, answer: () => 'Done.' })
    Object.assign(place.env, bare)
    mkdirSync(join(place.workspace, 'node_modules'))
    symlinkSync(join(root, 'node_modules/typescript'), join(place.workspace, 'node_modules/typescript'))
    expect(await place.run('build')).toMatchObject({
      exitCode,
      stdout: `build: ${said}; vite is not installed, so this part was not checked`,
    })
    expect(place.state().build_results).toMatchObject({ success: exitCode === 0 })
    expect(place.state().build_results?.raw).toBeUndefined()
  })

  it('leaves tests to the visible checks', async () => {
    const check = { status: 'passed', passed: 2, total: 2, output: '' }
    const work = { ...vitestTest, ...source }
    const answer = ({ check: asked }: Record<string, unknown>) => (asked ? check : null)
    const place = chainPlace({ start: vitestTest, work, answer })
    Object.assign(place.env, bare)
    expect(await place.run('test')).toMatchObject({
      exitCode: 0,
      stdout: 'test: 2 of 2 tests passed; vitest is not installed',
    })
  })

  it('leaves nothing to test with where there are no checks: vitest', async () => {
    const place = chainPlace({ start: vitestTest, work: { ...vitestTest, ...source } })
    Object.assign(place.env, bare)
    const detail = 'vitest is not installed: nothing could be tested'
    expect(await place.run('test')).toEqual({ exitCode: 0, stdout: `test: ${detail}`, stderr: '' })
    expect(place.state().test_results).toBeUndefined()
  })

  it.each([
    ['pytest', 'echo "$0: No module named pytest" >&2; exit 1'],
    ['python3', undefined],
  ])('leaves nothing to test with where there are no checks: %s', async (name, script) => {
    const folder = tempFolder()
    const bin = tempFolder()
    writeFiles(folder, { 'test_area.py': 'def test_area():\n    assert True\n' })
    if (script) {
      writeFiles(bin, { python3: `#!/bin/sh\n${script}\n` })
      chmodSync(join(bin, 'python3'), 0o755)
    }
    writeFiles(folder, source)
    symlinkSync('/usr/bin/git', join(bin, 'git'))
    const { exitCode, stdout } = await runStage('test', ['42', 'w1'], folder, { env: { PATH: bin } })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `test: ${name} is not installed: nothing could be tested`,
    })
    expect(stateIn(folder, 'w1').test_results).toBeUndefined()
  })
})

it('a test that hangs is a failed test with raw output, within the time of the stage', async () => {
  const hang = "import { test } from 'node:test'\ntest('waits', () => { for (;;); })\n"
  const place = chainPlace({ start: { 'wait.test.mjs': hang } })
  Object.assign(place.env, { CHAIN_SECONDS: '4' })
  const { exitCode, stdout, stderr } = await place.run('test')
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
  expect(stdout).toMatch(/^test: node:test (wrote no JUnit file and )?did not end within [\d.]+ s/)
  expect(place.state().test_results?.raw?.text).toContain('did not end within 3.2 s')
})

it('a build that fails without errors says why', async () => {
  const script = 'setTimeout(() => {}, 60_000)\n'
  const place = chainPlace({ start: { 'tsconfig.json': tsconfig }, answer: () => 'Done.' })
  writeFiles(join(place.workspace, 'node_modules/typescript'), {
    'package.json': '{"bin":{"tsc":"tsc.js"}}',
    'tsc.js': script,
  })
  Object.assign(place.env, { CHAIN_SECONDS: '2' })
  const { exitCode, stdout } = await place.run('build')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^build: tsc did not end by itself/)
})

it('work in Python without python3 leaves nothing to test', async () => {
  const place = chainPlace({ work: { 'area.py': 'def area(w, h):\n    return w * h\n' } })
  const bin = tempFolder()
  symlinkSync('/usr/bin/git', join(bin, 'git'))
  Object.assign(place.env, { PATH: bin })
  const said = 'python3 is not installed: nothing could be tested'
  expect(await place.run('test')).toEqual({ exitCode: 0, stdout: `test: ${said}`, stderr: '' })
})

it('the words of a test stage count skipped tests by themselves', async () => {
  const tests = "import { test } from 'node:test'\ntest('a', () => {})\ntest.skip('b', () => {})\n"
  const place = chainPlace({ start: { 'a.test.mjs': tests } })
  expect((await place.run('test')).stdout).toBe('test: 1 test passed, 1 was skipped')
})

describe('an approval with blocking problems', () => {
  it.each([
    [['Name it area.'], 1, 'revise: 1 blocking problem'],
    [['', ' '], 0, 'approved'],
  ])('%j: exit code %i', async (blocking, exitCode, said) => {
    const review = { verdict: 'approve', comments: 'Fine.', blocking }
    const place = chainPlace({ start: source, answer: () => review })
    expect(await place.run('review')).toMatchObject({ exitCode, stdout: `review: ${said}` })
    expect(place.state().review?.verdict).toBe(exitCode === 0 ? 'approve' : 'revise')
  })
})
