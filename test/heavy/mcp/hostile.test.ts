import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { readSessions } from '../../../src/loop/record/sessions.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { openBenchMcp } from '../../helpers/mcp/bench-client.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, program, soon, until, wholeLines } from '../../helpers/runs/cli.ts'

const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      ({ parentPath, name }) =>
        `${parentPath}/${name} ${sha256(readFileSync(join(parentPath, name), 'latin1'))}`,
    )
    .sort()

async function folderWithRun(): Promise<string> {
  const cwd = tempFolder()
  await benchOk(argv`--tasks ferry-morning --methods baseline --out results/run --quiet`, { cwd })
  return cwd
}

/** Starts the server and returns what it answers to lines as they are. */
function rawServer(cwd: string) {
  const child = spawn(process.execPath, [program, 'mcp'], {
    cwd,
    env: { PATH: process.env.PATH, ORCHESTRATION_BENCH_CACHE: inject('cache') },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  let told = ''
  child.stderr.on('data', (chunk) => {
    told += chunk
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    send: (text: string) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    close: () => void child.stdout.destroy(),
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    ended,
    said: () => told,
    answers: () =>
      printed
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const callOf = (id: number, name: unknown, args: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

it('100 malformed requests change nothing, stdout holds the protocol alone, and the server still answers', async () => {
  const cwd = await folderWithRun()
  const before = contentOf(cwd)
  const { send, answers, end, ended } = rawServer(cwd)
  send(`${hello}\n`)
  const random = seededRandom('malformed')
  const valid = [
    hello,
    callOf(7, 'report', { run: 'run' }),
    callOf(8, 'show_trial', { run: 'run', trial: 'x' }),
  ]
  for (let i = 0; i < 80; i++) {
    const text = valid[i % valid.length] ?? ''
    const at = Math.floor(random() * text.length)
    // Cut off, doubled inside, or with a byte of something else.
    const kinds = [
      text.slice(0, at),
      text.slice(0, at) + text,
      `${text.slice(0, at)}\u0000${text.slice(at + 1)}`,
    ]
    send(`${kinds[i % kinds.length]}\n`)
  }
  for (const [i, odd] of ['[]', '{}', 'null', '"x"', '[[[[', '\ufeff{}', '{"jsonrpc":"1.0"}'].entries())
    send(`${odd}\n${JSON.stringify({ jsonrpc: '2.0', id: 200 + i, method: `no/such${i}` })}\n`)
  for (const [i, [name, args]] of [
    ['no_such_tool', {}],
    ['report', { run: 5 }],
    ['report', { run: 'run', format: 'exe' }],
    ['report', 'run'],
    ['list_trials', { run: 'run', limit: 1e9 }],
    [null, null],
  ].entries())
    send(`${callOf(300 + i, name, args)}\n`)
  send(`${callOf(999, 'progress', { run: 'run' })}\n`)
  const last = () => answers().find(({ id }) => id === 999)
  while (!last()) await soon()
  expect(last().result.content[0].text).toMatch(/^whole: 1 of 1 trial/)
  for (const answer of answers()) expect(answer).toMatchObject({ jsonrpc: '2.0' })
  for (const id of [200, 206, 300, 301, 302, 304]) {
    const answer = answers().find((one) => one.id === id)
    expect([id, answer?.error !== undefined || answer?.result?.isError]).toEqual([id, true])
  }
  end()
  expect(await ended).toBe(0)
  expect(contentOf(cwd)).toEqual(before)
})

it('a request of 10 MB and a line without an end are answered or end the session, and change nothing', async () => {
  const cwd = await folderWithRun()
  const before = contentOf(cwd)
  const { send, answers, said, ended } = rawServer(cwd)
  send(`${hello}\n${callOf(1, 'report', { run: 'x'.repeat(9_000_000) })}\n`)
  while (!answers().some(({ id }) => id === 1)) await soon()
  const { result } = answers().find(({ id }) => id === 1)
  expect(result.isError).toBe(true)
  expect(result.content[0].text.length).toBeLessThan(1000)
  send('x'.repeat(12_000_000))
  expect(await ended).toBe(1)
  expect(said()).toMatch(/exceeded maximum size of \d+ bytes\n$/)
  expect(contentOf(cwd)).toEqual(before)
})

it('an argument that is too long for a process is an answer', async () => {
  const { call } = await openBenchMcp(await folderWithRun())
  const long = 'x'.repeat(200_000)
  for (const [name, args] of [
    ['show_trial', { run: 'run', trial: long }],
    ['start_run', { name: 'made', tasks: 'ferry-morning', methods: `baseline[turns=${long}]` }],
  ] as const)
    expect(await call(name, args)).toEqual({
      text: expect.stringContaining('bench could not be started: spawn E2BIG'),
      isError: true,
    })
})

it('names that lead elsewhere name no run', async () => {
  const cwd = await folderWithRun()
  cpSync(join(cwd, 'results/run'), join(cwd, 'elsewhere'), { recursive: true })
  symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'results/link'))
  mkdirSync(join(cwd, 'results/.hidden'))
  cpSync(join(cwd, 'results/run'), join(cwd, 'results/linked'), { recursive: true })
  rmSync(join(cwd, 'results/linked/records.jsonl'))
  symlinkSync('/etc/passwd', join(cwd, 'results/linked/records.jsonl'))
  cpSync(join(cwd, 'results/run'), join(cwd, 'results/a b%20é'), { recursive: true })
  const { client, call, read } = await openBenchMcp(cwd)
  const { resources } = await client.listResources()
  const own = ['a b%20é', 'run'].flatMap((run) => [`${run}/report.md`, `${run}/summary.md`])
  expect(resources.map(({ name }) => name).sort()).toEqual(own)
  for (const { uri } of resources) expect(await read(uri)).toContain('1 method on 1 task')
  const listed = (await call('list_runs')).text
  expect(listed).toContain('{"run":"linked","problem":"is or holds a link, which no tool follows"}')
  expect(listed).not.toContain('root:')
  const names = [
    ...[
      '../elsewhere',
      'results/../elsewhere',
      '..',
      '.',
      '',
      '.hidden',
      'link',
      'linked',
      `${cwd}/elsewhere`,
    ],
    ...['run/', 'run/../run', 'run\0', '--help', '-o', 'run\n', 'r'.repeat(5000), '%2e%2e', 'RUN', 'latest'],
  ]
  for (const run of names)
    for (const tool of ['progress', 'report', 'method_state', 'list_trials']) {
      const { text, isError } = await call(tool, { run })
      expect([run, tool, isError]).toEqual([run, tool, true])
      expect(text).toContain('is no run in results')
    }
  for (const method of ['../../elsewhere:baseline', '../run:baseline', ':baseline', '', 'baseline:x']) {
    const { text, isError } = await call('compare', { run: 'run', method_a: method, method_b: 'baseline' })
    expect([method, isError]).toEqual([method, true])
    expect(text).toContain('there is no method of run')
  }
  for (const name of ['..%2felsewhere', 'link', '%00', '..'])
    await expect(read(`bench://runs/${name}/report.md`)).rejects.toThrow(
      expect.objectContaining({ code: -32602 }),
    )
})

it('a client that reads slowly gets every answer whole', async () => {
  const { send, answers, end, ended, pause, resume } = rawServer(await folderWithRun())
  pause()
  send(`${hello}\n`)
  for (let id = 1; id <= 200; id++) send(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`)
  // Far more than a pipe holds.
  await soon(2000)
  resume()
  while (answers().length < 201) await soon()
  end()
  expect(await ended).toBe(0)
})

it('a client that closes its end of stdout ends the session, and the run that it started stops', async () => {
  const cwd = tempFolder()
  const { send, close, ended, said } = rawServer(cwd)
  const start = { name: 'run', tasks: 'code', methods: 'baseline', epochs: 50, parallel: 1, wait_seconds: 0 }
  send(`${hello}\n${callOf(1, 'start_run', start)}\n`)
  const run = join(cwd, 'results/run')
  await until(() => wholeLines(join(run, 'records.jsonl')).length > 0)
  close()
  send(`${callOf(2, 'progress', { run: 'run' })}\n`)
  expect(await ended).toBe(1)
  expect(said()).toContain('EPIPE')
  expect(readSessions(run).at(-1)?.end?.reason).toBe('interrupted')
})

it('requests at once are each answered as alone', async () => {
  const { call } = await openBenchMcp(await folderWithRun())
  const asked = ['summary', 'report', 'list_trials', 'summary', 'report', 'method_state'].map(
    (name) => [name, call(name, { run: 'run' })] as const,
  )
  for (const [name, answer] of asked) expect(await answer).toEqual(await call(name, { run: 'run' }))
})
