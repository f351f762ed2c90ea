import { describe, expect, it } from 'vitest'
import { parseReport } from '../../../src/graders/test-run/test-report.ts'

const passed = ['passed\t"one"\t""', 'passed\t"two"\t""']
const printed = (...lines: readonly string[]) => `noise\n\ntoken\n${lines.join('\n')}\nfinished\ntoken end\n`
const names = (output: string) => {
  const report = parseReport(output, 'token')
  return typeof report === 'object' ? report.results.map(({ name }) => name) : report
}

describe('the report of a harness', () => {
  it('is read where all of it was kept, whatever else was printed before', () => {
    expect(names(printed(...passed))).toEqual(['one', 'two'])
    expect(names(`begin\n[output cut]\n${printed(...passed)}`)).toEqual(['one', 'two'])
  })
  it('is none if the harness ended without it', () => expect(names('noise\n')).toBeUndefined())

  const whole = printed(...passed)
  const last = whole.indexOf('finished')
  const places = Array.from({ length: last - whole.indexOf('one') }, (_, i) => whole.indexOf('one') + i)
  it('is no report where a limit of output has cut it, wherever the cut is', () => {
    for (const from of places)
      for (const length of [0, 1, 9]) {
        const cut = `${whole.slice(0, from)}\n[output cut]\n${whole.slice(Math.min(from + length, last))}`
        expect(names(cut), JSON.stringify(cut)).toBe('cut')
      }
    expect(names(whole.slice(whole.indexOf('one')))).toBe('cut')
  })
})
