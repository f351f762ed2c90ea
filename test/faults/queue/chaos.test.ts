import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { benchOk, recordsOf, stepsOf } from '../../helpers/runs/cli.ts'
import { callsOfBlock, type FleetRun, leaseMs, startFleetRun, takenAgain, waitFor } from './fleet.ts'

const { it } = needs('postgres', 'bwrap', 'Linux')

const workers = ['near1', 'far1', 'near2', 'far2']

/** What is done to a fleet, in this order, as the calls go on. */
const deeds = (
  'kill suspend kill server kill suspend coordinator kill kill suspend kill ' +
  'server suspend kill kill coordinator kill suspend kill'
).split(' ')

/** So many calls are between two deeds: half of all that the run makes, since calls go on while a deed is done. */
const callsBetween = 13

/** Does all deeds to a run. Resolves when each block that was left is taken again. */
async function disturb({ folder, fleet, postgres, provider, work, resume }: FleetRun): Promise<void> {
  const suspended = new Set<string>()
  const watched: Promise<void>[] = []
  const watch = (one: Promise<void>) => {
    // It is thrown where all are waited for.
    one.catch(() => {})
    watched.push(one)
  }
  let turn = 0
  /** The next worker that holds a block and may be hit. */
  const victim = (isFar: boolean) =>
    waitFor('a worker holds a block', () => {
      const names = workers.filter((name) => !suspended.has(name) && (!isFar || name.startsWith('far')))
      const name = names[turn++ % names.length]
      const block = name === undefined ? undefined : fleet.heldBy(name)
      return name !== undefined && block !== undefined && { name, block }
    })
  for (const [i, deed] of deeds.entries()) {
    const calls = (i + 1) * callsBetween
    await waitFor(`call ${calls}`, () => provider.calls.length >= calls)
    if (deed === 'server') {
      await postgres.crash(i < 10 ? 'kill' : 'immediate')
      await sleep(1000)
      await postgres.restart()
    } else if (deed === 'coordinator') {
      fleet.signal('coordinator', 'SIGKILL')
      await fleet.ended('coordinator')
      resume()
    } else if (deed === 'kill') {
      const { name, block } = await victim(false)
      fleet.signal(name, 'SIGKILL')
      watch(takenAgain(folder, block))
      await fleet.ended(name)
      work(name)
    } else {
      const { name, block } = await victim(true)
      suspended.add(name)
      fleet.signal(name, 'SIGSTOP')
      const goOn = () => {
        fleet.signal(name, 'SIGCONT')
        suspended.delete(name)
      }
      watch(Promise.all([takenAgain(folder, block), sleep(leaseMs + 1000)]).then(goOn))
    }
  }
  await Promise.all(watched)
}

/** Returns the asks of a run that were answered and those that may have been paid beside them. */
function billOf(run: string) {
  const asks = stepsOf(run).flatMap((step) => (step.kind === 'ask' ? [step] : []))
  const answered = asks.filter(({ payer }) => payer !== 'void')
  expect(new Set(answered.map(({ trial, key, attempt }) => `${trial} ${key} ${attempt}`)).size).toBe(
    answered.length,
  )
  return { answered: answered.length, maybePaid: asks.filter(({ maybePaid }) => maybePaid).length }
}

/** Runs the checks of a fleet; what it throws tells what the processes have said. */
async function telling(run: FleetRun, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await run.story()}`, { cause: error })
  }
}

it('4 workers on 40 blocks lose and double nothing through 10 kills, 5 suspensions, 2 server crashes and 2 kills of the coordinator', {
  timeout: 400_000,
}, async () => {
  const [blocks, most] = [40, 700]
  const run = await startFleetRun(blocks, ['--max-calls', `${most}`, '--max-tokens', '90000'])
  const { folder, fleet, provider } = run
  workers.forEach(run.work)
  await telling(run, () => disturb(run))
  expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(0)
  for (const code of await run.endWorkers()) expect([0, 130, null]).toContain(code)

  const records = recordsOf(folder)
  expect(new Set(records.map(({ trial }) => trial)).size).toBe(blocks * 4)
  expect(records).toHaveLength(blocks * 4)
  const { answered, maybePaid } = billOf(folder)
  expect(answered).toBe(blocks * callsOfBlock)
  expect(provider.calls.length).toBeLessThanOrEqual(answered + maybePaid)
  expect(provider.calls.length).toBeLessThanOrEqual(most)
  expect(readdirSync(folder)).not.toContain('blocks')
  expect(await benchOk(['replay', folder])).toContain('no divergence')
})

it('a limit is passed by at most what workers that died had in hand, and a run that it stopped goes on with a greater one', {
  timeout: 200_000,
}, async () => {
  const [blocks, most] = [14, 80]
  const run = await startFleetRun(blocks, ['--max-tokens', `${most * 110}`])
  const { folder, share, logs, fleet, provider, postgres } = run
  workers.forEach(run.work)
  await telling(run, async () => {
    let left = 0
    for (const [i, name] of ['near1', 'far1', 'near2'].entries()) {
      await waitFor('calls', () => provider.calls.length >= (i + 1) * 20)
      const block = await waitFor(`${name} holds a block`, () => fleet.heldBy(name))
      fleet.signal(name, 'SIGKILL')
      await fleet.ended(name)
      const [reserved] = (
        await postgres.sql(`select reserved from orchestration_bench.bench_allowance where block = ${block}`)
      ).split('\n')
      left += Number(reserved)
      run.work(name)
    }
    expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(3)
    expect(provider.calls.length * 110).toBeLessThanOrEqual(most * 110 + left)
    expect(fleet.said('coordinator')).toMatch(/limit of the run/)
    // What the database holds while a run is under way, and all files.
    const dump = await postgres.dump()
    expect(dump).toContain('bench_allowance')
    const files = [share, logs].flatMap((place) =>
      readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
    )
    for (const secret of Object.values(run.secrets))
      for (const text of [dump, postgres.log(), ...files]) expect(text.includes(secret)).toBe(false)
    expect(provider.calls[0]?.authorization).toBe(`Bearer ${run.secrets.key}`)

    // A database that has lost all of it finds in the ledgers what was spent.
    const made = provider.calls.length
    await postgres.sql('delete from orchestration_bench.bench_run')
    run.resume()
    expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(3)
    expect(provider.calls.length).toBe(made)

    run.resume('--max-tokens', '90000')
    expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(0)
  })
  await run.endWorkers()
  const { answered, maybePaid } = billOf(folder)
  expect(answered).toBe(blocks * callsOfBlock)
  expect(provider.calls.length).toBeLessThanOrEqual(answered + maybePaid)
})

it.each(['near', 'far'])(
  'a block whose worker was killed is taken again within its lease and 15 seconds: %s',
  async (name) => {
    const run = await startFleetRun(2, [])
    const { folder, fleet } = run
    run.work(name)
    await telling(run, async () => {
      const block = await waitFor('it holds a block', () => fleet.heldBy(name))
      fleet.signal(name, 'SIGKILL')
      const at = performance.now()
      run.work('near-other')
      await takenAgain(folder, block)
      expect(performance.now() - at).toBeLessThan(leaseMs + 15_000)
      expect(existsSync(join(folder, 'blocks'))).toBe(true)
      expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(0)
    })
    await run.endWorkers()
    expect(billOf(folder).answered).toBe(2 * callsOfBlock)
  },
)
