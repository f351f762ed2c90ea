import { describe, expect, it } from 'vitest'
import { gradeMath } from '../helpers/graders/grade-math.ts'

/** Replies that a parser or a computation without bounds would not survive. */
const hostile: Readonly<Record<string, string>> = {
  'braces by the hundred thousand': `${'{'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'brackets without an end': '('.repeat(400),
  'nested fractions': `${'\\frac{'.repeat(39)}1${'}{2}'.repeat(39)}`,
  'open fractions': '\\frac{1'.repeat(50),
  'nested roots': `${'\\sqrt{'.repeat(39)}2${'}'.repeat(39)}`,
  'nested sines': `${'\\sin('.repeat(39)}1${')'.repeat(39)}`,
  'a million terms': `${'1+'.repeat(1_000_000)}1`,
  'a tower': '10^{10^{10^{10}}}',
  'a high tower': `${'9^{'.repeat(39)}9${'}'.repeat(39)}`,
  'a large exponent': `${'9'.repeat(150)}^{${'9'.repeat(150)}}`,
  'a large factorial': '(10^{9})!',
  'factorials of factorials': `3${'!'.repeat(300)}`,
  'a sum without an end': '\\sum_{i=1}^{10^9} i',
  'a product without an end': '\\prod_{i=1}^{\\infty} i',
  'an integral': '\\int_0^1 e^{x^2} dx',
  'a large angle': '\\sin(10^{100000})',
  'a large binomial': '\\binom{100000}{50000}',
  'powers of powers': 'e^{e^{e^{e^{e^{x}}}}}',
  'many signs': `${'1\\pm '.repeat(60)}1`,
  'many items': `${'1,'.repeat(190)}1`,
  'many variables': 'abcdefghjklmnopqrstuvwxyz',
  'many logarithms': `${'\\log_'.repeat(60)}2`,
  'many products': `${'\\cos x'.repeat(60)}`,
  'many bars': '|x'.repeat(200),
  'many backslashes': '\\'.repeat(399),
  'many unions': `${'(1,2)\\cup'.repeat(40)}(1,2)`,
  'a matrix of many rows': `\\begin{pmatrix}${'1&2\\\\'.repeat(60)}\\end{pmatrix}`,
  'a name of a prototype': '__proto__',
  'an operator of a prototype': '\\operatorname{constructor}',
  'a text of a prototype': '\\text{toString}',
}

describe('against hostile replies the grader math', () => {
  const cases = Object.entries(hostile).flatMap(([name, answer]) =>
    ['5', 'x+1', '1,2,3'].map((expected) => [name, expected, answer] as const),
  )
  it.each(cases)('refuses %s, expecting %s, in bounded time and memory', async (_, expected, answer) => {
    const [started, before] = [performance.now(), process.memoryUsage().rss]
    expect(await gradeMath(expected, `Answer: ${answer}`)).toMatchObject({ value: 0 })
    expect(performance.now() - started).toBeLessThan(6000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  })

  it('still takes right answers', async () => {
    expect(await gradeMath('\\sqrt{8}', 'Answer: 2\\sqrt{2}')).toMatchObject({ value: 1 })
  })
})
