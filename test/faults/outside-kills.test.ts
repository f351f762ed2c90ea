import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { runAgainIfKilled } from '../../src/sandbox/killed.ts'
import type { SandboxRun } from '../../src/sandbox/sandbox.ts'
import { InfrastructureError } from '../../src/text/errors.ts'
import { nobody, withoutWall } from '../helpers/graph/graphs.ts'
import { needs } from '../helpers/house/needs.ts'
import { filesTask } from '../helpers/machine/programs.ts'
import { openBubblewrap } from '../helpers/machine/sandboxes.ts'
import { codeTask, rightSum, sumTests } from '../helpers/runs/sample-task.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../helpers/runs/trial.ts'
import { chainOf, endsOf, stageOf } from '../helpers/stages/stages.ts'
import { mcpFixtures, notesTool, resolved, textsOf, withServer } from '../helpers/tools/mcp-tools.ts'

/**
 * Kills processes below this one, from outside: the first whose command line fits, and so on until `times` are killed or 25 s are
 * over. Returns how many were.
 */
async function killBelow(
  fits: (words: string) => boolean,
  signal: NodeJS.Signals,
  times = 1,
): Promise<number> {
  const killed = new Set<number>()
  const until = performance.now() + 25_000
  while (killed.size < times && performance.now() < until) {
    const found = below(process.pid).find((pid) => !killed.has(pid) && fits(read(`/proc/${pid}/cmdline`)))
    if (found !== undefined) {
      killed.add(found)
      process.kill(found, signal)
    }
    await setTimeout(found === undefined ? 15 : 150)
  }
  return killed.size
}

/** The process that wraps a program in its sandbox; or the program itself, of which the words are known. */
const wrapperOf = (mark: string) => (words: string) => words.includes('bwrap') && words.includes(mark)
const programOf = (mark: string) => (words: string) => !words.includes('bwrap') && words.includes(mark)

/** The processes below one, each before those that it started. */
const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)])

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).trim().split(/\s+/).filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const { it } = needs('bwrap')
const opened: { run?: Promise<SandboxRun> } = {}
const sandbox = () => {
  opened.run ??= openBubblewrap().then((one) => (one as NonNullable<typeof one>).run)
  return opened.run
}
const noSandbox: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))

/** A stage that asks, runs a tool, waits, and asks again. */
const program = stageOf(`import { setTimeout } from 'node:timers/promises'
const ask = async (prompt) => (await bench.request({ ask: { role: 'solver', prompt } })).reply
writeFileSync('first.txt', await ask('first'))
const { reply } = await bench.request({ run: { command: ['node', '-e', 'setTimeout(() => console.log("the-tool"), 700)'] } })
writeFileSync('ran.txt', reply.stdout)
await setTimeout(900)
writeFileSync('second.txt', await ask('second'))
writeState({ done: true })`)

/** Plays the stage; `kill` is called when its first ask is answered. */
async function play(kill?: () => Promise<number>) {
  const asked: string[] = []
  let killing: Promise<number> | undefined
  const agent = agentOf(({ prompt }) => {
    asked.push(prompt)
    killing ??= kill?.()
    return `FILE: by-agent.txt\n\`\`\`\n${asked.length}\n\`\`\``
  })
  const setting = { agent, strategy: chainOf(['one', program]), task: filesTask(), sandbox: await sandbox() }
  const played = await playTrial(setting)
  const { status, reason } = played.record.outcome
  const replayed = await playTrial({
    ...setting,
    ...{ agent: nobody, folder: played.folder, replay: true, sandbox: noSandbox },
    ...(status === 'error' && { broke: reason }),
  })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
  return { ...played, asked: asked.length, killed: await killing }
}

const signals = ['SIGKILL', 'SIGTERM'] as const
const ofStage = { program: programOf('/stage/own.mjs'), wrapper: wrapperOf('/stage/own.mjs') }

describe('a stage that is ended from outside', () => {
  it.each(signals)(
    'by %s runs again: what was answered is not asked again, and nothing differs from a run without',
    async (signal) => {
      const whole = await play()
      expect(whole).toMatchObject({ asked: 2, begunAnew: [] })
      for (const fits of [...Object.values(ofStage), programOf('the-tool'), wrapperOf('the-tool')]) {
        const played = await play(() => killBelow(fits, signal))
        expect(played).toMatchObject({ killed: 1, asked: 2 })
        expect(withoutWall(played)).toEqual(withoutWall(whole))
        expect(played.steps).toEqual(whole.steps.map((step) => ({ ...step, trial: expect.any(String) })))
        const isOfStage = Object.values(ofStage).includes(fits)
        expect(played.begunAnew).toEqual(
          isOfStage ? [expect.stringMatching(`stage "one" was ended by ${signal}.*so it ran again`)] : [],
        )
      }
    },
    120_000,
  )

  it.each(signals)(
    'by %s twice is an error of its trial, which replay finds again, and no failure of the method',
    async (signal) => {
      for (const fits of Object.values(ofStage)) {
        const played = await play(() => killBelow(fits, signal, 2))
        expect(played).toMatchObject({ killed: 2, asked: 1 })
        expect(played.record.outcome).toMatchObject({
          status: 'error',
          reason: expect.stringContaining(`stage "one" was ended by ${signal}, which no limit`),
        })
        expect(played.record.spent.calls).toBe(1)
      }
      const twice = await play(() => killBelow(wrapperOf('the-tool'), signal, 2))
      expect(twice.record.outcome).toMatchObject({ status: 'error', reason: expect.stringContaining(signal) })
    },
    120_000,
  )

  it('a tool that is killed twice by what may be itself is answered, as the deed of its code', async () => {
    const played = await play(() => killBelow(programOf('the-tool'), 'SIGKILL', 2))
    expect(played).toMatchObject({ killed: 2, asked: 2 })
    expect(endsOf(played)).toMatchObject([{ exitCode: 0 }])
    expect(played.steps.find(({ kind }) => kind === 'run')).toMatchObject({ reason: 'was ended by SIGKILL' })
  })

  it('that does something else when it runs again is an error, and is not asked for both', async () => {
    const other = stageOf(`import { setTimeout } from 'node:timers/promises'
await bench.request({ ask: { role: 'solver', prompt: String(process.hrtime.bigint()) } })
await setTimeout(900)`)
    let killing: Promise<number> | undefined
    const agent = agentOf(() => {
      killing ??= killBelow(ofStage.program, 'SIGKILL')
      return 'a reply'
    })
    const strategy = chainOf(['one', other])
    const played = await playTrial({ agent, strategy, task: filesTask(), sandbox: await sandbox() })
    expect(await killing).toBe(1)
    expect(played.record.outcome).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('did something else than before'),
    })
    expect(played.record.spent.calls).toBe(1)
  })
})

describe('a grader that is ended from outside', () => {
  const right = strategyOf(async ({ workspace }: AnyContext) => {
    workspace.apply([{ path: 'src/sum.mjs', content: rightSum }])
    return { stopReason: 'done' }
  })
  const slow = { 'sum.test.mjs': `await new Promise((go) => setTimeout(go, 900))\n${sumTests}` }
  const grade = async (fits: (words: string) => boolean, signal: NodeJS.Signals, times: number) => {
    const killing = killBelow(fits, signal, times)
    const setting = { agent: nobody, strategy: right, task: codeTask({ tests: slow }) }
    const { record } = await playTrial({ ...setting, sandbox: await sandbox() })
    expect(await killing).toBe(times)
    return record
  }
  const tests = '.bench/node-test.mjs'

  it.each(signals)(
    'by %s grades again; twice from outside for certain, its trial is an error',
    async (signal) => {
      for (const fits of [programOf(tests), wrapperOf(tests)])
        expect(await grade(fits, signal, 1)).toMatchObject({ passed: true, outcome: { status: 'completed' } })
      const { outcome } = await grade(wrapperOf(tests), signal, 2)
      expect(outcome).toMatchObject({
        status: 'error',
        reason: expect.stringContaining(`was ended by ${signal}`),
      })
    },
    120_000,
  )
})

describe('a program that ends itself by a signal', () => {
  it('has two runs and then its own end; a crash of a stage has one run', async () => {
    let runs = 0
    const count: SandboxRun = async (command) => {
      runs++
      return (await sandbox())(command)
    }
    const command = { files: {}, command: ['sh', '-c', 'kill -9 $$'], timeoutMs: 9000 }
    expect(await runAgainIfKilled(count)(command)).toMatchObject({ killedBy: 'SIGKILL', exitCode: null })
    expect(runs).toBe(2)
    const crash = stageOf(`process.kill(process.pid, 'SIGSEGV')`)
    const setting = { agent: nobody, task: filesTask(), sandbox: count }
    const played = await playTrial({ ...setting, strategy: chainOf(['one', crash]) })
    expect(endsOf(played)).toMatchObject([{ exitCode: null, reason: 'was ended by SIGSEGV' }])
    expect(runs).toBe(3)
  })

  it('by a limit of the sandbox, or by its peer, is not taken for killed', async () => {
    let runs = 0
    const count: SandboxRun = async (command) => {
      runs++
      return (await sandbox())(command)
    }
    const run = runAgainIfKilled(count)
    const late = { files: {}, command: ['sleep', '60'], timeoutMs: 300 }
    expect(await run(late)).toMatchObject({ ended: 'wall', stopped: true })
    const peer = { files: {}, command: ['sleep', '60'] }
    expect(await run({ files: {}, command: ['true'], timeoutMs: 9000, peer })).toMatchObject({ exitCode: 0 })
    expect(runs).toBe(2)
  })
})

describe('an MCP server that is ended from outside', () => {
  const call = async (stateless: boolean, signal: NodeJS.Signals, times: number) => {
    const tool = await resolved(notesTool({ stateless }), { cwd: mcpFixtures, sandbox: await sandbox() })
    return withServer(tool, { sandbox: await sandbox() }, async (server) => {
      const results = [await server.call('count', {})]
      for (let kill = 0; kill < times; kill++) {
        expect(await killBelow(wrapperOf('mcp-bridge.mjs'), signal)).toBe(1)
        // Until the server's end is seen, a call would be made to it.
        await setTimeout(1500)
        results.push(await server.call('count', {}))
      }
      return textsOf(results)
    })
  }

  it.each(signals)(
    'by %s starts again if it has no state; else, or the second time, it is an error',
    async (signal) => {
      expect(await call(true, signal, 1)).toEqual([
        ['ok', 'call 1'],
        ['ok', 'call 1'],
      ])
      await expect(call(true, signal, 2)).rejects.toThrow(InfrastructureError)
      await expect(call(false, signal, 1)).rejects.toThrow(/the MCP server notes was ended by SIG/)
    },
    60_000,
  )
})
