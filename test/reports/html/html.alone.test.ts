import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { alignmentOf, escapeHtml, inlineJson } from '../../../src/reports/html/html-text.ts'
import { collectHandedIn } from '../../../src/reports/html/trial-data.ts'
import { runFormats } from '../../../src/reports/registry.ts'
import { lineDiff } from '../../../src/reports/story/excerpt.ts'
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
  expect(texts('h1')).toEqual(['2 methods on 20 tasks, 1 epoch each; live; 40 trials, none missing'])
  expect(texts('h2').slice(0, 5)).toMatchSnapshot()
  expect(texts('caption')).toContain('Comparison of success: 1 pair on 20 tasks')
  for (const table of document.querySelectorAll('table.sortable')) {
    expect(table.querySelectorAll('thead th[scope="col"] button').length).toBeGreaterThan(1)
    for (const row of table.querySelectorAll('tbody tr'))
      expect(row.querySelectorAll('th[scope="row"]')).toHaveLength(1)
  }
  // The first one is drawn for a narrow window, too.
  expect(document.querySelectorAll('figure svg[role="img"] > title')).toHaveLength(10)
  const { trials } = JSON.parse(texts('#data')[0] ?? '') as { trials: { id: string; passed: string }[] }
  expect(trials.map(({ id }) => id)).toEqual(records.map(({ trial }) => trial))
  const stories = (texts('#stories')[0] ?? '').trim().split('\n')
  expect(stories).toHaveLength(40)
  expect(JSON.parse(stories[0] ?? '').join('\n')).toMatch(
    /Trial s\/000\|a\|1[\s\S]*\| what is asked[\s\S]*\| what came[\s\S]*Ended/,
  )
})

interface Parts {
  querySelectorAll(selector: string): Iterable<{ textContent: string }>
}

it('a page begins with the verdict, the figure of success against cost and five columns of the methods', () => {
  const [first] = document.querySelectorAll('main > .first') as unknown as { children: { id: string }[] }[]
  expect([...(first?.children ?? [])].map(({ id }) => id)).toEqual([
    'verdict',
    'figure-success-cost',
    'methods',
  ])
  expect(texts('#verdict dt')).toEqual(['Who', 'Price', 'Sure'])
  const headings = [...document.querySelectorAll('#method-table thead th button')]
  expect(
    headings.map((one) => (one as { firstChild: { textContent: string } }).firstChild.textContent.trim()),
  ).toEqual(['method', 'success', 'cost', 'x baseline', 'verdict'])
  const [best, baseline] = [...document.querySelectorAll('#method-table tbody tr')].map((row) =>
    [...(row as unknown as Parts).querySelectorAll('th, td')].map(({ textContent }) => textContent),
  )
  expect(best).toEqual([
    'a',
    expect.stringMatching(/^90\.0 \[/),
    expect.stringMatching(/^\$/),
    expect.stringMatching(/x$/),
    expect.stringMatching(/^better \+60 \[.*\], p <\.001$/),
  ])
  expect(baseline?.[4]).toBe('baseline')
  expect(document.querySelectorAll('#more-table th').length).toBeGreaterThan(5)
})

it('a page folds all notes, definitions apart from facts, and all tables but the first of a part', () => {
  for (const notes of document.querySelectorAll('ul.notes'))
    expect((notes as { parentElement: { tagName: string } }).parentElement.tagName).toBe('DETAILS')
  expect(document.querySelectorAll('details[open]')).toHaveLength(0)
  expect(texts('details.fold > summary')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Facts of this run \d+/)]),
  )
})

it('a page aligns words to the left and numbers to the right', () => {
  const columns = [
    ['points', '+1.0', 'right'],
    ['says', 'open', 'left'],
    ['p', '-', 'right'],
  ] as const
  const rows = [Object.fromEntries(columns.map(([key, text]) => [key, { text, value: text }]))]
  for (const [key, , align] of columns)
    expect(
      alignmentOf({ key, heading: key, unit: '', align: 'right', audience: 'all', group: '' }, rows),
    ).toBe(align)
})

it('a page holds equal texts that trials handed in once, and leaves out what is too much', () => {
  const collected = collectHandedIn(20)
  const [record] = records
  for (const answer of ['four', 'four', 'five', 'a text of more than twenty characters', null])
    if (record) collected.add({ ...record, scores: [] }, { answer, files: [] })
  expect(collected.data.texts).toEqual(['four', 'five'])
  expect(collected.data.trials.map((one) => one?.answer)).toEqual([0, 0, 1, -1, null])
})

it('a page says the count of passed tests once, and puts the failures on lines of their own', () => {
  const collected = collectHandedIn(1000)
  const [record] = records
  const score = { grader: 'g', name: 'tests', value: 0.5 }
  const scores = [
    { ...score, tests: { passed: 1, total: 2 }, reason: '1 of 2 tests passed. adds: 3 is not 4' },
    { ...score, name: 'answer', value: 1, reason: '418 is right' },
  ]
  if (record) collected.add({ ...record, scores }, { answer: null, files: [] })
  expect(collected.data.texts).toMatchSnapshot()
})

it('the modules of the page join to one script', () => {
  const script = texts('script[type="module"]')[0] ?? ''
  expect(() => new Script(script)).not.toThrow()
  expect(script).not.toMatch(/^(import|export) /m)
})

it('the diff of the page leads from one text to the other with as few lines as the diff of the story', async () => {
  const file = join(packageRoot(), 'src/reports/html/page/diff.mjs')
  const { diffLines } = (await import(pathToFileURL(file).href)) as {
    diffLines(a: string | null, b: string | null): [sign: string, text: string][]
  }
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const changes = diffLines(a, b).filter(([sign]) => sign === '+' || sign === '-')
      expect(changes).toHaveLength(lineDiff(a, b).length)
      const all = diffLines(a, b)
      if (all.some(([sign]) => sign === '~')) return
      const side = (left: string) => all.filter(([sign]) => sign !== left).map(([, line]) => line)
      if (a !== '') expect(side('+').join('\n')).toBe(a)
      if (b !== '') expect(side('-').join('\n')).toBe(b)
    }),
  )
  const far = Array.from({ length: 20 }, (_, line) => String(line))
  expect(diffLines(far.join('\n'), [...far.slice(0, 19), 'x'].join('\n'))).toMatchSnapshot()
  const long = (word: string) => Array.from({ length: 5000 }, (_, line) => `${word} ${line}`).join('\n')
  expect(diffLines(long('a'), long('b'))).toHaveLength(10000)
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
    expect(shown.querySelectorAll('script'), text).toHaveLength(4)
    expect(shown.querySelectorAll('img, iframe, [onload], [onerror]'), text).toHaveLength(0)
    expect(page.match(/<\/script/g), text).toHaveLength(4)
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
  expect(all('h1')[0]).toContain('simulated')
  expect(all('#verdict .warnings li')[0]).toMatch(/^Simulated: these numbers describe .*, not the methods\.$/)
  expect(all('caption').filter((caption) => !caption.includes('simulated'))).toEqual([])
  expect(texts('caption').filter((caption) => caption.includes('simulated'))).toEqual([])
})

it('a page isolates a name that is written from right to left, so that it moves no number beside it', () => {
  const name = 'שיטה'
  const page = pageOf([...solves(name, 18, 20), ...solves('b', 6, 20)])
  const { document: shown } = parseHTML(page)
  for (const part of ['#verdict dd', '#method-table tbody th', '#comparison tbody th'])
    expect(shown.querySelector(`${part} bdi`)?.textContent, part).toBe(name)
  for (const { textContent } of shown.querySelectorAll('figure svg text') as Iterable<{
    textContent: string
  }>)
    if (textContent.includes(name)) expect(textContent).toContain(`\u2068${name}\u2069`)
})
