import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToWidth, displayWidth, padEnd, padStart } from '../../src/text/display-width.ts'
import { formatProblem, UserError } from '../../src/text/errors.ts'
import { escapeRegExp } from '../../src/text/escape-reg-exp.ts'
import { didYouMean } from '../../src/text/near-word.ts'
import { fillPrompt, readPromptTemplate } from '../../src/text/prompt-template.ts'
import { bulkText, estimateTokens, splitBulk, textOfSize } from '../../src/text/token-estimate.ts'
import { longestPart, wrapWords } from '../../src/text/wrap-words.ts'

it('a problem with a value of 100,000 characters is printed shortened, with place and remedy whole', () => {
  const what = `"{mod${'x'.repeat(100_000)}el}" stands for nothing`
  const problem = { where: 'bench.config.yaml:43 agents.own.program.command.3', what, fix: 'Write {model}.' }
  const printed = formatProblem(problem)
  expect(printed).toMatch(
    /^\[bench\.config\.yaml:43 agents\.own\.program\.command\.3\] "\{modx+ … x+el\}" stands for nothing\. Write \{model\}\.$/,
  )
  expect(printed.length).toBeLessThan(2200)
  const error = new UserError(problem)
  expect(error.message).toBe(printed)
  expect(error.problems).toEqual([problem])
})

it('a problem with a table of a hundred lines is printed whole, and no character is split', () => {
  const table = Array.from({ length: 100 }, (_, i) => `method ${i} ${'-'.repeat(80)}`).join('\n')
  expect(formatProblem({ where: 'run', what: table })).toBe(`[run] ${table}.`)
  for (const first of ['', 'x'])
    expect(formatProblem({ where: 'x', what: first + '😀'.repeat(5000) })).not.toMatch(/\p{Surrogate}/u)
})

it.each(['', 'i', 'u', 'v'])(
  'an escaped text matches itself and nothing else with the flags "%s"',
  (flags) => {
    const texts = fc.string({ unit: fc.constantFrom(...'\\^$.*+?()[]{}|/-ab\n') })
    fc.assert(
      fc.property(texts, (text) => {
        const whole = new RegExp(`^(?:${escapeRegExp(text)})$`, flags)
        expect(whole.test(text)).toBe(true)
        expect(whole.test(`${text}c`)).toBe(false)
      }),
    )
  },
)

const suites = ['answers', 'code', 'python', 'all']

it.each([
  ['cod', 'code'],
  ['cdoe', 'code'],
  ['codes', 'code'],
  ['Answer', 'answers'],
  ['pyhton', 'python'],
  ['al', 'all'],
  ['cide', 'code'],
  ['coed', 'code'],
])('didYouMean suggests a word in which few letters differ or change places: %s', (word, meant) => {
  expect(didYouMean(word, suites)).toBe(`Did you mean ${meant}?`)
})

it.each(['nope', 'x', 'tasks', '', 'bold', 'a', 'typhoon'])(
  'didYouMean suggests no word that differs too much: %j',
  (word) => {
    expect(didYouMean(word, suites)).toBeUndefined()
  },
)

it('didYouMean suggests nothing without known words', () => {
  expect(didYouMean('code', [])).toBeUndefined()
})

it.each([
  ['one two three', 7, ['one two', 'three']],
  ['', 5, ['']],
  ['self-consistency=sequential', 17, ['self-consistency=', 'sequential']],
  ['a self-consistency=sequential', 12, ['a', 'self-', 'consistency=', 'sequential']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['宽宽宽 a', 4, ['宽宽', '宽 a']],
])('wrapWords breaks %s at %i columns at spaces, joints, or anywhere', (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines)
})

const text = fc.string({ unit: fc.constantFrom('a', ' ', '-', '=', '宽', '👩‍🔬', 'é'), maxLength: 60 })

it('wrapWords loses no character but spaces, and makes no line too wide', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, width) => {
      const lines = wrapWords(given, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''))
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
    }),
  )
})

it('longestPart is the width at which no short word is broken', () => {
  expect(longestPart('self-consistency=sequential')).toBe(12)
  expect(longestPart('+12.3 [+1.1, +22.3]')).toBe(6)
})

it('displayWidth counts columns of a terminal', () => {
  expect(['abc', '宽', 'é', '👩‍🔬'].map(displayWidth)).toEqual([3, 2, 1, 2])
  expect(padEnd('宽', 4) + padStart('a', 3)).toBe('宽    a')
  expect(cutToWidth('a宽b', 2)).toEqual(['a', '宽', 'b'])
})

it('an estimate counts a marker as its number of tokens, and other text by its length', () => {
  expect(estimateTokens('abcde')).toBe(2)
  expect(estimateTokens(`abcd${bulkText(1200, 'thoughts')}efgh`)).toBe(1202)
  expect(estimateTokens('[[[5 tokens of a]][[7 tokens of b]]')).toBe(13)
})

it('splitting removes markers, and nothing that only looks like one', () => {
  expect(splitBulk('a[[7 tokens of x]]b[[8 tokens of ]]c')).toEqual({ plain: 'abc', bulkTokens: 15 })
  for (const plain of [
    '[[٣ tokens of x]]',
    '[[5 tokens of x\n]]',
    '[[5 tokens of x]y]]',
    '[[ tokens of x]]',
    '[[5 tokens]]',
  ])
    expect(splitBulk(plain)).toEqual({ plain, bulkTokens: 0 })
})

it('a text of a given size has a marker for the missing tokens', () => {
  const part = fc.string({ unit: fc.constantFrom('5', ' tokens of ', 'x', ']]', '\n', 'é'), maxLength: 9 })
  fc.assert(
    fc.property(part, part, fc.integer({ min: -2, max: 40 }), (before, after, tokens) => {
      const text = textOfSize(before, after, tokens, 'thoughts')
      expect(estimateTokens(text)).toBe(Math.max(tokens, estimateTokens(before + after)))
      expect(text.startsWith(before) && text.endsWith(after)).toBe(true)
    }),
  )
})

const fill = (text: string, values = { instruction: 'I', files: 'F' }) =>
  fillPrompt(readPromptTemplate(text, 'p.md'), values)

describe('a template of a prompt', () => {
  it.each([
    ['Do it.\n{{instruction}}', 'Do it.\nI'],
    ['{{ files }}, {{\tinstruction }}, {{instruction}}', 'F, I, I'],
    ['{{instruction}} \\{{files}} \\{{name}}', 'I {{files}} {{name}}'],
    [
      "{{instruction}} {{ color: 'red' }} {a} {{}} {% x %} $& $1 \\n",
      "I {{ color: 'red' }} {a} {{}} {% x %} $& $1 \\n",
    ],
  ])('%j becomes %j', (text, filled) => expect(fill(text)).toBe(filled))

  it('is the same with another line end or a byte order mark', () => {
    const unix = readPromptTemplate('a\n{{instruction}}\n', 'p.md')
    for (const text of ['\uFEFFa\n{{instruction}}\n', 'a\r\n{{instruction}}\r\n', 'a\r{{instruction}}\r'])
      expect(readPromptTemplate(text, 'p.md')).toEqual(unix)
  })

  it('prints values as they are, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (instruction, files) => {
        const filled = fill('<{{files}}|{{instruction}}>', { instruction, files })
        expect(filled).toBe(`<${files}|${instruction}>`)
      }),
    )
    const inner = { instruction: '{{files}} $&', files: '\\{{instruction}}' }
    expect(fill('{{instruction}}{{files}}', inner)).toBe('{{files}} $&\\{{instruction}}')
  })

  it('names each unknown placeholder with its line and what there is', () => {
    const read = () => readPromptTemplate('{{instruction}}\n{{file}} {{größe}}', 'p.md')
    expect(read).toThrow(
      '[p.md:2] there is no placeholder {{file}}. Did you mean files? Known: {{instruction}}, {{files}}.',
    )
    expect(read).toThrow('there is no placeholder {{größe}}. Known:')
  })

  it.each(['', 'Just do it. {{files}}', '\\{{instruction}}'])(
    '%j is refused: it has no instruction',
    (text) => expect(() => readPromptTemplate(text, 'p.md')).toThrow('[p.md] has no {{instruction}}'),
  )

  it('reads a hostile template in time in proportion to its length, and refuses one that is too long', () => {
    const start = performance.now()
    for (const part of ['{{', '{{ ', '{{a', '{{a ', '\\{{'])
      expect(() => readPromptTemplate(part.repeat(300_000), 'p.md')).toThrow(
        'has more than 200000 characters',
      )
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
