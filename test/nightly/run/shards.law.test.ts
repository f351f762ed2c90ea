import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { expectWhole, filesOf, joinAll, runShards } from '../../cli/run/shard-scenario.ts'
import { familySetting } from '../../helpers/agents/wire-families.ts'
import { level } from '../../helpers/house/level.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  intentsOf,
  recordLines,
  recordsOf,
  root,
  soon,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const tasks = 'ferry-morning,lamp-paths,word-rewriting,market-stalls,workshop-day'

const plans = {
  'in dev mode': argv`--tasks ${tasks} --methods baseline,sequential[maxOuter=1,maxInner=2] --epochs 2`,
  'of a paid agent': argv`--mode live --agents scripted:${worker} --tasks ${tasks} --epochs 2
    --methods baseline,sequential[parallel=2,maxOuter=1,maxInner=2]`,
  'with a matched method': argv`--tasks ${tasks} --match-budget S --epochs 2
    --methods baseline,S=sequential[maxOuter=1,maxInner=2],self-consistency`,
}

it.each(Object.entries(plans))('1 to 7 shards %s are together what is run without', async (_, plan) => {
  const whole = join(tempFolder(), 'whole')
  await bench([...plan, '--out', whole, '--quiet'])
  for (const of of level([2, 7], [1, 2, 3, 4, 5, 6, 7])) {
    const { run } = await joinAll(await runShards(plan, of))
    await expectWhole(run, whole)
  }
})

it('shards that ask a server are together what is run without, and no call is missing in the ledger', async () => {
  const { server, env } = await familySetting([{ text: 'Answer: 42. {"approved": true}', always: true }])
  const plan = argv`--mode live --agents openai-compatible:m --tasks ${tasks} --methods baseline,self-consistency`
  const whole = join(tempFolder(), 'whole')
  await benchOk([...plan, '--out', whole, '--quiet'], { env })
  const before = server.asked()
  const shards = await runShards(plan, 3, { env })
  const { run } = await joinAll(shards)
  const times = (line: string) => line.replace(/,"(?:durationMs|at|ms|waitMs)":\d+/g, '')
  expect(recordLines(run).map(times)).toEqual(recordLines(whole).map(times))
  expect(server.asked() - before).toBe(intentsOf(run).length)
  expect(await benchOk(['replay', run])).toContain('no divergence')
  expect(await benchOk(['replay', run, '--regrade', '--allow-unsandboxed'])).toContain('no divergence')
})

const kills = level(4, 20)

it(`shards that are killed at ${kills} points and resumed lose and double nothing`, async () => {
  const plan = argv`--mode live --agents scripted:${worker} --tasks ${tasks} --methods baseline,sequential[maxOuter=1,maxInner=2]`
  const whole = join(tempFolder(), 'whole')
  await benchOk([...plan, '--out', whole, '--quiet'])
  const random = seededRandom('shards')
  const log = join(tempFolder(), 'calls.jsonl')
  const shards = [1, 2].map((k) => join(tempFolder(), `s${k}`))
  for (let killed = 0; killed < kills; killed++) {
    const k = killed % 2
    const shard = shards[k] as string
    const begun = existsSync(join(shard, 'run.json'))
    const args = begun ? ['--resume', shard] : [...plan, '--shard', `${k + 1}/2`, '--out', shard]
    const running = startBench([...args, '--quiet'], { env: { WORKER_LOG: log, WORKER_MS: '120' } })
    const before = wholeLines(log).length
    await until(() => running.isOver() || wholeLines(log).length > before)
    await soon(random() * 60)
    running.kill('SIGKILL')
    await running.ended
  }
  for (const shard of shards) await benchOk(['--resume', shard, '--quiet'], { env: { WORKER_LOG: log } })
  const { run } = await joinAll(shards)
  expect(recordLines(run)).toEqual(recordLines(whole))
  const calls = wholeLines(log).map((line) => (JSON.parse(line) as { name: string }).name)
  const known = new Map<string, number>()
  for (const { trial, key, attempt } of intentsOf(run)) {
    const name = `${trial} ${key} ${attempt}`
    known.set(name, (known.get(name) ?? 0) + 1)
  }
  for (const name of new Set(calls))
    expect(known.get(name) ?? 0, name).toBeGreaterThanOrEqual(calls.filter((one) => one === name).length)
  const answered = stepsOf(run).filter((step) => step.kind === 'ask' && !step.maybePaid)
  expect(new Set(answered.map(({ trial, key, attempt }) => `${trial} ${key} ${attempt}`)).size).toBe(
    answered.length,
  )
})

it('what people say, outputs, kept workspaces, looks and sessions come from every shard', async () => {
  const plan = argv`--mode live --agents scripted:${worker} --tasks ferry-morning,lamp-paths,market-stalls
    --methods fanout:post-approval,baseline --approve park --keep-workspaces all`
  const place = tempFolder()
  const shards = [1, 2].map((k) => join(place, `s${k}`))
  for (const [k, shard] of shards.entries()) {
    const parked = await bench([...plan, '--shard', `${k + 1}/2`, '--out', shard, '--quiet'])
    expect(parked.code, parked.stderr).toBe(4)
    const waiting = wholeLines(join(shard, 'people.jsonl')).map(
      (line) => JSON.parse(line) as { trial: string },
    )
    for (const { trial } of waiting) await benchOk(['approve', shard, trial.slice(0, 12), 'yes'])
    expect((await bench(['--resume', shard, '--quiet'])).code).toBe(0)
    await bench(['report', shard, '--peek'])
  }
  const { run } = await joinAll(shards)
  const { run: reversed } = await joinAll([...shards].reverse())
  // The mark of who began the run holds its place.
  const plain = ({ origin: _, ...files }: Record<string, string>) => files
  expect(plain(filesOf(reversed))).toEqual(plain(filesOf(run)))
  const all = (file: string) => shards.flatMap((shard) => wholeLines(join(shard, file)))
  for (const file of ['people.jsonl', 'events.jsonl', 'steps.jsonl'])
    expect(wholeLines(join(run, file))).toEqual(all(file))
  for (const file of ['sessions.jsonl', 'looks.jsonl', 'records.jsonl'])
    expect(wholeLines(join(run, file)).sort()).toEqual(all(file).sort())
  expect(wholeLines(join(run, 'looks.jsonl'))).toHaveLength(2)
  const kept = (folder: string) =>
    Object.keys(filesOf(folder)).filter((path) => /^(?:artifacts|workspaces)\//.test(path))
  expect(kept(run)).toEqual(shards.flatMap(kept).sort())
  expect(kept(run).length).toBeGreaterThan(recordsOf(run).length)
  expect(await benchOk(['replay', run])).toContain('no divergence')
  const report = await benchOk(['report', run])
  expect(report).toMatch(/looked|interim look|looks? at/i)
})

it('a text that is too long for a line comes with its blob, and a missing one is refused', async () => {
  const plan = argv`--mode live --agents scripted:${worker} --tasks ferry-morning,lamp-paths --methods baseline`
  const shards = await runShards(plan, 2, { env: { WORKER_LONG: '1' } })
  const { run } = await joinAll(shards)
  const blobs = (folder: string) => Object.keys(filesOf(folder)).filter((path) => path.startsWith('blobs/'))
  expect(blobs(run)).toEqual([...new Set(shards.flatMap(blobs))].sort())
  expect(blobs(run).length).toBeGreaterThan(0)
  expect(await benchOk(['replay', run])).toContain('no divergence')
  const [first = ''] = shards
  const path = join(first, blobs(first)[0] ?? '')
  const text = readFileSync(path)
  writeFileSync(path, `${text} `)
  const changed = await bench(['runs', 'join', ...shards, '--out', join(tempFolder(), 'run')])
  expect(changed).toMatchObject({ code: 2 })
  expect(changed.stderr).toContain('was changed after it had been written')
})

const extensions = level(3, 10)

it(`a run that is killed at ${extensions} points while it is extended is as one that was planned so`, async () => {
  const plan = argv`--mode live --agents scripted:${worker} --tasks ferry-morning,lamp-paths`
  const whole = join(tempFolder(), 'whole')
  await benchOk([...plan, ...argv`--methods baseline,self-consistency --epochs 3 --out ${whole} --quiet`])
  const folder = join(tempFolder(), 'run')
  await benchOk([...plan, ...argv`--methods baseline --out ${folder} --quiet`])
  const random = seededRandom('extend')
  const log = join(tempFolder(), 'calls.jsonl')
  const env = { WORKER_LOG: log, WORKER_MS: '150' }
  const more = argv`--extend ${folder} --methods self-consistency --epochs 3 --quiet`
  for (let killed = 0; killed < extensions; killed++) {
    const running = startBench(more, { env })
    const before = wholeLines(log).length
    // The first is killed before it asks anything, perhaps before its amendment is written.
    if (killed > 0) await until(() => running.isOver() || wholeLines(log).length > before)
    await soon(random() * (killed > 0 ? 60 : 1500))
    running.kill('SIGKILL')
    await running.ended
  }
  await benchOk(more, { env })
  expect(recordLines(folder)).toEqual(recordLines(whole))
  expect(wholeLines(join(folder, 'amendments.jsonl'))).toHaveLength(1)
  expect(await benchOk(['replay', folder])).toContain('no divergence')
})
