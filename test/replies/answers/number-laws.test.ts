import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pickNumber } from '../../../src/replies/answers/pick-number.ts'

const valuesOf = (text: string): readonly number[] => {
  const picked = pickNumber(text)
  return 'problem' in picked ? [] : picked.number.values
}
const rounds = { numRuns: 300, seed: 1 }

const integers = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 999_999_999 }))
const decimals = fc
  .tuple(integers, fc.integer({ min: 1, max: 99 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`)
const fractions = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 500 }))

const zeros = [0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce, 0x1d7d8]
const inScript = (digits: string, zero: number) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const grouped = (plain: string, separator: string) => {
  const [whole = '', part] = plain.split('.')
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, separator)
  return part === undefined ? groups : `${groups}.${part}`
}
const separators = [',', ' ', '\u00a0', '\u202f', '\u2009', "'", '’', '{,}', '\\,', '\\;', ',\\!']
const frames = [
  (text: string) => text,
  (text: string) => `$${text}$`,
  (text: string) => `\\(${text}\\)`,
  (text: string) => `\\[ ${text} \\]`,
  (text: string) => `\\boxed{${text}}`,
  (text: string) => `**${text}**`,
  (text: string) => `(${text})`,
  (text: string) => `\\text{${text}}`,
  (text: string) => `\\left(${text}\\right)`,
  (text: string) => `The answer is ${text}.`,
  (text: string) => `x = ${text}`,
  (text: string) => `${text} apples`,
  (text: string) => `${text}\\text{ cm}`,
  (text: string) => `${text} cm (as asked)`,
]
const frame = fc.constantFrom(...frames)
const sign = fc.constantFrom('', '-', '−', '－', 'minus ', 'negative ')

it('an integer or decimal in any spelling is read as its value', () =>
  fc.assert(
    fc.property(
      fc.oneof(integers.map(String), decimals),
      sign,
      fc.constantFrom(...separators),
      fc.constantFrom(...zeros),
      frame,
      (plain, minus, separator, zero, inFrame) => {
        const value = minus === '' ? Number(plain) : -Number(plain)
        for (const text of [plain, grouped(plain, separator), inScript(plain, zero)])
          expect(valuesOf(inFrame(minus + text)), inFrame(minus + text)).toEqual([value])
      },
    ),
    rounds,
  ))

it('a fraction or mixed number in any spelling is read as its value', () =>
  fc.assert(
    fc.property(
      fractions,
      fc.integer({ min: 1, max: 99 }),
      sign,
      frame,
      ([above, below], whole, minus, inFrame) => {
        const value = minus === '' ? above / below : -above / below
        for (const text of [
          `${above}/${below}`,
          `${above} / ${below}`,
          `\\frac{${above}}{${below}}`,
          `\\dfrac{${above}}{${below}}`,
        ])
          expect(valuesOf(inFrame(minus + text)), inFrame(minus + text)).toEqual([value])
        if (above >= below) return
        const mixed = minus === '' ? whole + above / below : -(whole + above / below)
        for (const text of [`${whole} ${above}/${below}`, `${whole}\\frac{${above}}{${below}}`])
          expect(valuesOf(inFrame(minus + text)), inFrame(minus + text)).toEqual([mixed])
      },
    ),
    rounds,
  ))

it('a decimal comma that can part no thousands is read as one', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999_999 }),
      fc.oneof(fc.stringMatching(/^\d{2}$/), fc.stringMatching(/^\d{4,6}$/)),
      sign,
      fc.constantFrom('', ' ', '.', "'"),
      frame,
      (whole, part, minus, separator, inFrame) => {
        const plain = grouped(String(whole), separator)
        const value = Number(`${whole}.${part}`)
        const text = inFrame(`${minus}${plain},${part}`)
        // A number in brackets may be a pair.
        expect(valuesOf(text), text).toEqual(
          valuesOf(text).length === 0 && /[([]/.test(text) ? [] : [minus === '' ? value : -value],
        )
      },
    ),
    rounds,
  ))

it('a group of thousands never follows a lone zero', () =>
  fc.assert(
    fc.property(
      fc.stringMatching(/^\d{1,5}$/),
      fc.constantFrom(',', '{,}', '，', '٬', '、', ',\\!', ',\\! ', "'", ' ', '\\,'),
      fc.constantFrom('', '.5', ',000', ' 000'),
      frame,
      (part, separator, more, inFrame) => {
        const text = inFrame(`0${separator}${part}${more}`)
        for (const value of valuesOf(text)) expect(value, text).toBeLessThan(1)
      },
    ),
    rounds,
  ))

it('equations side by side that name two values give none', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 2, maxLength: 4 }),
      fc.constantFrom('x', 'X', 'n', 'total', 'x_1', 'm'),
      fc.constantFrom(' ', '  ', '\n', ', ', '; ', ' and ', '\\quad ', '\\\\'),
      fc.constantFrom('=', ' = ', ' ≈ '),
      (values, name, separator, relation) => {
        const text = values.map((value) => `${name}${relation}${value}`).join(separator)
        expect(valuesOf(text), text).toEqual([])
      },
    ),
    rounds,
  ))

it('a magnitude of another language, a half or a base behind a number never leaves it what it is', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999 }),
      fc.constantFrom(
        ...' triệu| nghìn| हज़ार| हज़ार| करोड़| হাজার| కోట్లు| ألف| ملايين| هزار| אלף| พัน|ล้านบาท|ダース|割|十| ribu| juta| bin'.split(
          '|',
        ),
        ...' tusen| duizend| tysięcy| tys.| tisíc| Tsd.| Dutzend| docenas| тысяч| тисяч| χιλιάδες|個半|時間半|分之'.split(
          '|',
        ),
        ...' (base 2)| base 2| base two| in base 5| in binary| (binary)| (in hexadecimal)|_2|_{2}'.split('|'),
      ),
      fc.constantFrom('', 'The answer is ', 'x = ', 'Total: '),
      (number, word, before) => {
        const text = `${before}${number}${word}`
        expect(valuesOf(text), text).not.toContain(number)
      },
    ),
    rounds,
  ))

it('a magnitude multiplies a number, whatever stands around it', () =>
  fc.assert(
    fc.property(
      fc.oneof(integers.map(String), decimals),
      fc.constantFrom<[string, number]>(
        [' thousand', 1e3],
        [' million', 1e6],
        [' billion', 1e9],
        ['k', 1e3],
        ['bn', 1e9],
        [' dozen', 12],
      ),
      fc.constantFrom('', '$', '\\$', '€', '£'),
      (plain, [word, factor], currency) => {
        const [value = Number.NaN] = valuesOf(`${currency}${plain}${word}`)
        expect(value).toBeCloseTo(Number(plain) * factor, 3)
      },
    ),
    rounds,
  ))

it('a number with a word or mark of sign, scale, negation or comparison beside it is never read as itself', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 1, max: 1e6 }).map(String),
        decimals.filter((text) => Number(text) > 0),
      ),
      fc.constantFrom(
        ...[
          ...[
            'minus #',
            'negative #',
            '-#',
            '- #',
            '−#',
            '-(#)',
            '\\pm #',
            'u + #',
            '# + u',
            'u - #',
            '#u',
            '#x',
            '# x',
            '#\\pi',
          ],
          ...[
            '# million',
            '# thousand',
            '#k',
            '#K',
            '#bn',
            '$#m',
            '# dozen',
            '# billion',
            '# trillion',
            '#M',
          ],
          ...[
            'half of #',
            'twice #',
            'double #',
            'a third of #',
            'a quarter of #',
            'the square root of #',
            '√#',
            '\\sqrt{#}',
            '#!',
            '# squared',
          ],
          ...[
            'not #',
            'is not #',
            'never #',
            "isn't #",
            'cannot be #',
            'is not equal to #',
            '≠ #',
            '\\neq #',
            '!= #',
            'other than #',
            'without #',
          ],
          ...[
            '>#',
            '> #',
            '<#',
            '≥ #',
            '\\geq #',
            '\\le #',
            'at least #',
            'at most #',
            'more than #',
            'less than #',
            'fewer than #',
          ],
          ...[
            'over #',
            'under #',
            'up to #',
            'nearly #',
            'almost #',
            '# or more',
            '# or less',
            '# or fewer',
            '# at least',
            '#+',
          ],
          ...[
            '#%%',
            '# minus one',
            '# plus one',
            '# times two',
            '#^2',
            '2^#',
            'x^{#}',
            '\\frac{#}{x}',
            'log #',
            '\\log #',
            'f(#)',
            '#(x)',
            '|#|',
          ],
        ],
      ),
      fc.constantFrom('', 'The answer is ', 'It is ', 'x = ', 'Total: '),
      (plain, form, before) => {
        const text = before + form.replace('#', plain)
        expect(valuesOf(text), text).not.toContain(Number(plain))
      },
    ),
    { numRuns: 1500, seed: 1 },
  ))

it('a second, different number beside an answer never gives another number', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.constantFrom(
        ...[
          ...[
            '# or @',
            '# and @',
            '#, @',
            '#; @',
            '# / @ / 7',
            '#-@',
            '#–@',
            '# - @',
            '#..@',
            '# to @',
            '# ... @',
            '(#, @)',
            '# (@)',
            '# (or @)',
          ],
          ...[
            '#\n@',
            '#. @',
            '# = @',
            '# is @',
            '# vs @',
            '# but @',
            '@ or x = #',
            'x = # or x = @',
            'x = #, x = @',
            'x = #; y = @',
            'x = # and y = @',
          ],
          ...[
            '# of @',
            '# out of @',
            '#:@',
            '# × @',
            '# + @',
            '# @ 7',
            '# hours @ minutes',
            'either # or @',
            '# not @',
            '# rather than @',
          ],
        ],
      ),
      fc.constantFrom('', 'The answer is ', 'It is '),
      (first, second, form, before) => {
        fc.pre(first !== second)
        const text = before + form.replace('#', String(first)).replace('@', String(second))
        expect(
          valuesOf(text).filter((value) => value !== first),
          text,
        ).toEqual([])
      },
    ),
    { numRuns: 1500, seed: 1 },
  ))
