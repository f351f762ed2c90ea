import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { apartOf, type GridTrial, gridHtml } from '../../../src/reports/html/grid.ts'
import { hostile } from './page-sample.ts'

const trial = (task: string, row: string, epoch: number, mark: GridTrial['mark']): GridTrial => ({
  ...{ id: `${task}-${row}-${epoch}`, task, row, epoch, mark },
})
const trials = [
  trial('t/1', 'a', 1, 'passed'),
  trial('t/1', 'a', 2, 'not passed'),
  trial('t/1', 'b', 1, 'not passed'),
  trial('t/2', 'a', 1, 'error'),
  trial('t/2', 'b', 1, 'passed'),
]
const gridOf = (more: Partial<Parameters<typeof gridHtml>[0]> = {}) =>
  parseHTML(
    gridHtml({
      ...{ tasks: ['t/1', 't/2'], rows: ['a', 'b'], epochs: 2, trials, evidence: '' },
      hrefOf: (id) => `#trial=${id}`,
      ...more,
    }),
  ).document

it('a grid has a mark for each epoch of each cell, and each trial has one link', () => {
  const marks = [...gridOf().querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
  )
  expect(marks).toEqual([
    ['t/1', '50', '✓✗', '✗·'],
    ['t/2', '-', '!·', '✓·'],
  ])
  const links = [...gridOf().querySelectorAll('tbody a[href]')].map((one) => one.getAttribute('href'))
  expect(links).toEqual(trials.map(({ id }) => `#trial=${id}`))
})

it('a mark says its epoch and result in words, so that neither colour nor sign is needed', () => {
  const labels = [...gridOf().querySelectorAll('tbody a')].map((one) => one.getAttribute('aria-label'))
  expect(labels.slice(0, 4)).toEqual([
    'epoch 1: passed',
    'epoch 2: not passed',
    'epoch 1: not passed',
    'epoch 2: no record',
  ])
})

it('two methods are as far apart on a task as the shares of their epochs that passed', () => {
  expect([...apartOf(trials)]).toEqual([
    ['t/1', 50],
    ['t/2', null],
  ])
  expect(apartOf([trial('t', 'a', 1, 'ended'), trial('t', 'b', 1, 'ended')]).get('t')).toBeNull()
})

it('a grid of one method has no column for how far methods are apart', () => {
  const { document } = parseHTML(
    gridHtml({
      ...{ tasks: ['t/1'], rows: ['a'], epochs: 1, trials, evidence: ' (simulated)' },
      hrefOf: (id) => id,
    }),
  )
  expect(document.querySelectorAll('thead th')).toHaveLength(2)
  expect(document.querySelector('caption')?.textContent).toContain('Tasks and methods (simulated)')
})

it('names in a grid are text', () => {
  for (const text of hostile) {
    const document = gridOf({ tasks: [text], rows: [text], trials: [trial(text, text, 1, 'passed')] })
    expect(document.querySelectorAll('script, img, svg')).toHaveLength(0)
    expect(document.querySelector('tbody th')?.textContent).toBe(text)
  }
})
