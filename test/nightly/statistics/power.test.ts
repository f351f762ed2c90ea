import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused } from '../../helpers/runs/cli.ts'

const described = ['power', '--tasks', 'answers', '--methods', 'A=baseline,B=baseline']
const pilots = () => readdirSync(tmpdir()).filter((name) => name.startsWith('bench-pilot-'))

it('bench power plans from a profile, the same each time, and leaves no files', async () => {
  const cwd = tempFolder()
  const before = pilots()
  const text = await benchOk(described, { cwd })
  expect(text).toMatch(/^ +B than A +(\d+\.\d points|-) +[\d,]+ \(up to [\d,]+\) +1 +\$[\d.]+$/m)
  expect(text).toMatch(/^Take [\d,]+ tasks with 1 epoch: every pair then finds 10 points, about \$/m)
  expect(text).toMatch(
    /on the 8 tasks of the pilot(: no number of epochs is enough on so few tasks|, \d+ epochs? of each would do)/,
  )
  expect(text).toContain('valid only for what the profile describes')
  expect(await benchOk(described, { cwd })).toBe(text)
  expect(readdirSync(cwd)).toEqual([])
  expect(pilots().filter((name) => !before.includes(name))).toEqual([])
})

it('a plan needs fewer tasks for more epochs and for a larger difference, with any profile', async () => {
  const needed = async (...more: string[]) => {
    const json = await benchOk([...described, '--json', ...more])
    return (JSON.parse(json) as { pairs: { needed: number }[] }).pairs[0]?.needed as number
  }
  const plain = await needed()
  expect(await needed('--epochs', '10')).toBeLessThan(plain)
  expect(await needed('--difference', '30')).toBeLessThan(plain / 3)
  expect(await needed('--profile', 'null', '--seed', '7')).toBeGreaterThan(1)
})

it('bench power says how many epochs of the same tasks are enough, or that none are', async () => {
  const epochs = async (difference: string) => {
    const json = await benchOk([...described, '--json', '--difference', difference])
    return (JSON.parse(json) as { pairs: { neededEpochs: number | null; epochsRefusal: string | null }[] })
      .pairs[0]
  }
  const [wide, narrow] = [await epochs('85'), await epochs('0.1')]
  expect(wide).toMatchObject({ neededEpochs: expect.any(Number), epochsRefusal: null })
  expect(narrow).toEqual(
    expect.objectContaining(
      narrow?.neededEpochs === null
        ? { epochsRefusal: 'no number of epochs is enough on so few tasks' }
        : { neededEpochs: expect.any(Number) },
    ),
  )
  expect(narrow?.neededEpochs ?? Infinity).toBeGreaterThan(wide?.neededEpochs as number)
})

it('bench power takes a run or a description, and refuses what a run would refuse', async () => {
  await refused(['power'], ['requires a run, or options that describe', '--tasks all --methods A,B'])
  await refused(argv`power run --tasks all --seed 2 --match-budget sequential`, [
    '--tasks',
    '--seed',
    '--match-budget',
    'describes a simulated pilot',
  ])
  const matched = ['--tasks', 'lamp-paths', '--methods', 'sequential,best-of', '--match-budget', 'sequential']
  const { code, stdout, stderr } = await bench(['power', ...matched])
  expect(code).toBe(0)
  expect(stdout).toContain('best-of')
  expect(stderr).toMatch(/^simulating 30 trials to plan with, /m)
  await refused(['power', '--tasks', 'lamp-paths', '--methods', 'baselin'], ['Did you mean "baseline"'])
})
