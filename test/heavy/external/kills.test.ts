import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import {
  asksOf,
  bench,
  benchOk,
  intentsOf,
  recordsOf,
  startBench,
  stepsOf,
  until,
} from '../../helpers/runs/cli.ts'
import { applications, liveRun, trialsOf } from '../../helpers/stages/applications.ts'
import type { ModelRequest } from '../../model-server/script.ts'

const answer = 'Answer: 418'
const resume = ['run', '--resume', 'r', '--quiet', '--allow-unsandboxed']
const bodyOf = ({ body }: ModelRequest) => JSON.stringify(body)

describe('a program that is killed', () => {
  it('with bench in a request starts anew: what it had asked is void, and no answer is doubled', async () => {
    let isFirst = true
    const { cwd, env, server, methods } = await applications(
      (request) => {
        // The second request of the first start hangs.
        if (isFirst && bodyOf(request).includes('two')) return { failure: { kind: 'hang' } }
        return { text: answer }
      },
      {
        app: `await ask('one'); writeFileSync('made.txt', 'made'); await ask('two'); console.log(await ask('three'))`,
      },
    )
    const run = startBench(liveRun(methods), { cwd, env })
    const folder = join(cwd, 'r')
    await until(() => server.asked() === 2 || run.isOver())
    await until(() => asksOf(folder).length === 1 || run.isOver())
    run.kill('SIGKILL')
    await run.ended
    expect(recordsOf(folder)).toEqual([])
    isFirst = false
    await benchOk(resume, { cwd, env })

    const asks = asksOf(folder)
    const [record] = recordsOf(folder)
    expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: true, spent: { calls: 3 } })
    const [voided] = stepsOf(folder).flatMap((step) => (step.kind === 'void' ? [step] : []))
    expect(voided?.keys).toEqual(['application#0/1'])
    expect(voided?.reason).toBe('the program of stage "application" was interrupted and starts anew')
    // The one in flight is paid, perhaps; the one before it is paid.
    expect(asks.filter(({ maybePaid }) => maybePaid).map(({ key }) => key)).toEqual(['application#1'])
    const names = (step: { key: string }) => step.key
    expect(asks.map(names).sort()).toEqual([0, 0, 1, 1, 2].map((n) => `application#${n}`))
    expect(intentsOf(folder)).toHaveLength(5)
    // Each request of the server is in the ledger: answered, void, or maybe paid.
    expect(server.asked()).toBe(asks.length)
    await benchOk(['replay', 'r'], { cwd })
    expect(server.asked()).toBe(5)
  })

  needs('bwrap').it('from outside runs once more in its session, and a second kill is an error', async () => {
    const kills = new Map<string, number>()
    const { cwd, env, methods } = await applications(
      // The test stands for who is outside: it kills the sandbox of the program while that asks.
      (request) => {
        const [, name = ''] = /(once|twice) two/.exec(bodyOf(request)) ?? []
        const count = kills.get(name) ?? 0
        if (name === '' || count === (name === 'once' ? 1 : 2)) return { text: answer }
        kills.set(name, count + 1)
        killSandboxOf(name)
        return { failure: { kind: 'hang' } }
      },
      {
        once: `await ask('once one'); console.log(await ask('once two'))`,
        twice: `await ask('twice one'); await ask('twice two')`,
      },
    )
    await bench(liveRun(methods), { cwd, env })
    const { once, twice } = trialsOf(join(cwd, 'r'))
    expect(once?.record).toMatchObject({
      outcome: { status: 'completed' },
      passed: true,
      spent: { calls: 2 },
    })
    expect(twice?.record.outcome.status).toBe('error')
    expect(kills).toEqual(
      new Map([
        ['once', 1],
        ['twice', 2],
      ]),
    )
    await benchOk(['replay', 'r'], { cwd })
  })
})

/** Kills the outermost process of the sandbox in which a program runs. */
function killSandboxOf(name: string): void {
  for (const pid of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    let words = ''
    try {
      words = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    } catch {
      continue
    }
    const isWrapper = /bwrap/.test(words.split('\0').find((word) => /(^|\/)bwrap$/.test(word)) ?? '')
    if (
      isWrapper &&
      words.includes(`/stage/app/${name}.mjs`) &&
      !/setpriv|nsenter|unshare/.test(words.split('\0')[0] ?? '')
    )
      process.kill(Number(pid), 'SIGKILL')
  }
}

describe('limits hold inside of a program', () => {
  const eight = (name: string) => `
const all = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((n) => ask('${name} ' + n)))
const said = all.map(({ status, reason }) => (status === 'fulfilled' ? 'ok' : reason.message))
writeFileSync('said.txt', said.join('\\n'))
console.log(said.filter((one) => one === 'ok').length + ' ok; ' + said.find((one) => one !== 'ok'))`

  it('of calls and tokens of a trial, beside each other, and a replay finds the same', async () => {
    const { cwd, env, server, methods } = await applications(
      (request) => {
        const output = bodyOf(request).includes('tokens') ? 300 : 1
        return { text: answer, usage: { input: 100, output } }
      },
      {
        calls: eight('calls'),
        tokens: eight('tokens'),
        fails: `${eight('fails')}\nconsole.log('${answer}'); process.exitCode = 1`,
      },
    )
    await bench(liveRun(methods, '--limit', 'calls=5', '--limit', 'tokens=900'), { cwd, env })
    const { calls, tokens, fails } = trialsOf(join(cwd, 'r'))
    expect(calls?.record.outcome).toEqual({ status: 'limited', reason: 'calls: 5 of 5 calls used' })
    expect(calls?.stage.stdout).toBe(
      '5 ok; 403 {"error":{"message":"5 of 5 calls used","type":"permission_error","param":null,"code":null}}\n',
    )
    // Requests that may use more than what is left go out one after the other.
    expect(tokens?.record.outcome).toEqual({ status: 'limited', reason: 'tokens: 1200 of 900 tokens used' })
    expect([calls, tokens].map((one) => one?.record.spent.calls)).toEqual([5, 3])
    // What it printed in the end is graded, whatever its exit code.
    expect(fails?.record).toMatchObject({ outcome: { status: 'limited' }, passed: true })
    expect(fails?.record.answer).toMatch(/Answer: 418$/)
    expect(server.asked()).toBe(13)
    await benchOk(['replay', 'r'], { cwd })
  })

  it('of dollars of the run: the trial waits for a session that may spend more, and starts anew', async () => {
    const usage = { input: 1000, output: 1000 }
    const { cwd, env, server, methods } = await applications(() => ({ text: answer, usage }), {
      app: `for (let n = 0; n < 6; n++) await ask('app ' + n)\nconsole.log('${answer}')`,
    })
    writeFileSync(
      join(cwd, 'p.yaml'),
      'date: 2026-11-01\nsource: a list\nprices:\n  openai-compatible:local-model: { input: 1000, output: 1000 }\n',
    )
    const ended = await bench(liveRun(methods, '--prices', 'p.yaml', '--max-cost', '5'), { cwd, env })
    expect(ended.stderr).toMatch(/costUsd|limit/)
    const folder = join(cwd, 'r')
    expect(recordsOf(folder)).toEqual([])
    expect(server.asked()).toBe(3)
    await benchOk([...resume, '--max-cost', '100'], { cwd, env })
    expect(recordsOf(folder)[0]).toMatchObject({ passed: true, spent: { calls: 6, costUsd: 12 } })
    expect(server.asked()).toBe(9)
    expect(existsSync(folder)).toBe(true)
    await benchOk(['replay', 'r'], { cwd })
  })
})
