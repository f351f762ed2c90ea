import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { digest, sha256 } from '../../../src/text/canonical-json.ts'
import { chained } from '../../../strategies/chained.ts'
import { chainedWith, chainOfTrial, stageProgram } from '../../helpers/chained/chained-with.ts'
import { needs } from '../../helpers/house/needs.ts'
import { filesTask, withoutWall } from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'
import { agentOf, playTrial } from '../../helpers/runs/trial.ts'
import { chainPlace, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

const vitest = {
  'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}\n',
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a - b\n',
  'test/sum.test.ts': `import { expect, it } from 'vitest'
import { sum } from '../src/sum.ts'
it('adds', () => expect(sum(1, 2)).toBe(3))
it('has a name', () => expect(sum.name).toBe('sum'))
`,
}
const pytest = {
  'sum.py': 'def add(a, b):\n    return a - b\n',
  'test_sum.py':
    'from sum import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_name():\n    assert add.__name__ == "add"\n',
}

/** A folder with the packages of this checkout. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder()
  writeFiles(folder, files)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const env = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' }

/** Runs `test` before and after a file of the workspace is mended. */
async function testTwice(folder: string, path: string, mended: string) {
  const before = readdirSync(folder).sort()
  const first = await runStage('test', ['42', 'w1'], folder, { env })
  const failed = stateIn(folder, 'w1').test_results
  writeFileSync(join(folder, '.bench/w1/workspace', path), mended)
  const second = await runStage('test', ['42', 'w1'], folder, { env })
  expect(readdirSync(folder).filter((name) => name !== '.bench')).toEqual(before)
  return { exitCodes: [first.exitCode, second.exitCode], failed, passed: stateIn(folder, 'w1').test_results }
}

describe('the stage test alone', () => {
  it('runs vitest with the packages of the folder, and writes nothing there', async () => {
    const folder = project(vitest)
    const mended = 'export const sum = (a: number, b: number): number => a + b\n'
    const { exitCodes, failed, passed } = await testTwice(folder, 'src/sum.ts', mended)
    expect(exitCodes).toEqual([1, 0])
    expect(failed).toMatchObject({
      summary: { total: 2, passed: 1, failed: 1 },
      failures: [{ test_name: 'adds', file: 'test/sum.test.ts', line: 3 }],
    })
    expect(passed).toMatchObject({ success: true, summary: { total: 2, passed: 2 } })
  })

  needs('python3', 'pytest for python3').it('runs pytest', async () => {
    const folder = project(pytest)
    const { exitCodes, failed, passed } = await testTwice(
      folder,
      'sum.py',
      'def add(a, b):\n    return a + b\n',
    )
    expect(exitCodes).toEqual([1, 0])
    expect(failed).toMatchObject({
      summary: { total: 2, passed: 1, failed: 1 },
      failures: [{ test_name: 'test_add', file: 'test_sum.py', line: 4 }],
    })
    expect(passed).toMatchObject({ success: true })
  })

  it.each([
    [
      'node:test',
      {
        'a.test.mjs': `import { test } from 'node:test'
test('throws', () => { throw new Error(import.meta.url + process.pid + process.cwd()) })
test('exits', () => process.exit(3))
`,
      },
    ],
    [
      'vitest',
      {
        ...vitest,
        'test/crash.test.ts': `import { it } from 'vitest'
it('rejects', () => void Promise.reject(new Error(import.meta.url)))
it('exits', () => process.exit(3))
`,
      },
    ],
  ])('leaves the same state each time: %s', async (_, files) => {
    const states = []
    for (let time = 0; time < 2; time++) {
      const place = chainPlace({ start: files })
      symlinkSync(join(root, 'node_modules'), join(place.workspace, 'node_modules'))
      expect(await place.run('test')).toMatchObject({ exitCode: 1, stderr: '' })
      states.push(place.state())
    }
    expect(states[0]).toEqual(states[1])
    expect(states[0]?.test_results?.success).toBe(false)
  })
})

describe('the stage build', () => {
  it('checks types where there is a tsconfig.json, and hands the errors to the builder', async () => {
    const tsconfig = '{"compilerOptions":{"strict":true,"noEmit":true},"include":["src"]}\n'
    const start = { 'tsconfig.json': tsconfig, 'src/a.ts': 'export const a: number = 1\n' }
    const replies = ["export const a: number = 'x'\n", 'export const a: number = 2\n']
    const place = chainPlace({
      start,
      answer: (request, workspace) => {
        if ('ask' in request) writeFileSync(join(workspace, 'src/a.ts'), replies.shift() as string)
        return 'Done.'
      },
    })
    symlinkSync(join(root, 'node_modules'), join(place.workspace, 'node_modules'))
    expect(await place.run('build')).toMatchObject({ exitCode: 1, stdout: 'build: the build has 1 error' })
    const { errors } = place.state().build_results ?? { errors: [] }
    expect(errors).toMatchObject([{ file: 'src/a.ts', line: 1, code: 'TS2322' }])
    expect(await place.run('build')).toMatchObject({ exitCode: 0, stdout: 'build: the build is good' })
    expect(place.state()).toMatchObject({ round: 2, build_results: { success: true } })
    const asks = place.requests.flatMap(({ ask }) => (ask ? [ask as { show: Record<string, string> }] : []))
    expect(asks.map(({ show }) => show.problems)).toEqual([
      undefined,
      JSON.stringify({ build_errors: errors }),
    ])
    expect(readFileSync(join(place.workspace, 'src/a.ts'), 'utf8')).toBe('export const a: number = 2\n')
  })
})

const nobody = agentOf(() => 'never')

/** A builder that asks nobody. */
const build = stageProgram(`writeFileSync('a.txt', 'built')
write({ ...state, plan: 'the plan', answer: 'It is built.', stages: [...state.stages, { stage: 'build', status: 'done' }] })`)

/** Plays a chain of build and test, which has code of its own. */
const playWith = async (code: string, more: object = {}) => {
  const strategy = chainedWith({ 'build.mjs': build, 'test.mjs': stageProgram(code) })
  const options = { ...chained.options.parse({ stages: 'build:test', ...more }) }
  const setting = { agent: nobody, strategy, options, task: filesTask() }
  const played = await playTrial(setting)
  const replayed = await playTrial({
    ...setting,
    folder: played.folder,
    replay: true,
    sandbox: startsNothing,
  })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed.record)).toEqual(withoutWall(played.record))
  return played
}
const startsNothing = () => Promise.reject(new Error('a program was started'))

const half = `const text = JSON.stringify(state)
writeFileSync(path, text.slice(0, text.length / 2))`

it.each<[string, string, RegExp]>([
  ['crashes', `throw new TypeError('no such thing')`, /^stage test: TypeError: no such thing$/],
  ['crashes by a signal', `process.kill(process.pid, 'SIGSEGV')`, /^stage test: .*SIGSEGV/],
  ['crashes while it writes over its state file', `${half}\nprocess.kill(process.pid, 'SIGSEGV')`, /SIGSEGV/],
  [
    'crashes while it writes a draft',
    `writeFileSync(path + '.draft', '{"version":')\nprocess.kill(process.pid, 'SIGSEGV')`,
    /SIGSEGV/,
  ],
  ['exits in the middle of its state file', `${half}\nprocess.exit(0)`, /the state file holds no JSON$/],
  [
    'exits in the middle of its state file, with 1',
    `${half}\nprocess.exit(1)`,
    /the state file holds no JSON$/,
  ],
  [
    'writes bytes that are no text',
    `writeFileSync(path, Buffer.from([0xff, 0xfe, 0]))`,
    /missing, no text or too large$/,
  ],
  [
    'removes its state file',
    `const { rmSync } = await import('node:fs')\nrmSync(path)`,
    /missing, no text or too large$/,
  ],
  [
    'puts a folder in the place of its state file',
    `const { mkdirSync, rmSync } = await import('node:fs')\nrmSync(path)\nmkdirSync(path)`,
    /missing, no text or too large$/,
  ],
  [
    'puts a link to a file of the machine in the place of its state file',
    `const { rmSync, symlinkSync } = await import('node:fs')\nrmSync(path)\nsymlinkSync('/etc/hostname', path)`,
    /missing, no text or too large$/,
  ],
  ['writes another JSON', `write({ ...state, round: 'two' })`, /not valid: round: /],
  [
    'takes the place of another workflow',
    `write({ ...state, workflow_id: 'other' })`,
    /of the workflow other, not of task-/,
  ],
  ['says that it failed, without a result', `write(state)\nprocess.exit(1)`, /^stage test: it ended with 1$/],
])(
  'a stage that %s ends the trial as halted with its name, and the work and the state before it are whole',
  async (_, code, detail) => {
    const spoils = `writeFileSync('a.txt', 'spoilt')\n`
    const played = await playWith(spoils + code)
    const { record } = played
    expect(record).toMatchObject({
      outcome: { status: 'completed' },
      claimed: 'halted',
      fidelity: { status: 'kept' },
    })
    expect(record.detail).toMatch(detail)
    expect(record.detail).toMatch(/^stage test: /)
    // The files of the builder, without what the stage did to them.
    expect(record.delivered).toBe(digest({ 'a.txt': sha256('built') }))
    const { state, ends } = chainOfTrial(played)
    expect(ChainState.parse(state)).toMatchObject({ plan: 'the plan', answer: 'It is built.' })
    expect(state.stages.map(({ stage }) => stage)).toEqual(['build'])
    expect(ends.at(-1)).toMatchObject({ stage: 'test', broken: record.detail?.replace('stage test: ', '') })
    expect(played.steps.findLast(({ kind }) => kind === 'state')).toMatchObject({ state })
  },
)

it('a stage that hangs is ended, and the trial as halted', async () => {
  const code = `(await import('node:child_process')).spawn('sleep', ['1000'], { stdio: 'ignore' })
setInterval(() => {}, 1000)`
  const { record } = await playWith(code, { stageSeconds: 0.7 })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, claimed: 'halted' })
  expect(record.detail).toMatch(/^stage test: .*(time|0\.7|700)/)
})

it('a stage that fails its own way may still judge the work: it writes down a result and exits with 1', async () => {
  const code = `const summary = { total: 1, passed: 0, failed: 1, skipped: 0 }
write({ ...state, test_results: { success: false, summary, failures: [{ test_name: 't', file: '', error: 'e' }] } })
process.exit(1)`
  const played = await playWith(code, { rounds: 2 })
  expect(played.record).toMatchObject({ claimed: 'exhausted', detail: 'not good after 2 rounds, by test' })
  expect(
    chainOfTrial(played)
      .ends.map(({ stage }) => stage)
      .join(' '),
  ).toBe('build test build test')
})
