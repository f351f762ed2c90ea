import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { escapeHtml, inlineJson } from '../../../src/reports/html/html-text.ts'
import { runFormats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { anAsk } from '../figures/figure-samples.ts'
import { hostile, pageOf } from './page-sample.ts'

const records = [...solves('a', 18, 20), ...solves('b', 6, 20)]
const steps = records.map(({ trial }) => anAsk({ trial, prompt: 'what is asked', reply: 'what came' }))
const { document } = parseHTML(pageOf(records, steps))
const texts = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((one) => (one as { textContent: string }).textContent)

it('a page holds every table with headings for columns and rows, every figure, and every trial, in one file', () => {
  expect(Object.keys(runFormats)).toEqual(['html', 'svg', 'pdf'])
  expect(texts('h1')).toEqual(['2 methods on 20 tasks, 40 trials'])
  expect(texts('h2').slice(0, 5)).toEqual(['Methods', 'Comparison', 'Figures', 'Tasks', 'Trials'])
  expect(texts('caption')).toContain('Comparison of success: 1 pair on 20 tasks')
  for (const table of document.querySelectorAll('table.sortable')) {
    expect(table.querySelectorAll('thead th[scope="col"] button').length).toBeGreaterThan(1)
    for (const row of table.querySelectorAll('tbody tr'))
      expect(row.querySelectorAll('th[scope="row"]')).toHaveLength(1)
  }
  expect(document.querySelectorAll('figure svg[role="img"] > title')).toHaveLength(9)
  const { trials } = JSON.parse(texts('#data')[0] ?? '') as { trials: { id: string; passed: string }[] }
  expect(trials.map(({ id }) => id)).toEqual(records.map(({ trial }) => trial))
  const stories = (texts('#stories')[0] ?? '').trim().split('\n')
  expect(stories).toHaveLength(40)
  expect(JSON.parse(stories[0] ?? '').join('\n')).toMatch(
    /Trial s\/000\|a\|1[\s\S]*\| what is asked[\s\S]*\| what came[\s\S]*Ended/,
  )
})

it('a page allows no request and no script but its own', () => {
  const page = pageOf(records, steps)
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')
  const script = texts('script[type="module"]')[0] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
    /https?:\/\/|<link|@import|<iframe|src=/,
  )
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval|new Function/)
})

it('a page shows texts of tasks, methods, roles and models as text', () => {
  for (const text of hostile) {
    const named = [...solves(text, 3, 8), ...solves('b', 0, 8)].map((one) => ({
      ...one,
      task: `${one.task}${text}`,
      suite: text,
      claimed: text,
    }))
    const page = pageOf(
      named,
      named.map(({ trial }) => anAsk({ trial, role: text, prompt: text, reply: text })),
    )
    const { document: shown } = parseHTML(page)
    expect(shown.querySelectorAll('script'), text).toHaveLength(3)
    expect(shown.querySelectorAll('img, iframe, [onload], [onerror]'), text).toHaveLength(0)
    expect(page.match(/<\/script/g), text).toHaveLength(3)
    expect(
      [...shown.querySelectorAll('#methods tbody th')].map(
        (one) => (one as { textContent: string }).textContent,
      ),
    ).toContain(text)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!#\d+;)/)
      const inline = inlineJson([text])
      expect(inline).not.toContain('<')
      expect(JSON.parse(inline)).toEqual([text])
    }),
  )
})

it('a page reports which stories it leaves out, and how to read them', () => {
  const page = pageOf(records, steps, 30)
  const { document: shown } = parseHTML(page)
  expect((shown.querySelector('#trials') as { textContent: string } | null)?.textContent).toContain(
    'leaves out the stories of 10 trials. Read one with bench show results/r1 TRIAL',
  )
})

it('a page of simulated numbers is marked on top, and in every caption of numbers', () => {
  const { document: shown } = parseHTML(
    pageOf(records.map((one) => ({ ...one, simulated: true, mode: 'dev' as const }))),
  )
  const all = (selector: string) =>
    [...shown.querySelectorAll(selector)].map((one) => (one as { textContent: string }).textContent)
  expect(all('header p')[0]).toContain('Simulated: these numbers describe the simulation, not the methods.')
  expect(all('caption').filter((caption) => !caption.includes('simulated'))).toEqual([])
  expect(texts('caption').filter((caption) => caption.includes('simulated'))).toEqual([])
})
