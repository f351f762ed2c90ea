import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused } from '../../helpers/runs/cli.ts'

let cwd: string
const ask = (...args: string[]) => benchOk(['history', ...args], { cwd })

describe('bench history', () => {
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-history-'))
  })
  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  it('finds no trials before the first run, and the notes of two runs after them', async () => {
    await refused(['history'], [/results\] does not exist/], { cwd })
    for (const [i, note] of ['As it was', '=Stronger hook, "quoted"'].entries()) {
      const methods = ['--methods', 'baseline,fanout:post', '--seed', String(i + 1)]
      await benchOk(
        ['--tasks', 'answers', ...methods, '--note', note, '--quiet', '--out', `results/run ${i}`],
        {
          cwd,
        },
      )
    }
    expect(await ask('runs', '--format', 'csv')).toContain('As it was')
  })

  it('answers every query as CSV and JSON, with as many rows in each, and as text', async () => {
    for (const query of ['agents', 'cost', 'trend', 'weekly', 'runs', 'best', 'scores']) {
      const { rows, runs, leftOut } = JSON.parse(await ask(query, '--json'))
      expect([runs, leftOut], query).toEqual([['run 0', 'run 1'], []])
      expect(rows.length, query).toBeGreaterThan(0)
      expect((await ask(query, '--format', 'csv')).trim().split('\n').length, query).toBe(rows.length + 1)
    }
    expect(await ask()).toContain('Success and cost by method and agents (simulated)')
    expect(await ask('scores')).toMatch(/auditor/)
    expect((await ask('export')).trim().split('\n').length).toBe(1 + 2 * 16)
  })

  it('gives the bill of the runs in its cost by agent and role, with the states of a workflow in the best agents', async () => {
    const cost = JSON.parse(await ask('cost', '--json')).rows as { cost_usd: number; role: string }[]
    const agents = JSON.parse(await ask('agents', '--json')).rows as { cost: { total: { value: number } } }[]
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    expect(sum(cost.map((row) => row.cost_usd))).toBeCloseTo(
      sum(agents.map((row) => row.cost.total.value)),
      9,
    )
    expect(cost.map(({ role }) => role)).not.toContain('')
    expect(await ask('best')).toMatch(/state /)
  })

  it('shows the runs of one task by time, with what changed', async () => {
    const text = await ask('task', 'answers/ferry-morning')
    expect(text).toMatch(/As it was[\s\S]*=Stronger/)
    // A spreadsheet must not take a note for a formula.
    expect(await ask('task', 'answers/ferry-morning', '--format', 'csv')).toContain(`'=Stronger hook`)
  })

  it('prints the views for another DuckDB, which counts the same', async () => {
    const sql = await ask('agents', '--sql')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const reader = await connection.runAndReadAll(sql)
    const rows = reader.getRowObjectsJS()
    expect(rows.reduce((sum, row) => sum + Number(row.n_run), 0)).toBe(32)
    connection.closeSync()
  })

  it('writes one page with all charts and a link to each run, and none without runs', async () => {
    await ask('--html', 'out/page.html')
    const page = readFileSync(join(cwd, 'out/page.html'), 'utf8')
    const { document } = parseHTML(page)
    expect([...document.querySelectorAll('figure')].map(({ id }) => id)).toEqual(
      ['trend', 'timeline', 'cost', 'success'].map((name) => `figure-${name}`),
    )
    const links = [...document.querySelectorAll('#recent a')].map((link) => link.getAttribute('href') ?? '')
    expect(links).toHaveLength(4)
    for (const link of links)
      expect(existsSync(resolve(dirname(join(cwd, 'out/page.html')), decodeURIComponent(link))), link).toBe(
        true,
      )
    expect(page).toContain('Stronger hook')
    const empty = tempFolder()
    await benchOk(['history', '--in', empty, '--html', 'page.html'], { cwd })
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toContain('No trials here yet')
  })

  it('says what a later run was beside the earlier one, at its end and in its summary', async () => {
    const summary = readFileSync(join(cwd, 'results/run 1/summary.md'), 'utf8')
    expect(summary).toMatch(/\*\*Past\*\*: .*in 1 earlier run/)
    expect(await benchOk(['report', 'results/run 1'], { cwd })).toMatch(/^Past /m)
    expect(await benchOk(['report', 'results/run 0'], { cwd })).not.toMatch(/^Past /m)
  })

  it('refuses what it does not know, with the remedy', async () => {
    const setting = { cwd }
    await refused(['history', 'agent'], [/there is no query "agent"\. Did you mean "agents"\?/], setting)
    await refused(['history', 'task'], [/does not say which task/], setting)
    await refused(
      ['history', 'task', 'answers/fery-morning'],
      [/Did you mean "answers\/ferry-morning"/],
      setting,
    )
    await refused(
      ['history', 'agents', 'x', '--format', 'xml', '--html', 'a', '--sql'],
      [/takes no task/, /xml/, /conflict/],
      setting,
    )
    await refused(['history', '--in', 'nowhere'], [/does not exist/], setting)
    await refused(['history', 'export', '--format', 'text'], [/does not apply to the query export/], setting)
    expect((await bench(['history', '--out', 'results/run 0/run.json'], setting)).code).toBe(2)
  })
})
