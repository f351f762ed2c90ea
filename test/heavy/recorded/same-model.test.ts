import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { makeBoard, share } from '../../helpers/imports/terminal-bench-board.ts'

const script = join(packageRoot(), 'scripts/study-same-model.mjs')
const page = join(packageRoot(), 'docs/studies/same-model.md')

/** The rows of the tables of a text, each cell as it is printed. */
const tablesOf = (text: string) =>
  text
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')))
    .filter((lines) => lines.length > 2)
    .map((lines) =>
      lines.slice(2).map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    )

const numberIn = (cell = '') => Number(cell.replace('−', '-').split(' ')[0])

describe('the command of the study of seven agents on one model', () => {
  it('prints what the outcomes of a board come to, with what is found twice counted once', async () => {
    const board = makeBoard()
    const { stdout } = await execa(process.execPath, [script, '--board', board.folder, '--print'])
    const [agents = [], pairs = [], flips = [], spending = []] = tablesOf(stdout)
    const values = [...board.verdicts].map(([agent, tasks]) => ({ agent, all: [...tasks.values()] }))
    const rateOf = (agent: string) =>
      share(
        values
          .find((one) => one.agent === agent)
          ?.all.flat()
          .map((verdict) => (verdict ? 1 : 0)) ?? [],
      )
    for (const { agent, all } of values) {
      const row = agents.find(([name]) => name === agent) ?? []
      const graded = all.map((own) => own.filter((verdict) => verdict !== null))
      expect(row.slice(1, 3)).toEqual([
        `${all.flat().filter(Boolean).length} of ${all.flat().length}`,
        String(all.flat().filter((verdict) => verdict === null).length),
      ])
      expect(numberIn(row[3])).toBeCloseTo(100 * rateOf(agent), 0)
      const means = graded.filter((own) => own.length > 0).map((own) => share(own.map(Number)))
      expect(numberIn(row[4])).toBeCloseTo(100 * share(means), 0)
    }
    expect(pairs.length).toBe(21)
    for (const [names = '', cell] of pairs) {
      const [a = '', b = ''] = names.split(' than ')
      expect(Math.abs(numberIn(cell) - 100 * (rateOf(a) - rateOf(b)))).toBeLessThan(0.06)
    }
    expect(flips.map((row) => row.slice(1).reduce((sum, cell) => sum + Number(cell), 0))).toEqual(
      Array(6).fill(17),
    )
    expect(spending.find(([name]) => name === 'orchestrator')?.slice(1, 3)).toEqual(['51', '9,100'])
  })

  it('does not touch the page for another board than that of the study', async () => {
    const before = readFileSync(page, 'utf8')
    const board = makeBoard()
    const { exitCode, stdout } = await execa(process.execPath, [script, '--board', board.folder], {
      reject: false,
    })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/has other results than commit 8e1925a/)
    expect(readFileSync(page, 'utf8')).toBe(before)
  })
})

it('the page of the study agrees with itself: rates, differences, and which pairs are called different', () => {
  const [agents = [], pairs = []] = tablesOf(readFileSync(page, 'utf8'))
  const rates = new Map(
    agents.map(([agent = '', solved = '', , failed]) => {
      const [passed, all] = solved.split(' of ').map(Number) as [number, number]
      expect(Math.abs(numberIn(failed) - (100 * passed) / all)).toBeLessThan(0.06)
      return [agent, (100 * passed) / all]
    }),
  )
  expect([rates.size, pairs.length]).toEqual([7, 21])
  for (const [names = '', failed, p = '', , missing, q = '', , different] of pairs) {
    const [a = '', b = ''] = names.split(' than ')
    const expected = (rates.get(a) as number) - (rates.get(b) as number)
    expect(Math.abs(numberIn(failed) - expected)).toBeLessThan(0.06)
    const isSure = [p, q].every((cell) => Number(cell.replace('< ', '')) < 0.05)
    expect(different).toBe(isSure && numberIn(failed) * numberIn(missing) > 0 ? 'yes' : 'no')
  }
})
