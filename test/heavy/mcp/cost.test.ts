import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { openBenchMcp } from '../../helpers/mcp/bench-client.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk } from '../../helpers/runs/cli.ts'

it('a server over 500 runs takes at most 150 MiB', async () => {
  const cwd = tempFolder()
  await benchOk(argv`--tasks answers --methods baseline --out results/run0 --quiet`, { cwd })
  for (let i = 1; i < 500; i++)
    cpSync(join(cwd, 'results/run0'), join(cwd, `results/run${i}`), { recursive: true })
  const { client, call, pid } = await openBenchMcp(cwd)
  for (let offset = 0; offset < 500; offset += 100) {
    const { runs, count } = JSON.parse((await call('list_runs', { offset, limit: 100 })).text)
    expect([count, runs.length]).toEqual([500, 100])
  }
  await client.listResources()
  for (let i = 0; i < 20; i++) await call('progress', { run: `run${i}` })
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  expect(peak).toBeGreaterThan(10_000)
  expect(peak).toBeLessThan(150 * 1024)
})

it('no other command loads anything of the server', async () => {
  const cwd = tempFolder()
  const covered = join(cwd, 'coverage')
  const env = { NODE_V8_COVERAGE: covered }
  await benchOk(argv`--tasks ferry-morning --methods baseline --out results/run --quiet`, { cwd, env })
  await benchOk(['report', 'results/run'], { cwd, env })
  await benchOk(['doctor'], { cwd, env })
  const loaded = readdirSync(covered).flatMap((file) =>
    (JSON.parse(readFileSync(join(covered, file), 'utf8')).result as { url: string }[]).map(({ url }) => url),
  )
  expect(loaded.some((url) => url.endsWith('cli.cjs'))).toBe(true)
  expect(loaded.filter((url) => url.includes('modelcontextprotocol/server'))).toEqual([])
})
