import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, soon, startBench, stepsOf, until } from '../../helpers/runs/cli.ts'
import { type LiveSetting, liveSetting, markIn, runLive } from '../../live/live-run.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Answer, CalledTool, ModelRequest } from '../../model-server/script.ts'

const epochs = 3
const path = 'src/parse-duration.mjs'

/** The calls of each turn of an ask, the checks last, since they take longest. */
const planned: readonly (readonly CalledTool[])[] = [
  [
    { name: 'list', input: {} },
    { name: 'counter__next', input: {} },
    { name: 'check', input: {} },
  ],
  [
    { name: 'write', input: { path, content: 'export const parseDuration = () => 1\n' } },
    { name: 'memory_store', input: { title: 'Tried', text: 'One is wrong.' } },
    { name: 'check', input: {} },
  ],
  [
    { name: 'memory_recall', input: { query: 'tried' } },
    { name: 'counter__next', input: {} },
    { name: 'read', input: { path } },
  ],
]

/** A server that counts its calls. */
const counter = `
import { createInterface } from 'node:readline'
let count = 0
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'counter', version: '1' } })
  else if (method === 'tools/list') answer(id, { tools: [{ name: 'next', inputSchema: { type: 'object' } }] })
  else if (method === 'tools/call') answer(id, { content: [{ type: 'text', text: 'call ' + ++count }] })
})
`

const turnOf = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'assistant').length

/** The trial and the turn of a request in the server's log. */
function placeOf({ body }: LogEntry): string {
  const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
  const mark = /\[([0-9a-f]{24})\]/.exec(JSON.stringify(messages))?.[1]
  return `${mark} ${messages.filter(({ role }) => role === 'assistant').length}`
}

const keyOf = ({ trial, key, attempt }: Step) => `${trial} ${key} ${attempt}`

/** Kills and resumes a run. Returns what the ledger held at each kill, and the number of requests by then. */
async function runWithKills(
  setting: LiveSetting & { limit(turns: number): void; left(): number },
  args: readonly string[],
  cwd: string,
): Promise<{ asked: number; done: Step[] }[]> {
  const random = seededRandom('kills of asks with tools')
  const { folder, env, server } = setting
  const kills: { asked: number; done: Step[] }[] = []
  for (let killed = 0; killed < 5; killed++) {
    setting.limit(1 + Math.floor(random() * 2))
    const before = server.asked()
    const bench = startBench(existsSync(join(folder, 'run.json')) ? ['--resume', folder, '--quiet'] : args, {
      env,
      cwd,
    })
    const isEarly = random() < 0.5
    await until(() => bench.isOver() || (isEarly ? server.asked() > before : setting.left() < 0))
    await soon(random() * 500)
    bench.kill('SIGKILL')
    const { signal, stderr } = await bench.ended
    expect(signal, stderr).toBe('SIGKILL')
    const done = existsSync(join(folder, 'steps.jsonl')) ? stepsOf(folder) : []
    kills.push({ asked: server.asked(), done })
  }
  setting.limit(Number.POSITIVE_INFINITY)
  await runLive(setting, ['--resume', folder, '--quiet'], { cwd })
  return kills
}

async function killedRun(stateless: boolean) {
  let left = 0
  const setting = await liveSetting((request): Answer => {
    if (left-- <= 0) return { failure: { kind: 'hang' } }
    const toolCalls = planned[turnOf(request)]
    return { text: 'I see.', ...(toolCalls && { toolCalls }), failure: { kind: 'slow', ms: 60 } }
  })
  const cwd = folderOf({
    'counter.mjs': counter,
    'bench.config.yaml': `tools:\n  counter: { kind: mcp, config: { command: [node, counter.mjs], files: [counter.mjs], allow: [next], stateless: ${stateless} } }\n`,
  })
  const args = argv`--mode live --tasks duration-text --methods baseline --epochs ${String(epochs)}
    --agents openai-compatible:local-model --tools read,list,write,check,memory,counter --parallel 2 --quiet
    --out ${setting.folder}`
  const limits = {
    limit: (turns: number) => {
      left = turns
    },
    left: () => left,
  }
  const kills = await runWithKills({ ...setting, ...limits }, args, cwd)
  return { setting, kills, voided: voidedKeys(setting.folder) }
}

const voidedKeys = (folder: string): Set<string> =>
  new Set(
    stepsOf(folder).flatMap((step) =>
      step.kind === 'void' ? step.keys.map((key) => `${step.trial} ${key.replace(/\/(\d+)$/, ' $1')}`) : [],
    ),
  )

/** Expects that what was in the ledger at each kill is still there, and that none of its turns was asked again. */
function keepsWhatIsFinished({ setting, kills, voided }: Awaited<ReturnType<typeof killedRun>>): void {
  const { folder, server } = setting
  expect(recordsOf(folder).map(({ outcome }) => outcome.status)).toEqual(Array(epochs).fill('completed'))
  const later = new Set(stepsOf(folder).map((step) => JSON.stringify(step)))
  const log = server.log.filter(({ number }) => number > 0)
  for (const { asked, done } of kills) {
    const kept = done.filter((step) => !voided.has(keyOf(step)))
    for (const step of done) expect(later).toContain(JSON.stringify(step))
    const after = new Set(log.filter(({ number }) => number > asked).map(placeOf))
    const finished = kept
      .filter((step) => step.kind === 'ask' && step.payer === 'method' && !step.error)
      .map(({ trial, key }) => `${markIn(folder, trial)} ${Number(key.split('.')[1]) - 1}`)
    expect(finished.filter((place) => after.has(place))).toEqual([])
  }
  // Some kill was in the middle of an ask: between two of its calls, or between a turn and its calls.
  expect(kills.some(({ done }) => done.some(({ kind }) => kind === 'tool'))).toBe(true)
}

it('asks no finished turn and makes no finished call again, however often the run is killed', async () => {
  const run = await killedRun(true)
  const { folder } = run.setting
  keepsWhatIsFinished(run)
  expect(run.voided.size).toBe(0)
  const steps = stepsOf(folder).filter(({ payer }) => payer !== 'void')
  expect(steps.length).toBe(new Set(steps.map(keyOf)).size)
  expect(steps.filter(({ kind }) => kind === 'tool')).toHaveLength(epochs * 9)
  await benchOk(['replay', folder])
})

it('makes an ask anew from the first call of a server whose state was lost, and asks no earlier turn again', async () => {
  const run = await killedRun(false)
  const { folder } = run.setting
  keepsWhatIsFinished(run)
  expect(run.voided.size).toBeGreaterThan(0)
  // The first turn, its list of files and what was paid for it stay.
  for (const key of run.voided) expect(key).not.toMatch(/#0\.1(\.1)? /)
  const records = recordsOf(folder)
  for (const { trial } of records) {
    const counted = stepsOf(folder).flatMap((step) =>
      step.kind === 'tool' && step.tool === 'counter' && step.trial === trial ? [step] : [],
    )
    // A call that was made anew has the same key.
    const last = new Map(counted.map(({ key, result }) => [key, result]))
    expect([...last.values()]).toEqual(['call 1', 'call 2'])
  }
  await benchOk(['replay', folder])
})
