import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, shareProcess } from '../helpers/runs/cli.ts'

shareProcess()

const mix = argv`--profile mix --agents step-1=simulated:cheap,step-2=simulated:middle --agent step-3=simulated:dear`
const tasks = argv`--tasks recipe-scale,ferry-morning,lamp-paths --epochs 2 --quiet`
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const plain = (text: string) => text.replace(/\s+/g, ' ')

describe('a cascade of a cheap, a middle and a dear agent with its bracket', () => {
  it('is planned, run, reported, replayed and resumed, and places the method between its agents', async () => {
    const cwd = tempFolder()
    const args = [...tasks, ...mix, ...argv`--methods cascade,consensus[agents=2] --bracket`]
    const estimate = await benchOk([...args, '--dry-run'], { cwd })
    expect(estimate).toMatch(/^ +alone-dear +6 +6 /m)
    expect(estimate).toMatch(/^ +alone-cheap +6 +6 /m)
    await benchOk([...args, '--out', 'one'], { cwd })
    const stopped = await bench([...args, '--parallel', '3', '--out', 'parts', '--max-calls', '20'], { cwd })
    expect(stopped.code).toBe(3)
    await benchOk(argv`run --resume parts --max-calls none --quiet`, { cwd })
    expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'one')))
    await benchOk(argv`replay one`, { cwd })

    const records = recordsOf(join(cwd, 'one'))
    expect([...new Set(records.map(({ method }) => method))].sort()).toEqual([
      'alone-cheap',
      'alone-dear',
      'alone-middle',
      'cascade',
      'consensus[agents=2]',
    ])
    for (const { method, candidates, fidelity } of records) {
      expect(fidelity?.status).toBe('kept')
      expect(candidates !== undefined, method).toBe(method === 'cascade')
    }
    const report = plain(await benchOk(argv`report one`, { cwd }))
    expect(report).toContain(
      'cascade: the cheapest agent is simulated:cheap (alone-cheap), the dearest simulated:dear (alone-dear), by the prices known before the run',
    )
    expect(report).toMatch(/Cascades: what each step gave and cost/)
    expect(report).toMatch(/a comparison of mixes of agents/)
    expect(report).not.toContain('Error flow')
    const json = JSON.parse(await benchOk(argv`report one --format json`, { cwd }))
    expect(json.bracket[0].agents.map(({ row }: { row: string }) => row)).toEqual([
      'alone-cheap',
      'alone-middle',
      'alone-dear',
    ])
    expect(json.cascades[0].trials).toBe(6)
    expect(readJson(join(cwd, 'one', 'run.json')).bracket[0].by).toBe('prices')
  }, 400_000)

  it('uses the baselines that the run has, and orders by roles where a price is unknown', async () => {
    const agent = "export default () => ({ text: 'Answer: 1', tokens: { input: 1, output: 1 } })"
    const cwd = folderOf({ 'a.mjs': agent, 'b.mjs': agent })
    const args = argv`--tasks recipe-scale --methods cascade[until=checks,steps=2],small=baseline --agents scripted:a.mjs --agent step-2=scripted:b.mjs --bracket --quiet --out run`
    await benchOk(args, { cwd })
    const { bracket, methods } = readJson(join(cwd, 'run', 'run.json'))
    expect(methods.map(({ label }: { label: string }) => label)).toEqual([
      'cascade[until=checks,steps=2]',
      'small',
      'alone-b.mjs',
    ])
    expect(bracket).toEqual([
      {
        method: 'cascade[until=checks,steps=2]',
        by: 'roles',
        agents: [
          { agent: 'scripted:a.mjs', row: 'small' },
          { agent: 'scripted:b.mjs', row: 'alone-b.mjs' },
        ],
      },
    ])
  })
})

it('a run with one agent for all steps says so, and a wrong bracket or model is refused in one line', async () => {
  const cwd = tempFolder()
  await benchOk(argv`--tasks recipe-scale --methods cascade,baseline --quiet --out run`, { cwd })
  expect(plain(await benchOk(argv`report run`, { cwd }))).toContain('all steps ask simulated, at one price')
  const few = argv`--tasks recipe-scale --dry-run --methods`
  await refused(
    [...few, ...argv`cascade,baseline --bracket`],
    ['[--bracket] needs a method whose roles ask different agents'],
    { cwd },
  )
  await refused(
    [...few, ...argv`cascade --bracket --agents simulated,oracle`],
    ['[--bracket] conflicts with several agents after --agents'],
    { cwd },
  )
  await refused(
    [...few, ...argv`cascade --profile mix --agent step-1=simulated:chep`],
    ['Did you mean "cheap"?'],
    { cwd },
  )
  await refused(
    [...few, ...argv`cascade --agent step-1=simulated:cheap`],
    ['the profile default has no such model'],
    { cwd },
  )
  await refused([...few, 'cascade[steps=2]'], ['must be at least 3 with until=agreement'], { cwd })
})
