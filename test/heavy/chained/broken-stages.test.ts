import { expect, it } from 'vitest'
import { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { digest, sha256 } from '../../../src/text/canonical-json.ts'
import { chained } from '../../../strategies/chained.ts'
import { chainedWith, chainOfTrial, stageProgram } from '../../helpers/chained/chained-with.ts'
import { filesTask, withoutWall } from '../../helpers/machine/programs.ts'
import { agentOf, playTrial } from '../../helpers/runs/trial.ts'

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
