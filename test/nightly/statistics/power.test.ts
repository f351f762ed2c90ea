import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { correctedDifference, correctedSuccess } from '../../../src/analysis/calibration/corrected-success.ts'
import type { MethodCoordination } from '../../../src/analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../../src/analysis/coordination/error-flow.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { drawTrials, type LabelWorld, trueSuccess } from '../../helpers/graders/drawn-labels.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused, startBench } from '../../helpers/runs/cli.ts'

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
  await refused(
    ['power', 'run', '--tasks', 'all', '--seed', '2', '--match-budget', 'sequential'],
    ['--tasks', '--seed', '--match-budget', 'describes a simulated pilot'],
  )
  const matched = ['--tasks', 'lamp-paths', '--methods', 'sequential,best-of', '--match-budget', 'sequential']
  const { code, stdout, stderr } = await bench(['power', ...matched])
  expect(code).toBe(0)
  expect(stdout).toContain('best-of')
  expect(stderr).toMatch(/^simulating 30 trials to plan with, /m)
  await refused(['power', '--tasks', 'lamp-paths', '--methods', 'baselin'], ['Did you mean "baseline"'])
})

describe('coordination', () => {
  const bench = (...args: string[]) => startBench(args).ended

  it('report --coordination shows how agents worked together and where right answers were lost, in every format', async () => {
    const out = join(tempFolder(), 'run')
    const plan = ['--tasks', 'answers', '--methods', 'baseline,sequential', '--epochs', '4', '--quiet']
    await bench(...plan, '--grade-candidates', '--out', out)
    const records = readFileSync(join(out, 'records.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TrialRecord)

    const { stdout } = await bench('report', out, '--coordination', '--format', 'json')
    const json = JSON.parse(stdout) as { coordination: MethodCoordination[]; errorFlow: MethodErrorFlow[] }
    const [baseline, sequential] = json.coordination
    expect(baseline).toMatchObject({
      isBaseline: true,
      perTrial: { turns: 1, messages: 0 },
      shares: { work: 1 },
    })
    expect(sequential?.overhead?.tokens).toBeGreaterThan(100)
    expect(sequential?.perTrial.messages).toBeGreaterThan(3)
    expect(Object.values(sequential?.shares ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)

    const graded = records.filter(
      ({ method, passed, candidates }) => method === 'sequential' && passed !== null && candidates?.length,
    )
    expect(json.errorFlow.find(({ method }) => method === 'sequential')).toMatchObject({
      trials: graded.length,
      withRight: graded.filter(({ candidates }) => candidates?.some(({ passed }) => passed)).length,
      lost: graded.filter(({ candidates, passed }) => !passed && candidates?.some(({ passed }) => passed))
        .length,
    })

    const shown = async (format: string) =>
      (await bench('report', out, '--coordination', '--format', format)).stdout
    expect(await shown('text')).toMatch(/Coordination: .*\(simulated\)[\s\S]*oracle gap/)
    expect(await shown('markdown')).toContain('| oracle gap (of trials) |')
    expect(await shown('latex')).toMatch(/coordination-1[\s\S]*errorFlow-1/)
    expect((await shown('csv')).split('\n')[0]).toContain('share_hand_off (share of tokens)')
    expect((await bench('report', out)).stdout).toContain('oracle gap')

    const revised = graded.find(({ candidates = [] }) => candidates.length > 1) as TrialRecord
    expect((await bench('show', out, revised.trial)).stdout).toMatch(
      /on the way +\S*#\d+ \S+: (right|wrong), made from/,
    )
    expect(await bench('replay', out)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no divergence'),
    })
  })
})

const worlds = 4000

const settings: readonly (LabelWorld & { name: string })[] = [
  {
    ...{ name: 'a harsh and a mild judge', tasks: 40, epochs: 3, labels: 120 },
    methods: {
      a: { logit: 0, sensitivity: 0.95, specificity: 0.6 },
      b: { logit: 0.7, sensitivity: 0.7, specificity: 0.95 },
    },
  },
  {
    ...{ name: 'few labels', tasks: 30, epochs: 2, labels: 60 },
    methods: {
      a: { logit: 0, sensitivity: 0.9, specificity: 0.8 },
      b: { logit: 0, sensitivity: 0.9, specificity: 0.8 },
    },
  },
  {
    ...{ name: 'high success and good judges', tasks: 60, epochs: 1, labels: 60 },
    methods: {
      a: { logit: 2, sensitivity: 0.98, specificity: 0.95 },
      b: { logit: 2.5, sensitivity: 0.98, specificity: 0.95 },
    },
  },
  {
    ...{ name: 'judges that know nothing', tasks: 40, epochs: 2, labels: 80 },
    methods: {
      a: { logit: 0.5, sensitivity: 0.5, specificity: 0.5 },
      b: { logit: 0, sensitivity: 0.5, specificity: 0.5 },
    },
  },
]

describe.each(settings)('success corrected by labels, with $name', ({ name, ...world }) => {
  it(`has 95% intervals that hold the truth in at least 93% of ${worlds} worlds`, () => {
    const [a, b] = [world.methods.a?.logit, world.methods.b?.logit].map((logit) =>
      trueSuccess(logit ?? 0),
    ) as [number, number]
    const held = { a: 0, b: 0, difference: 0 }
    const given = { a: 0, b: 0, difference: 0 }
    for (let seed = 0; seed < worlds; seed++) {
      const trials = drawTrials(world, `${name}/${seed}`)
      const found = {
        a: { truth: a, ...correctedSuccess(trials, 'a', 0.95) },
        b: { truth: b, ...correctedSuccess(trials, 'b', 0.95) },
        difference: { truth: b - a, ...correctedDifference(trials, ['b', 'a'], 0.95) },
      }
      for (const key of ['a', 'b', 'difference'] as const) {
        const { truth, lower, upper } = found[key]
        if (lower === null || upper === null) continue
        given[key]++
        if (lower <= truth && truth <= upper) held[key]++
      }
    }
    for (const key of ['a', 'b', 'difference'] as const) {
      expect(given[key], key).toBeGreaterThan(worlds / 2)
      expect(held[key] / given[key], key).toBeGreaterThan(0.93)
    }
  })
})
