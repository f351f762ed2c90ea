// Measures workers on a queue: how much faster four of them are than one, what one takes beside a run of its block, and the
// memory of a coordinator beside one process that does all. Needs PostgreSQL's programs, as the tests do.
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { rolldown } from 'rolldown'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { checkLines, runTrials, taskFolder } from './simulated-run.mjs'

const blocks = 24
const callMs = 500
const methods = ['--methods', 'baseline,self-consistency', '--epochs', '2']

/** The speed of workers, and what one takes. */
export async function workers(rounds) {
  const postgres = await startPostgres()
  const server = await startServer()
  try {
    const samples = { one: [], four: [], run: [] }
    for (let round = 0; round < rounds; round++) {
      samples.one.push(await timeWorkers(1, server, postgres))
      samples.four.push(await timeWorkers(4, server, postgres))
      samples.run.push(await runBlock(server))
    }
    const beside = samples.one.map(({ peakMiB }, round) => peakMiB - samples.run[round].peakMiB)
    const [one, four] = [each('wallMs', samples.one), each('wallMs', samples.four)]
    return [
      makeRow('four workers, calls of 500 ms, wall time', 'ms', four, 'one worker', one, { atLeast: 3.5 }),
      makeRow('a worker beside a run of its block, peak', 'MiB', beside, 'the limit', [50], {
        ownAtMost: 50,
      }),
    ]
  } finally {
    server.end()
    await postgres.stop()
  }
}

/** The memory of a coordinator; some ten minutes for each round. Both hold the tasks of the run. */
export async function coordinator(rounds) {
  const tasks = 10_000
  const postgres = await startPostgres()
  try {
    const samples = await inTurn(rounds, {
      ours: () => coordinate(tasks, postgres),
      alone: () => runTrials({ tasks, epochs: 1 }),
    })
    const [ours, alone] = [each('peakMiB', samples.ours), each('peakMiB', samples.alone)]
    return [makeRow('a coordinator of 10,000 blocks, peak', 'MiB', ours, 'one process', alone, { atMost: 1 })]
  } finally {
    await postgres.stop()
  }
}

const live = (server) => ({
  plan: [
    ...methods,
    ...['--mode', 'live', '--agents', 'openai-compatible:m', '--no-config', '--yes', '--keep-going'],
  ],
  env: { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_API_KEY: 'not-a-key' },
})

/** Lets so many workers play a run. The time is from when each of them has made a call to the last reply. */
async function timeWorkers(count, server, postgres) {
  const { plan, env } = live(server)
  const run = await putRun(plan, blocks, postgres, env)
  server.close()
  const args = run.argsOf('work', '--parallel', '1')
  // By its key the server knows a worker.
  const envOf = (number) => ({ ...run.env, OPENAI_COMPATIBLE_API_KEY: `not-a-key-${number}` })
  const others = Array.from({ length: count - 1 }, (_, i) => start(args, envOf(i)))
  const first = measure({ args: [bench, ...args], env: envOf('measured') })
  await server.hasWaiting(count)
  const from = performance.now()
  server.open()
  await run.ended
  const wallMs = server.lastReply() - from
  const [{ peakMiB }] = await Promise.all([first, ...others])
  checkLines(join(run.out, 'records.jsonl'), blocks * 4)
  rmSync(run.share, { recursive: true })
  return { wallMs, peakMiB }
}

async function runBlock(server) {
  const { plan, env } = live(server)
  const args = [bench, '--tasks', `native:${taskFolder()}`, ...plan, '--parallel', '1']
  return measure({ args: [...args, '--out', join(temporaryFolder(), 'run')], env })
}

async function coordinate(count, postgres) {
  const run = await putRun(['--methods', 'baseline'], count, postgres, {}, measure)
  const working = [1, 2].map(() => start(run.argsOf('work', '--parallel', '1', '--quiet'), run.env))
  const sample = await run.ended
  await Promise.all(working)
  checkLines(join(run.out, 'records.jsonl'), count)
  rmSync(run.share, { recursive: true })
  return sample
}

/** Starts the coordinator of a run of so many blocks, and waits until it has put them. */
async function putRun(plan, count, postgres, env, under = ({ args, env }) => start(args.slice(1), env)) {
  const share = temporaryFolder()
  const out = join(share, 'run')
  const place = ['--queue', `postgres://bench@127.0.0.1:${postgres.port}/bench`, '--share', share]
  const whole = { ...env, PGPASSWORD: postgres.password }
  const args = [bench, '--tasks', `native:${taskFolder(count)}`, ...plan, ...place, '--out', out, '--quiet']
  const ended = under({ args, env: whole, exitCodes: [0, 1] })
  while (!existsSync(join(out, 'joined', 'session.json')))
    await new Promise((resolve) => setTimeout(resolve, 50))
  return { share, out, ended, env: whole, argsOf: (command, ...more) => [command, ...place, ...more] }
}

/** Starts bench and resolves at its end. */
async function start(args, env) {
  const { exitCode, stderr } = await execa(process.execPath, [bench, ...args], {
    env,
    stdin: 'ignore',
    reject: false,
  })
  if (exitCode !== 0 && exitCode !== 1)
    throw new Error(`bench ${args[0]} ended with ${exitCode}: ${stderr.slice(-500)}`)
}

/** A model server that answers each call after half a second, and holds all of them back while it is closed. */
async function startServer() {
  let waiting = []
  let isClosed = false
  let lastReply = 0
  const message = { role: 'assistant', content: 'ANSWER: 391' }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const reply = JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage })
  const server = createServer(async (request, response) => {
    await text(request)
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'POST') return response.end('{"data":[{"id":"m"}]}')
    if (isClosed) await new Promise((go) => waiting.push({ go, key: request.headers.authorization }))
    setTimeout(() => {
      response.end(reply)
      lastReply = performance.now()
    }, callMs)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    lastReply: () => lastReply,
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => {
      isClosed = true
    },
    open() {
      isClosed = false
      for (const { go } of waiting.splice(0)) go()
    },
    /** Resolves when so many workers wait for a reply. */
    async hasWaiting(count) {
      while (new Set(waiting.map(({ key }) => key)).size < count)
        await new Promise((resolve) => setTimeout(resolve, 50))
    },
    end() {
      server.close()
      server.closeAllConnections()
      waiting = []
    },
  }
}

/** The tests' PostgreSQL, bundled into a file, since Node 20 cannot run TypeScript. */
async function startPostgres() {
  const input = pathOf('../../test/helpers/servers/postgres.ts')
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  const file = join(temporaryFolder(), 'postgres.mjs')
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  const helper = await import(file)
  if (helper.postgresPrograms() === undefined)
    throw new Error('needs PostgreSQL, `apt-get install postgresql`')
  return helper.startPostgres()
}
