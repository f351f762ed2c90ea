import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { StageProgram } from '../../../src/stage.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { foldersLeft, openBubblewrap, running, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'
import { chainOf, type End, endsOf, programOf, stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(({ role }) =>
  role === 'planner' ? 'the plan' : 'FILE: built.txt\n```\nby an agent\n```',
)

/** Runs one stage; returns its end, the trial, and the JSON of its state. */
async function runStage(program: StageProgram, sandbox?: SandboxRun) {
  const played = await playTrial({ agent, strategy: chainOf(['one', program]), task: filesTask(), sandbox })
  const [end] = endsOf(played) as [End]
  return { played, end, state: end.state === undefined ? undefined : JSON.parse(end.state) }
}

for (const [name, needed] of sandboxes) {
  const open = async () => (name === 'none' ? undefined : (await openBubblewrap())?.run)

  needs(...needed).describe(`with the sandbox ${name}, a stage`, () => {
    it('asks, changes files beside an agent, runs the checks, and writes its state', async () => {
      const { played, end, state } = await runStage(programOf('plan.mjs'), await open())
      expect(end).toEqual({ exitCode: 0, state: expect.any(String), output: 'planned', asks: 2 })
      expect(state).toEqual({ plan: 'the plan', built: 'by an agent\n', checked: 'none', version: 1 })
      expect(played.record.state?.files).toEqual({
        'a.txt': 'as it was\n',
        'built.txt': 'by an agent\n',
        'own.txt': 'changed again\n',
      })
      expect(played.record.spent.calls).toBe(2)
      expect(played.record.durationMs).toBe(2500)
      expect(played.record.history?.map(({ branch, iteration }) => [branch, iteration])).toEqual([
        ['one', { part: 'first' }],
        ['one', { part: 'first' }],
      ])
      expect(foldersLeft()).toEqual([])
    })

    it('finds its parts at the paths that its environment names, and cannot change its own files', async () => {
      const code = `
import { statSync } from 'node:fs'
const { BENCH_STAGE, BENCH_STATE, BENCH_SOCKET, EXTRA } = process.env
let wrote = 'yes'
try { writeFileSync(BENCH_STAGE + '/client.mjs', 'x') } catch (error) { wrote = error.code }
writeState({ args: process.argv.slice(2), EXTRA, wrote, uid: process.getuid(), socket: statSync(BENCH_SOCKET).mode & 0o777 })
console.log([BENCH_STAGE, BENCH_STATE, BENCH_SOCKET, process.cwd()].join(' '))`
      const command = ['node', '{stage}/own.mjs', 'a {stage}', '{stage}']
      const { end, state } = await runStage(stageOf(code, { command, env: { EXTRA: 'a b' } }), await open())
      expect(end.output).toMatch(/^\/stage \/state\/state\.json \/socket \/workspace$/)
      expect(state).toMatchObject({ EXTRA: 'a b', socket: 0o600 })
      expect(state.args[0]).toBe('a {stage}')
      if (state.uid !== 0) expect(state.wrote).toMatch(/EROFS|EACCES/)
    })

    it('that hangs ends with all that it started, and nothing is taken from its folder', async () => {
      const token = `stage-hangs-${name}-${process.pid}`
      const code = `
import { spawn } from 'node:child_process'
writeFileSync('half.txt', 'half')
spawn('sleep', ['1000.${process.pid}'], { detached: true, stdio: 'ignore' })
process.title = '${token}'
setInterval(() => {}, 1000)`
      const { played, end } = await runStage(stageOf(code, { timeoutMs: 1500 }), await open())
      expect(end).toMatchObject({ exitCode: null, reason: 'still running after the limit of 1500 ms' })
      expect(end.state).toBeUndefined()
      expect(played.record.state?.files).toEqual({ 'a.txt': 'as it was\n' })
      expect(played.record.outcome.status).toBe('completed')
      expect(running(`1000.${process.pid}`)).toBe(0)
    })

    it('that crashes while it writes its state leaves the state of the chain whole', async () => {
      const { end, played } = await runStage(
        stageOf(`writeFileSync(process.env.BENCH_STATE, '{"half":'); process.kill(process.pid, 'SIGSEGV')`),
        await open(),
      )
      expect(end).toMatchObject({ exitCode: null, reason: 'was ended by SIGSEGV' })
      expect(end.state).toBeUndefined()
      expect(played.record.outcome.status).toBe('completed')
    })
  })
}

needs('bwrap', 'python3').it(
  'a stage in Python asks over its socket and can open no socket of another kind',
  async () => {
    const sandbox = (await openBubblewrap())?.run
    const program = programOf('raw.py', { command: ['python3', '{stage}/raw.py'] })
    const { state, end } = await runStage(program, sandbox)
    expect(end.output).toBe('')
    expect(state).toEqual({ reply: 'the plan', refused: [true, true, true] })
  },
)

needs('bwrap').it('a stage in a sandbox has no network but its socket', async () => {
  const sandbox = (await openBubblewrap())?.run
  const code = `
import { networkInterfaces } from 'node:os'
writeState({ names: Object.keys(networkInterfaces()).filter((name) => name !== 'lo') })`
  expect((await runStage(stageOf(code), sandbox)).state).toEqual({ names: [] })
})

it.each([
  [0, '{"n":7}\n'],
  [1, '{"n":7}\n'],
  [2, undefined],
  [3, undefined],
])(
  'a stage in a shell script runs without asking; with the exit code %i its state is %j',
  async (exitCode, state) => {
    const program = programOf('own.sh', {
      command: ['sh', '{stage}/own.sh', 'seven'],
      code: `echo "$1" > said.txt; echo '{"n":7}' > "$BENCH_STATE"; echo told; echo wrong >&2; exit ${exitCode}\n`,
    })
    const { end, played } = await runStage(program)
    expect(end).toEqual({ exitCode, ...(state && { state }), output: 'told\nwrong', asks: 0 })
    expect(played.record.state?.files).toMatchObject({ 'said.txt': 'seven\n' })
  },
)

it.each(tableOf<[string, string][]>(import.meta.url, 'stateFile'))(
  'a state file that %s is no state, and the chain goes on with the one before',
  async (_, code) => {
    const strategy = chainOf(
      ['bad', stageOf(code)],
      ['next', stageOf(`writeState({ ...readState(), next: 1 })`)],
    )
    const played = await playTrial({ agent, strategy, task: filesTask() })
    const [bad, next] = endsOf(played)
    expect(bad?.exitCode).toBe(0)
    expect(bad?.state).toBeUndefined()
    expect(next?.state).toBe('{"next":1}')
  },
)

it('a text in the state file that is no JSON comes to the method as it is', async () => {
  const played = await playTrial({
    agent,
    strategy: chainOf(['one', stageOf(`writeFileSync(process.env.BENCH_STATE, '{"half":')`)]),
    task: filesTask(),
  })
  expect(endsOf(played)[0]?.state).toBe('{"half":')
})

it('two stages in parallel branches see neither the files nor the state of the other', async () => {
  const code = (word: string) =>
    stageOf(
      `writeFileSync('${word}.txt', '${word}')
await bench.request({ ask: { role: 'planner', prompt: '${word}' } })
import { readdirSync } from 'node:fs'
writeState({ ...readState(), files: readdirSync('.').sort(), socket: process.env.BENCH_SOCKET })`,
      { state: JSON.stringify({ word }) },
    )
  const strategy = strategyOf(async (context: AnyContext) => {
    const both = await Promise.all(
      ['left', 'right'].map((word) =>
        context.branch(word, async (inner) => (await inner.stage('same', code(word))).state ?? ''),
      ),
    )
    return { stopReason: 'done', answer: '42', state: { both } }
  })
  const played = await playTrial({ agent, strategy, task: filesTask() })
  const [left, right] = (played.record.state as { both: string[] }).both.map((text) => JSON.parse(text))
  expect(left).toMatchObject({ word: 'left', files: ['a.txt', 'left.txt'] })
  expect(right).toMatchObject({ word: 'right', files: ['a.txt', 'right.txt'] })
  expect(left.socket).not.toBe(right.socket)
  expect(played.steps.map(({ key }) => key).sort()).toEqual([
    'grade#0',
    'left#0',
    'left/same#0',
    'right#0',
    'right/same#0',
  ])
  expect(played.record.durationMs).toBe(1500)
})

it.each([
  ['an id with a slash', 'a/b', {}, 'the id must be letters'],
  ['no program', 'a', { command: [] }, 'command: must name a program'],
  ['a role that is not there', 'a', { roles: ['boss'] }, 'may ask role "boss"'],
  ['a file outside of its folder', 'a', { files: { '../x': '' } }, 'files.../x'],
  ['a variable of bench', 'a', { env: { BENCH_STATE: '/' } }, 'must not begin with BENCH_'],
  ['a field that is not known', 'a', { shell: true }, 'shell'],
])('a stage with %s is an error of the method', async (_, id, change, message) => {
  const program = { ...programOf('plan.mjs'), ...change } as StageProgram
  const strategy = strategyOf(async (context: AnyContext) => {
    await context.stage(id, program)
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent, strategy, task: filesTask() })
  expect(record.outcome.status).toBe('failed')
  expect(record.outcome.reason).toContain(message)
})

it('a link that a stage puts in place of a folder leads no edit of a reply out of the workspace', async () => {
  const outside = folderOf({ 'x.txt': 'not to be touched' })
  const linking = agentOf(() => 'FILE: d/x.txt\n```\nby an agent\n```')
  const program = stageOf(`
import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
symlinkSync(${JSON.stringify(outside)}, 'd')
await bench.request({ ask: { role: 'solver', prompt: 'p' } })
writeState({ link: lstatSync('d').isSymbolicLink(), text: readFileSync('d/x.txt', 'utf8') })`)
  const played = await playTrial({ agent: linking, strategy: chainOf(['one', program]), task: filesTask() })
  expect(endsOf(played)[0]?.state).toBe('{"link":false,"text":"by an agent\\n"}')
  expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('not to be touched')
  expect(played.record.state?.files).toMatchObject({ 'd/x.txt': 'by an agent\n' })
})

it('a step of a graph can run a stage', async () => {
  const strategy = strategyOf(async (context: AnyContext) => {
    const step = (id: string, after: string[] = []) => ({
      id,
      after,
      run: async (inner: AnyContext) => {
        const { workspace, state } = await inner.stage(
          'work',
          stageOf(`
writeFileSync('${id}.txt', (await bench.request({ ask: { role: 'planner', prompt: '${id}' } })).reply)
import { readdirSync } from 'node:fs'
writeState({ files: readdirSync('.').sort() })`),
        )
        inner.workspace.adopt(workspace)
        return state
      },
    })
    const results = await context.graph([step('a'), step('b'), step('c', ['a', 'b'])])
    return { stopReason: 'done', answer: '42', state: { last: results.get('c') } }
  })
  const setting = { agent, strategy, task: filesTask() }
  const played = await playTrial(setting)
  expect(played.record.state?.last).toMatchSnapshot()
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
})
