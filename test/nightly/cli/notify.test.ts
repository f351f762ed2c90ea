import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Notification } from '../../../src/schema/run/notification.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused, startBench, until } from '../../helpers/runs/cli.ts'
import { type HookCall, startHookServer } from '../../helpers/servers/hook-server.ts'

describe('notify', () => {
  const told = (calls: readonly HookCall[]) => calls.map(({ body }) => Notification.parse(JSON.parse(body)))

  describe('bench run --notify', () => {
    it('tells that trials wait for a person, with their questions', async () => {
      const { url, calls } = await startHookServer()
      const cwd = tempFolder()
      const text = `import { defineStrategy, z } from 'orchestration-bench'
      export default defineStrategy({
        name: 'asking', summary: 'Asks.', roles: { solver: 'produce' }, options: z.strictObject({}),
        run: async ({ approve, ask }) => {
          const answer = await ask('solver', 'Go.')
          await approve('Hand it in?')
          return { answer, stopReason: 'done' }
        },
      })`
      writeFileSync(join(cwd, 'asking.mjs'), text)
      const options = argv`--tasks lamp-paths --methods ./asking.mjs --out run --approve park`
      expect((await bench([...options, '--notify', url], { cwd })).code).toBe(4)
      const [{ status, reason, exitCode, waiting, ...sums } = {} as Notification] = told(calls)
      expect({ status, reason, exitCode }).toEqual({
        status: 'parked',
        reason: '1 trial waiting for a person',
        exitCode: 4,
      })
      expect(waiting).toEqual([{ trial: expect.any(String), question: 'Hand it in?' }])
      // The ledger has its call, although no trial has ended.
      expect(sums.done).toBe(0)
      expect(sums.costUsd).toBeGreaterThan(0)
      expect(sums.costIsLowerBound).toBe(false)
      writeFileSync(
        join(cwd, 'silent.mjs'),
        'export default ({ trial }) => ({ text: "x", ...(trial.epoch === 1 && { costUsd: 0.25 }) })\n',
      )
      const silent = ['--agents', 'scripted:silent.mjs', '--epochs', '2', ...options.with(5, 'silent')]
      expect((await bench([...silent, '--notify', url], { cwd })).code).toBe(4)
      expect(told(calls)[1]).toMatchObject({ done: 0, costUsd: 0.25, costIsLowerBound: true })
    })

    it('tells that the run broke', async () => {
      const { url, calls } = await startHookServer()
      const cwd = tempFolder()
      const text =
        "import { rmSync } from 'node:fs'\nexport default () => rmSync('run', { recursive: true }) ?? 'x'\n"
      writeFileSync(join(cwd, 'removing.mjs'), text)
      const options = argv`--tasks answers --methods baseline --agents scripted:removing.mjs --out run`
      expect((await bench([...options, '--notify', url], { cwd })).code).toBe(1)
      expect(told(calls)).toMatchObject([{ run: 'run', status: 'failed', exitCode: 1, trials: null }])
      expect(told(calls)[0]?.reason).toContain('run')
    })
  })
})

const plan = ['--tasks', 'answers', '--methods', 'baseline,retry', '--quiet']
const told = (calls: readonly HookCall[]) => calls.map(({ body }) => Notification.parse(JSON.parse(body)))

describe('bench run --notify', () => {
  it('tells an address how a whole run ended', async () => {
    const { url, calls } = await startHookServer()
    await benchOk([...plan, '--out', 'a/run-1', '--notify', url])
    const [only, ...more] = told(calls)
    expect(more).toEqual([])
    expect(only).toMatchObject({
      ...{ run: 'run-1', status: 'complete', reason: null, exitCode: 0, simulated: true, errors: 0 },
      methods: [{ method: 'baseline' }, { method: 'retry' }],
      waiting: [],
    })
    expect(only?.done).toBe(only?.trials)
    expect(only?.costUsd).toBeGreaterThan(0)
    for (const { success, graded } of only?.methods ?? []) expect(success !== null && graded > 0).toBe(true)
  })

  it('tells that a limit stopped the run, with the exit code', async () => {
    const { url, calls } = await startHookServer()
    const { code } = await bench([...plan, '--out', 'run', '--max-calls', '3', '--notify', url])
    expect(code).toBe(3)
    const [{ status, reason, exitCode, done, trials } = {} as Notification] = told(calls)
    expect({ status, exitCode }).toEqual({ status: 'limited', exitCode: 3 })
    expect(reason).toMatch(/^limit of the run: 3 of 3 calls used; it stopped the run$/)
    expect(done).toBeLessThan(trials ?? 0)
  })

  it('tells that a condition of --fail-if held', async () => {
    const { url, calls } = await startHookServer()
    const { code } = await bench([...plan, '--out', 'run', '--fail-if', '*.calls>0', '--notify', url])
    expect([code, told(calls)[0]?.status, told(calls)[0]?.exitCode]).toEqual([1, 'complete', 1])
  })

  it('tells that the run was interrupted', async () => {
    const { url, calls } = await startHookServer()
    const cwd = folderOf({
      'slow.mjs': 'export default () => new Promise(() => setInterval(() => {}, 1000))\n',
    })
    const options = argv`--tasks answers --methods baseline --agents scripted:slow.mjs --out run`
    const running = startBench([...options, '--notify', url], { cwd })
    await until(() => existsSync(join(cwd, 'run/lock')) || running.isOver())
    running.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(told(calls)).toMatchObject([{ status: 'interrupted', exitCode: 130, done: 0 }])
  })

  it('runs a command with the JSON on its stdin', async () => {
    const cwd = tempFolder()
    const command = `'${process.execPath}' -e 'process.stdin.pipe(require("fs").createWriteStream("told.json"))'`
    await benchOk([...plan, '--out', 'run', '--notify', command], { cwd })
    expect(Notification.parse(JSON.parse(readFileSync(join(cwd, 'told.json'), 'utf8'))).run).toBe('run')
  })

  it('only notes that nobody could be told: output and exit code stay the same', async () => {
    const { url } = await startHookServer((response) => void response.writeHead(404).end())
    const args = [...plan, '--out', 'run', '--seed', '3']
    const plainRun = await bench(args, { cwd: tempFolder() })
    const toldRun = await bench([...args, '--notify', url], { cwd: tempFolder() })
    expect(toldRun.stderr).toContain(`note: --notify: ${url} answered with status 404`)
    expect(toldRun.code).toBe(plainRun.code)
    expect(toldRun.stdout).toBe(plainRun.stdout)
  })

  it('shows no login and no path of the address, and keeps none in the run folder', async () => {
    const { url } = await startHookServer((response) => void response.writeHead(404).end())
    const cwd = tempFolder()
    const target = `${url.replace('//', '//someone:pa55word-x@')}/services/T0K3N`
    const { stdout, stderr } = await bench([...plan, '--out', 'run', '--notify', target], { cwd })
    const files = readdirSync(join(cwd, 'run'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    for (const text of [stdout, stderr, ...files]) expect(text).not.toMatch(/someone|pa55word|T0K3N/)
  })

  it('tells nobody of a dry run', async () => {
    const { url, calls } = await startHookServer()
    await benchOk([...plan, '--dry-run', '--notify', url])
    expect(calls).toEqual([])
  })

  it('refuses a wrong target before the run', async () => {
    const cwd = tempFolder()
    await refused(
      argv`${plan} --out run --notify no-such-program`,
      [/--notify.*no program "no-such-program"/],
      { cwd },
    )
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })
})

describe('notify of the config file', () => {
  const config = (notify: string) => {
    const cwd = folderOf({
      'bench.config.yaml': `run: { tasks: answers, methods: baseline }\nnotify: ${notify}\n`,
    })
    return cwd
  }

  it('tells an address; --notify none tells nobody, and a typed address wins', async () => {
    const { url, calls } = await startHookServer()
    const other = await startHookServer()
    const cwd = config(url)
    await benchOk(['run', '--quiet', '--out', 'one'], { cwd })
    await benchOk(['run', '--quiet', '--out', 'two', '--notify', 'none'], { cwd })
    await benchOk(['run', '--quiet', '--out', 'three', '--notify', other.url], { cwd })
    expect(told(calls).map(({ run }) => run)).toEqual(['one'])
    expect(told(other.calls).map(({ run }) => run)).toEqual(['three'])
  })

  it('is not used by a resumed run, which tells only whom the flag names', async () => {
    const { url, calls } = await startHookServer()
    const cwd = config(url)
    expect((await bench(['run', '--quiet', '--out', 'run', '--max-calls', '1'], { cwd })).code).toBe(3)
    expect(calls).toHaveLength(1)
    await benchOk(['run', '--quiet', '--resume', 'run', '--max-calls', '2'], { cwd }).catch(() => '')
    expect(calls).toHaveLength(1)
    await benchOk(['run', '--quiet', '--resume', 'run', '--max-calls', 'none', '--notify', url], { cwd })
    expect(told(calls).at(-1)).toMatchObject({ run: 'run', status: 'complete' })
  })

  it('only notes at the end that this machine lacks its program', async () => {
    const { code, stderr } = await bench(argv`run --quiet --out run`, {
      cwd: config('[no-such-program, x]'),
    })
    expect(code).toBe(0)
    expect(stderr).toContain('note: --notify: no-such-program cannot be started (ENOENT)')
  })

  it('may be a list of words', async () => {
    const code = 'process.stdin.pipe(require("fs").createWriteStream("told | it.json"))'
    const cwd = config(JSON.stringify([process.execPath, '-e', code]))
    await benchOk(['run', '--quiet', '--out', 'run'], { cwd })
    expect(existsSync(join(cwd, 'told | it.json'))).toBe(true)
  })

  it.each([
    ['ftp://host', /bench\.config\.yaml:2 notify\] is not an address/],
    ['3', /bench\.config\.yaml:2/],
    ['[]', /bench\.config\.yaml:2 notify\]/],
  ])('is refused with its line when it is %s', async (notify, message) => {
    await refused(['run', '--out', 'run'], [message], { cwd: config(notify) })
  })
})
