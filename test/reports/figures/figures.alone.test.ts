import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import type { FigureData } from '../../../src/analysis/figures/figure-data.ts'
import { spreadLabels } from '../../../src/reports/figures/key.ts'
import { type FigureName, figures } from '../../../src/reports/figures/registry.ts'
import { fillOf, styleOf } from '../../../src/reports/figures/series-style.ts'
import { narrowWidth, successAgainstCost } from '../../../src/reports/figures/success-against.ts'
import {
  balanceText,
  shortenName,
  shortName,
  widthOf,
  wrapText,
} from '../../../src/reports/figures/svg-text.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { anAsk, figuresOf } from './figure-samples.ts'

const names = Object.keys(figures) as FigureName[]

/** Methods on twelve tasks with two calls each; in every figure there is something to draw. */
function sample(methods: readonly string[], more: Partial<TrialRecord> = {}): FigureData {
  const records = methods.flatMap((method, index) =>
    solves(method, 12 - 3 * index, 12, { spent: { input: 80 * 3 ** index, costUsd: 0.1 * (index + 1) } }),
  )
  const steps = records.flatMap(({ trial, spent: { input } }) =>
    [0, 1].map((at) =>
      anAsk({
        trial,
        key: `#${at}`,
        at,
        role: at === 0 ? 'writer' : 'auditor',
        tokens: { input: input * (at + 1) },
      }),
    ),
  )
  return figuresOf(
    records.map((record) => ({ ...record, ...more })),
    steps,
  )
}

const live = sample(['a', 'b', 'c'])
const drawn = (data: FigureData) => Object.fromEntries(names.map((name) => [name, figures[name](data)]))
/** All words of an SVG document, as a reader sees them. */
function wordsOf(svg: string): string {
  const texts: string[] = []
  const walk = (node: unknown): void => {
    if (typeof node === 'string') texts.push(node)
    else if (node && typeof node === 'object')
      for (const [key, value] of Object.entries(node)) if (!key.startsWith('@')) walk(value)
  }
  walk(new XMLParser({ parseTagValue: false, trimValues: false }).parse(svg))
  return texts.join('\n')
}

describe('figures', () => {
  it('are self-contained SVG documents with named fonts', () => {
    for (const [name, svg] of Object.entries(drawn(live))) {
      expect(XMLValidator.validate(svg), name).toBe(true)
      expect(svg, name).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*font-family="Helvetica, Arial/,
      )
      expect(svg.replace('http://www.w3.org/2000/svg', ''), name).not.toMatch(
        /https?:|href|<script|<style|@import|NaN|undefined/,
      )
      expect(svg, name).not.toContain('Not drawn')
      for (const method of ['a', 'b', 'c']) expect(wordsOf(svg).split(/[\n ]/), name).toContain(method)
    }
  })

  it('are the same for the same data', () => {
    expect(drawn(sample(['a', 'b', 'c']))).toEqual(drawn(live))
  })

  it('of simulated numbers are each marked; live ones are not', () => {
    const simulated = drawn(sample(['a', 'b', 'c'], { simulated: true, mode: 'dev', profile: 'default@1' }))
    for (const name of names) {
      expect(simulated[name], name).toContain(
        'Simulated: these numbers describe profile default@1, not the methods.',
      )
      expect(drawn(live)[name], name).not.toMatch(/simulated/i)
    }
    expect(simulated.ranks).toContain('No critical difference and no bars')
    expect(drawn(sample(['a', 'b'], { faults: 'timeout=0.1' })).success).toContain(
      'Faults were injected on purpose: timeout=0.1.',
    )
  })

  it('without data give the reason in words, instead of an empty frame', () => {
    const nothing = drawn(
      figuresOf(solves('a', 0, 3).map((record) => ({ ...record, passed: null, score: null }))),
    )
    const reasons: Record<FigureName, string> = {
      success: 'no trial was graded',
      'success-cost': 'there is only one method',
      'success-tokens': 'there is only one method',
      'success-budget': 'no trial with fully reported tokens passed',
      'tokens-by-role': 'no call reported its tokens',
      'task-differences': 'there is only one method',
      ranks: 'there is only one method',
      'context-growth': 'no call with reported input tokens',
      compliance: 'no judge gave a verdict with a number called compliance',
    }
    for (const name of names) {
      expect(nothing[name], name).toContain(`Not drawn: ${reasons[name]}.`)
      expect(nothing[name], name).not.toContain('<path')
    }
  })

  it('show any name of a method, role or task as text, and stay well-formed', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.constantFrom(
        '</text><script>alert(1)</script>',
        '"&<\'>',
        ']]>',
        '<!--',
        '\u202eabc',
        '\ud800',
        '%s\u0000',
      ),
    )
    fc.assert(
      fc.property(odd, odd, (method, role) => {
        // Two rows of one name would be the same trials twice.
        fc.pre(!['b', 'c'].includes(method))
        const records = [...solves(method, 3, 10), ...solves('b', 0, 10), ...solves('c', 1, 10)]
        const steps = records.map(({ trial }) => anAsk({ trial, role }))
        for (const [name, svg] of Object.entries(
          drawn(
            figuresOf(
              records.map((one) => ({ ...one, task: `${one.task}${role}` })),
              steps,
            ),
          ),
        )) {
          expect(XMLValidator.validate(svg), name).toBe(true)
          expect(svg, name).not.toMatch(/<script|<!--|[\u202a-\u202e\ufffe]/)
        }
      }),
      { numRuns: 12 },
    )
    const svg = figures.success(sample(['<b>&"x"', 'b']))
    expect(svg).toContain('&lt;b&gt;&amp;')
    expect(wordsOf(svg)).toContain('<b>&"x"')
  })

  it('distinguish methods without colour: by dash and symbol, parts by their hatching', () => {
    const styles = Array.from({ length: 42 }, (_, place) => styleOf(place)).map(
      ({ dash, symbol }) => `${dash} ${symbol}`,
    )
    expect(new Set(styles).size).toBe(42)
    const seen = Array.from({ length: 42 }, (_, place) => styleOf(place)).map(
      ({ colour, symbol }) => `${colour} ${symbol}`,
    )
    expect(new Set(seen).size).toBe(42)
    const fills = Array.from({ length: 56 }, (_, place) => fillOf(place))
    expect(new Set(fills.map(({ colour, hatch }) => `${colour} ${hatch}`)).size).toBe(56)
    for (let place = 1; place < 56; place++) expect(fills[place]?.hatch).not.toBe(fills[place - 1]?.hatch)
    const lines = [
      ...figures['success-budget'](live).matchAll(
        /stroke-width="2"[^>]*stroke-dasharray="([^"]+)"|stroke-dasharray="([^"]+)"[^>]*stroke-width="2"/g,
      ),
    ]
    expect(new Set(lines.map(([, one, other]) => one ?? other)).size).toBeGreaterThanOrEqual(2)
  })

  it('give a method one colour, one symbol and one name in all of them', () => {
    const long = 'self-consistency[match=sequential,parallel=3]'
    const data = sample(['a', 'b', long])
    const short = shortName(long, 11)
    expect(short).toMatch(/^self.*…/)
    for (const [name, svg] of Object.entries(drawn(data))) {
      if (name === 'task-differences') continue
      expect(wordsOf(svg), name).toContain(short)
      // In `ranks` all are black; parts of bars are roles.
      if (!['ranks', 'tokens-by-role'].includes(name))
        for (const place of [0, 1, 2]) expect(svg, name).toContain(styleOf(place).colour)
    }
    const parts = Array.from({ length: 8 }, (_, place) => fillOf(place).colour)
    for (let place = 0; place < 6; place++) expect(parts).not.toContain(styleOf(place).colour)
  })

  it('put roles that differ in their number in its order', () => {
    const records = solves('a', 6, 12)
    const steps = records.flatMap(({ trial }) =>
      ['worker-10', 'worker-3', 'worker-1', 'judge'].map((role, at) =>
        anAsk({ trial, key: `#${at}`, at, role, tokens: { input: 100 * (at + 1) } }),
      ),
    )
    const words = wordsOf(figures['tokens-by-role'](figuresOf(records, steps)))
    const places = ['worker-1', 'worker-3', 'worker-10', 'judge'].map((role) =>
      words.split('\n').lastIndexOf(role),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('name the line of the frontier, and in a narrow window stand over their names', () => {
    for (const svg of [figures['success-cost'](live), successAgainstCost(live, narrowWidth)])
      for (const word of ['Pareto frontier', 'on the frontier', 'a', 'b', 'c'])
        expect(wordsOf(svg).split('\n')).toContain(word)
    expect(successAgainstCost(live, narrowWidth)).toContain(`viewBox="0 0 ${narrowWidth} `)
  })

  it('label the ends of differences by task, and keep points off the frame', () => {
    for (const methods of [
      ['a', 'b'],
      ['a', 'b', 'c', 'd', 'e'],
    ]) {
      const svg = figures['task-differences'](sample(methods))
      for (const tick of ['-100', '0', '+100']) expect(wordsOf(svg).split('\n')).toContain(tick)
    }
  })

  it('name both methods of a pair on lines of their own, with the difference below', () => {
    const long = 'a-method-with-a-name-that-is-too-long-for-a-panel'
    const words = wordsOf(figures['task-differences'](sample([long, 'b', 'c']))).split('\n')
    expect(words.filter((word) => /^than [bc]$/.test(word))).toHaveLength(3)
    expect(words.some((word) => /^a-meth.*….*panel$/.test(word))).toBe(true)
  })

  it('show the number of tasks of a row, what is missing, and what is left out', () => {
    const records = [
      ...solves('a', 3, 12),
      ...solves('b', 0, 12).map((one, i) =>
        i === 0 ? { ...one, outcome: { status: 'error' as const, reason: '' }, passed: null } : one,
      ),
    ]
    const data = figuresOf(records)
    expect(figures.success(data)).toContain('b: 11 tasks, 1 epoch, 1 trial missing.')
    const many = figuresOf(['a', 'b', 'c', 'd'].flatMap((method) => solves(method, 3, 12)))
    expect(figures['task-differences'](many)).toContain('2 more pairs not shown.')
  })
})

describe('labels', () => {
  it('are moved apart, no further than needed, and stay inside', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 }), (places) => {
        const spread = spreadLabels(places, { gap: 15, low: 0, high: 300 })
        const sorted = [...spread].sort((a, b) => a - b)
        for (let i = 1; i < sorted.length; i++)
          expect((sorted[i] as number) - (sorted[i - 1] as number)).toBeGreaterThanOrEqual(15)
        for (const place of spread) expect(place >= 0 && place <= 300).toBe(true)
        const order = (values: readonly number[]) =>
          values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)
        expect(order(spread)).toEqual(order(places))
      }),
    )
    expect(spreadLabels([50, 100], { gap: 15, low: 0, high: 300 })).toEqual([50, 100])
  })

  it('fit their room: names lose their middle, sentences are broken', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 20, max: 300 }),
        (text, width) => {
          expect(widthOf(shortenName(text, width, 11), 11)).toBeLessThanOrEqual(width)
          for (const line of wrapText(text, width, 11)) expect(widthOf(line, 11)).toBeLessThanOrEqual(width)
          const balanced = balanceText(text, width, 11)
          expect(balanced).toHaveLength(wrapText(text, width, 11).length)
          for (const line of balanced) expect(widthOf(line, 11)).toBeLessThanOrEqual(width)
          expect(wrapText(text, width, 11).join('').replaceAll(' ', '')).toBe(
            wrapText(text, 1e9, 11).join('').replaceAll(' ', ''),
          )
        },
      ),
    )
    expect(shortenName('sequential[maxInner=5,parallel=3]', 100, 11)).toBe('sequent…llel=3]')
  })

  it('leave no word alone on the last line of a sentence', () => {
    const text =
      'Input and output tokens per trial; mean over tasks. Failed attempts and repairs are included, grading is not.'
    const lines = balanceText(text, 560, 11)
    expect(lines).toHaveLength(2)
    const [first = '', last = ''] = lines
    expect(last.length).toBeGreaterThan(0.7 * first.length)
    expect(wrapText('self-consistency=sequential', 120, 11)).toEqual(['self-consistency=', 'sequential'])
  })
})
