import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flips, TaskTrials } from '../../../src/analysis/flips.ts'
import { groupBy } from '../../../src/base/grouping.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, program, recordsOf, refused } from '../../helpers/runs/cli.ts'

const tasks = 'ferry-morning,lamp-paths,workshop-day,register-trace,word-rewriting'
// One place for all tests of this file.
const cwd = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

beforeAll(async () => {
  const run = (args: readonly string[]) =>
    execa(process.execPath, [program, ...argv`run --tasks ${tasks} --quiet --epochs 3`, ...args], { cwd })
  await run(argv`--methods baseline,sequential,consensus --out a`)
  await run(argv`--methods baseline --seed 2 --out b`)
})

const jsonOf = async (args: readonly string[]): Promise<Flips> =>
  JSON.parse(await benchOk([...args, '--format', 'json'], { cwd })).flips

/** The ids of passed trials by method and task, from the lines of a run's records alone. */
function passedOf(run: string): (method: string, task: string) => string[] {
  const passed = recordsOf(join(cwd, run)).filter((record) => record.passed)
  const byCell = groupBy(passed, ({ method, task }) => `${method} ${task}`)
  return (method, task) => (byCell.get(`${method} ${task}`) ?? []).map(({ trial }) => trial)
}

describe('bench report RUN --flips', () => {
  it('JSON has the tasks that changed sides of every pair, and the flaky ones, as counted in records.jsonl', async () => {
    const { pairs, methods, tasks: all } = await jsonOf(['report', 'a', '--flips'])
    const passed = passedOf('a')
    const names = [...new Set(recordsOf(join(cwd, 'a')).map(({ task }) => task))].sort()
    expect([all, pairs.length, methods.length]).toEqual([names.length, 3, 3])
    const count = (method: string, task: string) => passed(method, task).length
    let changed = 0
    for (const { a, b, both, neither, onlyA, onlyB, ties, untestable } of pairs) {
      const only = (one: string, other: string) =>
        names.filter((task) => count(one, task) > 1 && count(other, task) < 2)
      expect(onlyA.map(({ task }) => task).sort()).toEqual(only(a, b))
      expect(onlyB.map(({ task }) => task).sort()).toEqual(only(b, a))
      expect([ties, untestable]).toEqual([[], 0])
      expect(both + neither + onlyA.length + onlyB.length).toBe(names.length)
      for (const { task, a: ours } of onlyA) expect(ours.trials.passed).toEqual(passed(a, task))
      changed += onlyA.length + onlyB.length
    }
    const flaky = names.filter((task) => [1, 2].includes(count('baseline', task)))
    expect(
      methods
        .find(({ label }) => label === 'baseline')
        ?.flaky.map(({ task }) => task)
        .sort(),
    ).toEqual(flaky)
    // The run must hold something to count.
    expect([changed > 0, methods.some((method) => method.flaky.length > 0)]).toEqual([true, true])
  })

  it('text has them alone, with trials that bench show finds; the page has them only on request', async () => {
    const text = await benchOk(['report', 'a', '--flips'], { cwd })
    expect(text).toMatch(/^Tasks by who solves them \(simulated\)$/m)
    expect(text).not.toContain('Each method in detail')
    const [, line = ''] = text.split(/^Tasks that changed sides.*$/m)
    const [id = ''] = line.match(/\b[0-9a-f]{12}\b/) ?? []
    expect(await benchOk(['show', 'a', id], { cwd })).toContain(id)
    await benchOk(argv`report a --format html --flips --out with.html`, { cwd })
    await benchOk(argv`report a --format html --out without.html`, { cwd })
    const page = (name: string) => readFileSync(join(cwd, name), 'utf8')
    expect(page('with.html')).toContain('<section id="flips"')
    expect(page('without.html')).not.toContain('id="flips"')
  })

  it('it is refused with another part, with columns, with figures, and where nothing could change sides', async () => {
    await refused(argv`report a --flips --pairs`, ['[--pairs --flips] conflict: each prints only one part'], {
      cwd,
    })
    await refused(argv`report a --flips --columns task`, ['conflict: columns are chosen for'], { cwd })
    await refused(
      argv`report a --flips --format svg --out x`,
      ['[--flips] applies to tables, not to figures'],
      { cwd },
    )
    await benchOk(argv`run --tasks ferry-morning --methods baseline --quiet --out one`, { cwd })
    await refused(argv`report one --flips`, ['[--flips]', 'no two methods to compare', '--epochs'], { cwd })
  })
})

describe('bench compare A B --flips', () => {
  it('of two methods of a run it has the pair of the report', async () => {
    const of = async (args: readonly string[]) => (await jsonOf([...args, '--flips'])).pairs
    const [pair] = await of(argv`compare a:consensus a:baseline`)
    const all = await of(argv`report a`)
    expect(all).toContainEqual(pair)
    expect([pair?.a, pair?.b]).toEqual(['consensus', 'baseline'])
    const text = await benchOk(argv`compare a:consensus a:baseline --flips`, { cwd })
    expect(text).toMatch(/^consensus +baseline +\d/m)
    expect(text).not.toContain('sequential')
  })

  it('of two runs it has the trials of both, and leaves out tasks that only one of them planned', async () => {
    await benchOk(
      argv`run --tasks ferry-morning,lamp-paths --methods baseline --epochs 3 --seed 3 --quiet --out c`,
      { cwd },
    )
    const { tasks: all, pairs, methods } = await jsonOf(argv`compare a:sequential c:baseline --flips`)
    expect([all, pairs[0]?.untestable, methods.map(({ missing }) => missing)]).toEqual([2, 0, [0, 0]])
    const whole = (await jsonOf(argv`compare a:sequential b:baseline --flips`)).pairs[0]
    const idsOf = (run: string) => recordsOf(join(cwd, run)).map(({ trial }) => trial)
    const changed = [...(whole?.onlyA ?? []), ...(whole?.onlyB ?? []), ...(whole?.ties ?? [])]
    const ids = ({ trials }: TaskTrials) => [...trials.passed, ...trials.failed]
    expect(changed.length).toBeGreaterThan(0)
    expect(idsOf('a')).toEqual(expect.arrayContaining(changed.flatMap(({ a }) => ids(a))))
    expect(idsOf('b')).toEqual(expect.arrayContaining(changed.flatMap(({ b }) => ids(b))))
    const text = await benchOk(argv`compare a:sequential b:baseline --flips`, { cwd })
    expect(text).toMatch(/bench show a TRIAL\n +bench show b TRIAL/)
  })
})
