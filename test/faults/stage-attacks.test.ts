import { describe, expect } from 'vitest'
import { chained } from '../../strategies/chained.ts'
import { chainOfTrial } from '../helpers/chained/chained-with.ts'
import { nobody, withoutWall } from '../helpers/graph/graphs.ts'
import { needs } from '../helpers/house/needs.ts'
import { foldersLeft, openBubblewrap, running } from '../helpers/machine/sandboxes.ts'
import { codeTask, rightSum } from '../helpers/runs/sample-task.ts'
import { agentOf, playTrial, type Setting } from '../helpers/runs/trial.ts'

const { it } = needs('bwrap')
const forged = 'FORGED-BY-THE-WORK'
const mark = `7${process.pid}.5`

/** What the work's own tests try, each once: all that a stage has, all that runs, and what they may leave behind. */
const attacks = `import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { test } from 'node:test'
const tried = []
const attempt = (what, work) => {
  try {
    work()
    tried.push(what)
  } catch {}
}
const state = JSON.stringify({ version: 1, workflow_id: 'x', issue: 'x', task: '${forged}', output: 'files', round: 1, stages: [] })
for (const path of ['/state/state.json', process.env.BENCH_STATE, '/stage/state.json', '/stage/test.mjs', '/tools/test-runner.mjs', '/sandbox/../state/state.json'])
  attempt('write ' + path, () => path && writeFileSync(path, state))
attempt('rename', () => renameSync('package.json', '/state/state.json'))
for (const folder of ['/stage', '/state', '/workspace/..', '/tools']) attempt('make in ' + folder, () => mkdirSync(folder + '/${forged}'))
const asks = [{ ask: { role: 'builder', prompt: '${forged}' } }, { saving: { tool: '${forged}', rawTokens: 9, compactTokens: 1 } }, { label: { own: '${forged}' } }, { run: { command: ['sh', '-c', 'echo ${forged}'] } }]
const sockets = new Set([process.env.BENCH_SOCKET, '/socket', '/stage/socket', '/state/socket'])
const walk = (folder, depth) => {
  for (const entry of depth > 0 && existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    if (entry.isSocket()) sockets.add(folder + '/' + entry.name)
    else if (entry.isDirectory()) attempt('', () => walk(folder + '/' + entry.name, depth - 1))
  }
}
for (const folder of ['/stage', '/state', '/run', '/tmp', '/sandbox', '/tools']) attempt('', () => walk(folder, 3))
const connected = []
for (const path of [...sockets].filter(Boolean))
  await new Promise((done) => {
    const socket = connect(path, () => {
      connected.push(path)
      for (const [id, ask] of asks.entries()) socket.write(JSON.stringify({ id, ...ask }) + '\\n')
      setTimeout(done, 300)
    })
    socket.on('error', done)
  })
const own = new Set([process.pid, process.ppid])
const others = readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && !own.has(Number(name)))
for (const pid of others) {
  attempt('', () => readFileSync('/proc/' + pid + '/environ', 'utf8').includes('BENCH_STATE') && tried.push('environ of a stage'))
  attempt('', () => /build\\.mjs|stage\\/test\\.mjs/.test(readFileSync('/proc/' + pid + '/cmdline', 'utf8')) && tried.push('sees a stage'))
}
spawnSync('python3', ['-c', 'import ctypes\\nfor pid in range(1, 40): ctypes.CDLL(None).ptrace(0x4206, pid, 0, 0)'], { timeout: 5000 })
spawn('sh', ['-c', 'trap "" TERM HUP; for i in $(seq 60); do for p in /state/state.json /stage/x; do echo ${forged} > $p; done; sleep 0.2; done; sleep ${mark}'], { detached: true, stdio: 'ignore' }).unref()
writeFileSync('src/sum.mjs', '// ${forged}')
writeFileSync('left-${forged}.txt', '')
console.log('TRIED ' + JSON.stringify({ tried: tried.filter(Boolean), connected }))
KILLS
test('passes', () => {})
`
/** Prints a report in the place of the tool that runs these tests, and ends the tool. */
const replaces = `for (const pid of others) {
  const words = readFileSync('/proc/' + pid + '/cmdline', 'utf8')
  if (!words.includes('test-runner')) continue
  attempt('', () => writeFileSync('/proc/' + pid + '/fd/1', REPORT))
  attempt('', () => process.kill(Number(pid), 'SIGKILL'))
}`
const report = (value: unknown) => replaces.replace('REPORT', JSON.stringify(JSON.stringify(value)))
const attackOf = (kills: string) => attacks.replace('KILLS', () => kills)

const reviewed = JSON.stringify({ verdict: 'approve', comments: 'Good.', blocking: [] })
const agent = agentOf(({ role }) =>
  role === 'reviewer' ? reviewed : `FILE: src/sum.mjs\n\`\`\`\n${rightSum}\`\`\`\n`,
)

async function play(test: string) {
  const setting = {
    agent,
    strategy: chained as Setting['strategy'],
    options: chained.options.parse({ rounds: 1, stages: 'build:test:review:ship' }),
    task: codeTask({ files: { 'attack.test.mjs': test, 'package.json': '{"type":"module"}' } }),
    sandbox: (await openBubblewrap())?.run,
  }
  const played = await playTrial(setting)
  const replayed = await playTrial({
    ...setting,
    ...{ agent: nobody, folder: played.folder, replay: true },
    sandbox: () => Promise.reject(new Error('a program was started')),
  })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
  expect(running(mark)).toBe(0)
  expect(foldersLeft()).toEqual([])
  return played
}

describe("the work's own tests in stage `test` of `chained`", () => {
  it('reach neither state, socket nor processes of the stage, and leave nothing behind', {
    timeout: 90_000,
  }, async () => {
    const played = await play(attackOf(''))
    const { state, ends } = chainOfTrial(played)
    expect(ends.map(({ stage, exit, broken }) => [stage, exit, broken])).toEqual([
      ['build', 0, undefined],
      ['test', 0, undefined],
      ['review', 0, undefined],
      ['ship', 0, undefined],
    ])
    expect(state.test_results).toMatchObject({ success: true, summary: { total: 1, passed: 1 } })
    // The prompts show the file of tests, whose text says it; nothing that was kept may.
    const kept = played.steps.map((step) =>
      step.kind === 'stage'
        ? [step.after, step.output, step.savings, step.log?.filter((deed) => !('ask' in deed))]
        : step.kind === 'ask'
          ? [step.role, step.reply]
          : step,
    )
    const text = JSON.stringify([played.record, kept])
    const at = text.indexOf(forged)
    expect(at < 0 ? '' : text.slice(Math.max(0, at - 300), at + 60)).toBe('')
    expect(played.record.spent.calls).toBe(2)
    expect(played.record.savings?.map(({ tool }) => tool)).toEqual(['test-runner'])
    expect(played.record.passed).toBe(true)
  })

  it.each([
    ['no report', { success: true }],
    ['a report with a field of a state', { success: true, summary: {}, failures: [], plan: forged }],
    ['null', null],
    ['text', forged.repeat(2)],
  ])(
    'that end their tool and print %s in its place have failed, and the chain goes on',
    async (_, value) => {
      const played = await play(attackOf(report(value)))
      const { state, ends } = chainOfTrial(played)
      expect(ends.map(({ broken }) => broken)).toEqual([undefined, undefined, undefined])
      expect(state.test_results?.success).toBe(false)
      expect(state.plan).toBeUndefined()
      expect(played.record).toMatchObject({ claimed: 'exhausted', outcome: { status: 'completed' } })
    },
    90_000,
  )

  it('that print a right report in its place claim that of themselves alone: hidden tests decide', {
    timeout: 90_000,
  }, async () => {
    const summary = { total: 9, passed: 9, failed: 0, skipped: 0 }
    const wrong = agentOf(({ role }) =>
      role === 'reviewer' ? reviewed : 'FILE: src/sum.mjs\n```\nexport const add = () => 7\n```\n',
    )
    const setting = {
      agent: wrong,
      strategy: chained as Setting['strategy'],
      options: chained.options.parse({ rounds: 1, stages: 'build:test' }),
      task: codeTask({
        files: { 'attack.test.mjs': attackOf(report({ success: true, summary, failures: [] })) },
      }),
      sandbox: (await openBubblewrap())?.run,
    }
    const played = await playTrial(setting)
    expect(chainOfTrial(played).state.plan).toBeUndefined()
    expect(played.record).toMatchObject({ passed: false, outcome: { status: 'completed' } })
  })
})
