import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { upwardMargins } from '../../../src/analysis/numeric/margins.ts'
import { costPerSuccess } from '../../../src/analysis/ratios/cost-per-success.ts'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { meanInterval } from '../../../src/analysis/tasks/mean-interval.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../records.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

describe('missing', () => {
  /** Records of one method by task and epoch; null is a trial that ended in error. */
  const trials = (method: string, tasks: readonly (readonly (boolean | null)[])[]) =>
    tasks.flatMap((epochs, task) =>
      epochs.map((passed, epoch) =>
        aRecord({
          method,
          task: `s/${task}`,
          epoch: epoch + 1,
          ...(passed === null ? { status: 'error' } : { passed }),
        }),
      ),
    )

  const summaryOf = (...records: readonly TrialRecord[]) => {
    const summary = createSummary({ baseline: 'b' })
    for (const record of records) summary.add(record)
    return summary.result()
  }
  const notesOf = (...records: readonly TrialRecord[]) =>
    formats.text.render(createReport(summaryOf(...records), { run: 'r' })).replace(/\s+/g, ' ')
  const boundsOf = (...records: readonly TrialRecord[]) =>
    summaryOf(...records).methods.find(({ method }) => method === 'a')?.againstBaseline?.success.bounds

  describe('missing trials', () => {
    it('bound the difference of success by their worst and their best case', () => {
      // Worked out by hand and with R: -1/9 and 4/9.
      const a = trials('a', [
        [true, null, true],
        [false, true, true],
        [null, null, null],
      ])
      const b = trials('b', [
        [false, false, true],
        [null, true, false],
        [true, true, false],
      ])
      expect(boundsOf(...a, ...b)).toEqual({ low: expect.closeTo(-100 / 9), high: expect.closeTo(400 / 9) })
    })

    it('have no bounds if no trial is missing', () => {
      expect(boundsOf(...trials('a', [[true]]), ...trials('b', [[false]]))).toBeNull()
    })

    it('cause a warning above 5 percent, and if their share differs between methods', () => {
      const clean = Array.from({ length: 20 }, () => [true])
      const one = [...clean.slice(1), [null]]
      const two = [...clean.slice(2), [null], [null]]
      const warned = /Warning: more than 5% of the trials of a method are missing/
      const uneven = /Warning: (?:.*and )?the share of missing trials differs between methods/
      const notes = (a: (boolean | null)[][], b: (boolean | null)[][]) =>
        notesOf(...trials('a', a), ...trials('b', b))
      expect(notes(clean, clean)).not.toMatch(/Warning/)
      expect(notes(one, one)).not.toMatch(/Warning/)
      expect(notes(one, clean)).toMatch(uneven)
      expect(notes(one, clean)).not.toMatch(warned)
      expect(notes(two, two)).toMatch(warned)
      expect(notes(two, two)).not.toMatch(uneven)
      expect(notes(two, clean)).toMatch(/a 10\.0%, b 0\.0%/)
    })

    it('make the sign of a difference unknown if they could reverse it', () => {
      const a = trials('a', [[true], [true], [null]])
      const b = trials('b', [[false], [true], [false]])
      expect(notesOf(...a, ...b)).toMatch(/from \+33\.3 to \+66\.7 points\./)
      expect(notesOf(...a, ...trials('b', [[false], [true], [null]]))).toMatch(
        /from 0\.0 to \+66\.7 points, so even its sign is unknown/,
      )
    })
  })

  describe('injected faults', () => {
    const faulty = (method: string) => aRecord({ method, faults: 'timeout=0.05' })

    it('are shown in the title, every row, a note and every format', () => {
      const report = createReport(summaryOf(faulty('a'), faulty('b')), { run: 'r' })
      const text = formats.text.render(report, { tasks: true })
      expect(text).toMatch(/live; faults injected; 2 trials/)
      expect(text.match(/^(a|b|s\/1) .*injected/gm)?.length).toBeGreaterThanOrEqual(3)
      expect(text.replace(/\s+/g, ' ')).toContain(
        'Faults were injected on purpose (timeout=0.05): these numbers describe the faults and the methods.',
      )
      expect(formats.csv.render(report)).toContain('timeout=0.05')
      expect(formats.json.render(report)).toContain('"faults": "timeout=0.05"')
      expect(formats.markdown.render(report)).toContain('injected')
      expect(formats.text.render(createReport(summaryOf(aRecord({})), { run: 'r' }))).not.toContain(
        'injected',
      )
    })

    it('are never mixed with records without them, or with others', () => {
      expect(() => summaryOf(faulty('a'), aRecord({ method: 'b' }))).toThrow(/no injected faults/)
      expect(() => summaryOf(faulty('a'), aRecord({ method: 'b', faults: 'slow=1' }))).toThrow(/slow=1/)
    })
  })
})

const eight = (method: string, agents: string, solved: number) =>
  solves(method, solved, 8, { agentSet: agents, agents })
const own = [...eight('m', 'A', 6), ...eight('n', 'A', 2)]
const bounds = ['m', 'n'].flatMap((method) => [...eight(method, 'oracle', 8), ...eight(method, 'no-op', 0)])
const options = { methods: ['m', 'n'], agentSets: ['A', 'oracle', 'no-op'] }

it('a comparison leaves bounds out of family, frontier and rows, and changes no other number', () => {
  const { pairs, methods, frontiers, family } = compare([...own, ...bounds], options)
  expect(pairs.map(({ a, b }) => `${a} - ${b}`)).toEqual(['m@A - n@A'])
  expect(methods.map(({ label }) => label)).toEqual(['m@A', 'n@A'])
  expect(frontiers.tokens.points.map(({ label }) => label)).toEqual(['m@A', 'n@A'])
  const alone = compare(own, options)
  expect({ pairs, methods, frontiers, family }).toEqual({
    pairs: alone.pairs,
    methods: alone.methods,
    frontiers: alone.frontiers,
    family: alone.family,
  })
})

it('a comparison of bounds alone compares them', () => {
  const oracles = [...eight('m', 'oracle', 8), ...eight('n', 'oracle', 8)]
  expect(compare(oracles, options).pairs).toHaveLength(1)
})

const spending = (method: string, costs: readonly number[]) =>
  costs.map((costUsd, task) => aRecord({ method, task: `s/${task}`, spent: { costUsd } }))

describe('pass rates over k trials', () => {
  it.each([9, 4, 1])(
    'of tasks that pass always or never have the limits of single trials: %d of 10',
    (passed) => {
      const rows = [...repeat('111', passed), ...repeat('000', 10 - passed)]
      const [method] = compare(trials('a', rows)).methods
      const single = [...repeat('1', passed), ...repeat('0', 10 - passed)]
      const { estimate, lower, upper } = compare(trials('a', single)).methods[0]?.success ?? {}
      const interval = { estimate, lower, upper, interval: 'wilson' }
      expect(method?.reliability).toEqual({ k: 3, some: interval, all: interval })
      expect(method?.score).toMatchObject({ lower, upper })
    },
  )

  it('have Korn and Graubard’s where a task has further trials', () => {
    const [method] = compare(trials('a', ['11', '1110', '0100', '00', '11', '1010', '11', '10'])).methods
    const { some, all } = method?.reliability ?? {}
    for (const rate of [some, all]) {
      expect(rate?.interval).toBe('korn-graubard')
      expect(rate?.lower as number).toBeGreaterThan(0)
      expect(rate?.upper as number).toBeLessThan(1)
    }
  })
})

describe('a cost per success', () => {
  it('never has a lower limit below the limit of what a trial costs', () => {
    const task = fc.record({
      cost: fc.double({ min: 0.001, max: 10, noNaN: true }),
      success: fc.constantFrom(0, 0, 0, 1),
    })
    fc.assert(
      fc.property(fc.array(task, { minLength: 3, maxLength: 30 }), (tasks) => {
        const { estimate, lower, upper } = costPerSuccess(tasks, 0.95, upwardMargins)
        if (lower === null || upper === null) return
        const trial = meanInterval(
          tasks.map(({ cost }) => cost),
          0.95,
          upwardMargins,
        )
        expect(lower).toBeGreaterThanOrEqual(trial.lower ?? (trial.estimate as number))
        expect(lower).toBeLessThanOrEqual(estimate as number)
        expect(upper).toBeGreaterThanOrEqual(estimate as number)
      }),
    )
  })

  it('costs what a trial costs at least, where all trials cost the same', () => {
    const tasks = Array.from({ length: 9 }, (_, task) => ({ cost: 0.05, success: task < 3 ? 1 : 0 }))
    expect(costPerSuccess(tasks, 0.95, upwardMargins)).toMatchObject({ lower: 0.05 })
  })
})

describe('limits of spending', () => {
  it('are never below 0 for a mean, nor above 100% for a saving', () => {
    const [cheap, dear] = [spending('a', [0, 0, 0, 0, 0, 0, 0, 9]), spending('b', [5, 6, 5, 7, 5, 6, 5, 6])]
    const comparison = compare([...cheap, ...dear])
    const [a] = comparison.methods
    expect(a?.spent.costUsd.mean.lower).toBe(0)
    const { ratio, saved } = onlyPair(comparison).spent.costUsd
    expect(ratio.lower).toBe(0)
    expect(saved.upper).toBe(100)
  })

  it.each([
    ['successes', 'one-task-decides'],
    ['costs', 'one-task-costs'],
  ])('are refused by name where one task holds all %s', (what, refusal) => {
    const a = Array.from({ length: 8 }, (_, task) =>
      aRecord({
        method: 'a',
        task: `s/${task}`,
        passed: what === 'costs' || task === 2,
        spent: { costUsd: what === 'costs' && task !== 2 ? 0 : 1 },
      }),
    )
    const b = spending('b', [1, 2, 1, 2, 1, 2, 1, 2])
    expect(onlyPair(compare([...a, ...b])).costPerSuccess).toMatchObject({ lower: null, refusal })
  })
})

const summaryOf = (records: readonly TrialRecord[]) => {
  const builder = createSummary({ baseline: 'b' })
  for (const record of records) builder.add(record)
  return builder.result()
}
const tasks = Array.from({ length: 8 }, (_, index) => `s/${index}`)
const each = (method: string, spent: Partial<TrialRecord['spent']>) =>
  tasks.map((task) => aRecord({ method, task, spent }))

describe('methods where one profited from a cache', () => {
  const cached = { cached: 70, costUsd: 0.02, listCostUsd: 0.1 }
  const records = [...each('a', cached), ...each('b', {})]

  it('are compared at the uncached list price, at which they are equal', () => {
    const { spent, costPerSuccess } = onlyPair(compare(records))
    expect(spent.costUsd.ratio.ratio).toBeCloseTo(1, 12)
    expect(costPerSuccess.ratio).toBeCloseTo(1, 12)
  })

  it('save nothing by it in the table of methods, which shows both prices', () => {
    const [a] = summaryOf(records).methods
    expect(a?.againstBaseline?.cost.percent).toBeCloseTo(0, 12)
    expect(a?.cost.perTrial.value).toBeCloseTo(0.02, 12)
    expect(a?.cost.total.value).toBeCloseTo(0.16, 12)
    expect(a?.listCost.perTrial.value).toBeCloseTo(0.1, 12)
    expect(a?.listCost.total.value).toBeCloseTo(0.8, 12)
  })
})

describe('an unknown list price', () => {
  it('is null with the number of such calls, even if the bill is known', () => {
    const spent = { calls: 3, costUsd: 0.3, listCostUsd: null, unknownListCost: 3 }
    const [a] = summaryOf(each('a', spent)).methods
    expect(a?.cost.perTrial).toEqual({ value: expect.closeTo(0.3, 12), lowerBound: false })
    expect(a?.listCost.perTrial).toEqual({ value: null, lowerBound: false })
    expect(a?.unreported).toMatchObject({ costCalls: 0, listCalls: 24, listTrials: 8 })
  })

  it('of some calls makes the sum a lower bound, and excludes the trial from comparisons', () => {
    const partly = { calls: 2, listCostUsd: 0.05, unknownListCost: 1 }
    const [whole, ...rest] = each('a', {})
    const records = [{ ...(whole as TrialRecord), spent: { ...aRecord().spent, ...partly } }, ...rest]
    expect(summaryOf(records).methods[0]?.listCost.total).toEqual({
      value: expect.closeTo(0.75, 12),
      lowerBound: true,
    })
    expect(onlyPair(compare([...records, ...each('b', {})])).spent.costUsd.nTasks).toBe(7)
  })
})

it('the list price of a simulated trial is its bill', () => {
  const { listCostUsd: _, unknownListCost: __, ...spent } = aRecord().spent
  const [a] = summaryOf([aRecord({ simulated: true, mode: 'dev' })].map((one) => ({ ...one, spent }))).methods
  expect(a?.listCost).toEqual(a?.cost)
  expect(a?.unreported.listCalls).toBe(0)
})

it('the list price of a simulated trial with an unpriced call is the known part of its bill, per trial and in total', () => {
  const {
    listCostUsd: _,
    unknownListCost: __,
    ...spent
  } = aRecord({
    spent: { costUsd: 0.3, calls: 2, unreportedCost: 1 },
  }).spent
  const partly = { ...aRecord({ simulated: true, mode: 'dev' }), spent }
  const [a] = summaryOf([partly]).methods
  const atLeast = { value: 0.3, lowerBound: true }
  expect(a?.listCost).toEqual({ perTrial: atLeast, total: atLeast })
  expect(a?.listCost).toEqual(a?.cost)
})

it('a summary adds up the costs that agents reported, and the computed costs of the same calls', () => {
  const reported = { calls: 2, costUsd: 0.3, computedUsd: 0.25 }
  const [a] = summaryOf([
    aRecord({ spent: { reported } }),
    aRecord({ epoch: 2, spent: { reported } }),
  ]).methods
  expect(a?.reported).toEqual({ calls: 4, costUsd: 0.6, computedUsd: 0.5 })
  expect(summaryOf([aRecord()]).methods[0]?.reported).toBeNull()
})
