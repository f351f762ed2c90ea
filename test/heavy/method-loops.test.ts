import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeMarkdown } from '../../src/formats/convert.ts'
import { readJson, writeJson } from '../../src/formats/json.ts'
import { readMarkdown } from '../../src/formats/markdown.ts'
import { element, nameStart } from '../../src/formats/tree.ts'
import { readXml, writeXml } from '../../src/formats/xml.ts'
import { paidPlan } from '../cli/run/crash-scenario.ts'
import { expectSame, replays, runInTwo, runOnce } from '../cli/run/determinism-scenario.ts'
import { anyTree, plain } from '../formats/trees.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, stepsOf } from '../helpers/runs/cli.ts'

it('a method takes the loops that it declares: a vote overrules the first attempt, a retry changes the outcome', async () => {
  const folder = join(tempFolder(), 'run')
  const methods = 'self-consistency,retry[n=3],consensus,consensus[vote=judge],baseline[turns=2]'
  await benchOk([
    ...['--tasks', 'expression-evaluator,lamp-paths', '--methods', methods],
    ...['--out', folder, '--quiet'],
  ])
  const records = recordsOf(folder)
  for (const { fidelity } of records) expect(fidelity).toEqual({ status: 'kept' })
  const passed = records.filter((record) => record.passed)
  const of = (method: string) => passed.filter((record) => record.method === method)
  expect(of('retry[n=3]').some(({ detail }) => /^attempt [23] passes/.test(detail ?? ''))).toBe(true)
  expect(of('self-consistency').some(({ state }) => state?.winner !== 1)).toBe(true)
  expect(of('consensus').some(({ state }) => state?.elected !== 'worker-1')).toBe(true)
  for (const { method, ownJudge } of records)
    expect(ownJudge).toBe(method === 'consensus[vote=judge]' ? 'simulated' : undefined)
  expect(await benchOk(['report', folder])).toContain(
    'simulated chose among candidates that included its own',
  )
  await benchOk(['replay', folder])
})

const tasks = ['--tasks', 'lamp-paths,recipe-scale', '--epochs', '2']
const methods = 'self-consistency,A=sequential[maxOuter=2],retry[n=2],longer=baseline[match=A:calls]'
const plan = [...tasks, '--methods', methods, '--match-budget', 'A:tokens', '--quiet']

it('a matched control makes as many attempts as the other method’s spend allows, at any parallelism and after a stop', async () => {
  const cwd = tempFolder()
  await benchOk([...plan, '--parallel', '1', '--out', 'one'], { cwd })
  await benchOk([...plan, '--parallel', '6', '--out', 'six'], { cwd })
  const stopped = await bench([...plan, '--parallel', '3', '--out', 'parts', '--max-calls', '40'], { cwd })
  expect(stopped.code).toBe(3)
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none', '--quiet'], { cwd })
  const [one, six, parts] = ['one', 'six', 'parts'].map((name) => recordLines(join(cwd, name)))
  expect(six).toEqual(one)
  expect(parts).toEqual(one)

  const records = recordsOf(join(cwd, 'one'))
  const spentOn = (task: string, method: string, of: (record: (typeof records)[number]) => number) => {
    const own = records.filter((record) => record.task === task && record.method === method)
    expect(own).toHaveLength(2)
    return own.reduce((sum, record) => sum + of(record), 0) / 2
  }
  const steps = stepsOf(join(cwd, 'one'))
  for (const [method, unit, of] of [
    ['self-consistency=A', 'tokens', ({ spent }) => spent.input + spent.output],
    ['longer', 'calls', ({ spent }) => spent.calls],
  ] as [string, string, (record: (typeof records)[number]) => number][])
    for (const { trial, task, matched, iterations } of records.filter((one) => one.method === method)) {
      const [spent, baseline] = [spentOn(task, 'A', of), spentOn(task, 'baseline', of)]
      const attempts = Math.max(1, Math.round(spent / baseline))
      expect(matched).toEqual({ method: 'A', unit, spent, baseline, attempts })
      expect(iterations).toBe(attempts)
      expect(steps.filter((step) => step.trial === trial && step.kind === 'match')).toHaveLength(1)
    }
  expect(records.filter(({ method }) => method === 'retry[n=2]').every(({ matched }) => !matched)).toBe(true)

  const report = await benchOk(['report', 'one', '--tasks'], { cwd })
  expect(report.replace(/\s+/g, ' ')).toMatch(
    /self-consistency=A: \d\.\d\d times the tokens of A over 2 tasks; (not )?matched/,
  )
  expect(report).toMatch(/×\d\.\d\d in \d/)
  await benchOk(['replay', 'one'], { cwd })
})

it('an impossible match is refused with all its problems', async () => {
  const small = ['--tasks', 'lamp-paths', '--methods']
  await refused([...small, 'self-consistency[match=nobody:tokens]'], ['no method to match "nobody"'])
  await refused([...small, 'sequential,retry[match=sequential:words]'], ['"words" is not a unit of a budget'])
  await refused([...small, 'sequential,best-of[n=2,match=sequential]'], ['sets both match and n'])
  await refused([...small, 'retry[match=B],B=best-of[match=retry]'], [/no method to match "B"/, /"retry"/])
  await refused(
    [...small, 'sequential,best-of[n=2]', '--match-budget', 'sequential'],
    ['needs a method that makes several attempts'],
  )
  await refused([...small, 'sequential[match=baseline],baseline'], ['no option "match"'])
})

describe('parallelism', () => {
  // Tasks with code and answers, checks, and several agents.
  const plan = [
    ...['--tasks', 'duration-text,ferry-morning', '--methods', 'baseline,sequential,integrated'],
    ...['--seed', '7'],
  ]

  // Killed at any moment: crash.test.ts, and the heavy tests.
  it('records are byte-identical at any parallelism, and also when stopped and resumed', async () => {
    const one = await runOnce(plan, {}, '--parallel', '1')
    expect(one.lines).toHaveLength(2 * 3)
    expectSame(await runOnce(plan, {}, '--parallel', '8'), one)
    const stopped = await runInTwo([...plan, '--parallel', '1'], 'SIGINT', one)
    expectSame(stopped, one)
    // A hundred times: the heavy tests.
    await replays(one, 2)
    await replays(stopped, 1)
  })

  it('records are the same whichever of several branches really ends first', async () => {
    const one = await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8')
    expectSame(await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8'), one)
    await replays(one, 1)
  })

  it('another seed gives other records', async () => {
    const plan = ['--tasks', 'answers', '--methods', 'baseline']
    const one = await runOnce(plan, {}, '--seed', '1')
    expectSame(await runOnce(plan, {}, '--seed', '1'), one)
    const other = await runOnce(plan, {}, '--seed', '2')
    expect(other.lines).toHaveLength(one.lines.length)
    for (const line of other.lines) expect(one.lines).not.toContain(line)
  })
})

describe('a document of the defined tree', () => {
  const formats = [
    ['xml', readXml, writeXml],
    ['json', readJson, writeJson],
    ['markdown', readMarkdown, writeMarkdown],
  ] as const
  for (const [name, read, write] of formats)
    it(`comes back as it was when it is written as ${name} and read again`, () => {
      fc.assert(
        fc.property(anyTree, (tree) => {
          expect(plain(read(write(tree)))).toBe(plain(tree))
        }),
        { numRuns: 1500 },
      )
    })
})

it('readXml reads what writeXml wrote, whatever character a name begins with', () => {
  const first = new RegExp(`[${nameStart}]`)
  const names = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    first.test(one),
  )
  expect(names.length).toBeGreaterThan(7000)
  expect(names.filter((name) => readXml(writeXml(element(name, [], {}))).name !== name)).toEqual([])
})
