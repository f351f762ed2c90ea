import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, stepsOf } from '../../helpers/runs/cli.ts'
import { startBillingServer } from '../../helpers/servers/billing-server.ts'
import { startPostgres } from '../../helpers/servers/postgres.ts'
import { locksOf, openFleet, waitFor } from './fleet.ts'

const { it } = needs('postgres', 'bwrap', 'Linux')

const leaseMs = 3000
const blocks = 40
const callsOfBlock = 12

/** What is done to a fleet, in this order, as the calls go on. */
const deeds = (
  'kill suspend kill server kill suspend coordinator kill kill suspend kill ' +
  'server suspend kill kill coordinator kill suspend kill'
).split(' ')

it('4 workers on 40 blocks lose and double nothing through 10 kills, 5 suspensions, 2 server crashes and 2 kills of the coordinator', {
  timeout: 400_000,
}, async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const provider = await startBillingServer(() => 150)
  const [share, logs] = [tempFolder(), tempFolder()]
  const run = join(share, 'run')
  const questions = Array.from({ length: blocks }, (_, i) => `What is ${i + 2} minus ${i + 1}?,1`)
  writeFileSync(join(share, 'questions.csv'), ['question,answer', ...questions].join('\n'))
  const queue = `postgres://bench@127.0.0.1:${postgres.port}/bench`
  const fleet = openFleet(run, logs, {
    ...{ PGPASSWORD: postgres.password, OPENAI_COMPATIBLE_BASE_URL: provider.url },
    OPENAI_COMPATIBLE_API_KEY: 'sk-not-a-real-key-of-the-chaos',
  })
  /** Whoever reads of a failure in a log of CI cannot ask the processes any more. */
  const story = async () =>
    [
      ...[...fleet.members.keys()].flatMap((name) => [
        `== ${name}, which holds block ${fleet.heldBy(name)}`,
        ...fleet.said(name).split('\n').slice(-12),
      ]),
      await postgres.sql('select * from orchestration_bench.bench_limit'),
      await postgres.sql('select * from orchestration_bench.bench_allowance where reserved > 0'),
      await postgres.sql("select * from pg_stat_activity where datname = 'bench'"),
      ...postgres.log().split('\n').slice(-20),
    ].join('\n')
  let isOver = false
  const work = (name: string) => {
    const isIsolated = name.startsWith('far')
    const args = argv`work --queue ${queue} --share ${share} --parallel 2 --lease 3 --trust-code --keep`
    const { child } = fleet.start(name, args, { isIsolated })
    // Whoever starts while the server is away is told so at once, and started again, as a service manager does.
    child.once('exit', (code) => {
      if (code === 2 && !isOver && fleet.said(name).trimEnd().endsWith('and the host and port in the URL.'))
        work(name)
    })
  }
  const limits = { calls: 700, tokens: 90_000 }
  fleet.start('coordinator', [
    ...argv`--tasks csv:${join(share, 'questions.csv')} --methods baseline,self-consistency --epochs 2 --mode live --yes`,
    ...argv`--agents openai-compatible:m --no-config --keep-going --max-calls ${limits.calls} --max-tokens ${limits.tokens}`,
    ...argv`--queue ${queue} --share ${share} --out ${run}`,
  ])
  await waitFor('the run is put', () => fleet.said('coordinator').includes('bench work'))
  const workers = ['near1', 'far1', 'near2', 'far2']
  for (const name of workers) work(name)

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
      const name = names[turn++ % names.length] ?? ''
      const block = fleet.heldBy(name)
      return block !== undefined && { name, block }
    })
  /** Waits until another one holds the block, or the run has its lines. */
  const taken = async (block: number) => {
    const holder = () => locksOf(run).find((lock) => lock.block === block)?.text
    const before = holder()
    await waitFor(`block ${block} is taken again`, () => {
      if (existsSync(join(run, 'joined', `${block}`)) || !existsSync(join(run, 'blocks'))) return true
      const now = holder()
      return now !== undefined && now !== before
    })
  }
  const act = async (deed: string, i: number) => {
    await waitFor(`call ${(i + 1) * 20}`, () => provider.calls.length >= (i + 1) * 20, 45_000)
    if (deed === 'server') {
      await postgres.crash(i < 10 ? 'kill' : 'immediate')
      await sleep(1000)
      await postgres.restart()
    } else if (deed === 'coordinator') {
      fleet.signal('coordinator', 'SIGKILL')
      await fleet.ended('coordinator')
      fleet.start('coordinator', ['--resume', run, '--queue', queue])
    } else if (deed === 'kill') {
      const { name, block } = await victim(false)
      fleet.signal(name, 'SIGKILL')
      watch(taken(block))
      await fleet.ended(name)
      work(name)
    } else {
      const { name, block } = await victim(true)
      suspended.add(name)
      fleet.signal(name, 'SIGSTOP')
      watch(
        Promise.all([taken(block), sleep(leaseMs + 1000)]).then(() => {
          fleet.signal(name, 'SIGCONT')
          suspended.delete(name)
        }),
      )
    }
  }
  try {
    for (const [i, deed] of deeds.entries()) await act(deed, i)
    await Promise.all(watched)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await story()}`)
  }
  expect(await fleet.ended('coordinator'), fleet.said('coordinator')).toBe(0)
  isOver = true
  for (const name of workers) fleet.signal(name, 'SIGINT')
  // Bubblewrap itself ends by the signal.
  for (const name of workers) expect([0, 130, null], fleet.said(name)).toContain(await fleet.ended(name))

  const records = recordsOf(run)
  expect(new Set(records.map(({ trial }) => trial)).size).toBe(blocks * 4)
  expect(records).toHaveLength(blocks * 4)
  const asks = stepsOf(run).filter((step) => step.kind === 'ask')
  const answered = asks.filter(({ payer }) => payer !== 'void')
  const maybePaid = asks.filter((step) => step.kind === 'ask' && step.maybePaid)
  expect(new Set(answered.map(({ trial, key, attempt }) => `${trial} ${key} ${attempt}`)).size).toBe(
    answered.length,
  )
  expect(answered).toHaveLength(blocks * callsOfBlock)
  expect(provider.calls.length).toBeLessThanOrEqual(answered.length + maybePaid.length)
  expect(provider.calls.length).toBeLessThanOrEqual(limits.calls)
  expect(readdirSync(run)).not.toContain('blocks')
  expect(await benchOk(['replay', run])).toContain('no divergence')
})
