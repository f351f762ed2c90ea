import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readChoice } from '../../../src/replies/answers/read-choice.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const options = ['Oslo', 'Bern', 'Rome', 'Riga']
const letterOf = (reply: string, from: readonly string[] = options) => {
  const index = readChoice(reply, from)?.index
  return index === undefined ? undefined : 'ABCDEFGHIJ'[index]
}

it.each(tableOf<[string, string][]>(import.meta.url, 'answerChooses'))(
  'the answer %j chooses %s',
  (answer, letter) => {
    expect(letterOf(`Answer: ${answer}`)).toBe(letter)
  },
)

it.each(tableOf<string[]>(import.meta.url, 'answerChooses2'))('the answer %j chooses no option', (answer) => {
  expect(letterOf(`Answer: ${answer}`)).toBeUndefined()
})

it.each(tableOf<string[]>(import.meta.url, 'whatSaid'))(
  'what is said of other options behind the answer is a remark: %j',
  (reply) => {
    expect(letterOf(reply)).toBe('B')
  },
)

it.each([
  ...['(B) or (A).', 'B. Or A.', '(B), (C), and (D).', 'B. Wait, no.', 'B. No, that is wrong.'],
  ...['B. I choose C.', 'B. So C.', 'B. The correct one is C.', 'B. Hmm, C fits better.', 'B. C.'],
  ...['B. It could be C. Or is it C?', 'B. Both A and B are right.'],
])('an answer that is taken back, or that claims two options, chooses none: %j', (answer) => {
  expect(letterOf(`Answer: ${answer}`)).toBeUndefined()
})

it.each(tableOf<[string, string][]>(import.meta.url, 'corrected'))(
  'a sentence behind an answer decides in %j: %s',
  (reply, letter) => expect(letterOf(reply)).toBe(letter),
)

const values = ['1.25', '1.0', '2.0', '1.5', '0.5', '0.75', '0.9', '0.0', '0.25', '0.1']

it.each([
  ...[
    '$H(X) = H(X|Z) + H',
    '$I(X;Y) = I(Y;X)',
    'H(X)',
    '\\(E[X]\\)',
    'f(x) = 2x',
    'E = mc^2',
    'C(5,2)',
    'F{x}',
    'B field',
  ],
  ...[
    'D(p||q) >= 0',
    '$$\nI(X;Y) = 1\n$$',
    'A = B',
    "F'(x) = 0",
    'H (X) = 3',
    'Answer: H(X)',
    '\\boxed{H(X)}',
  ],
])('a letter that begins a formula or names a thing is no option: %j', (text) => {
  expect(letterOf(`We expand:\n\n${text}`, values)).toBeUndefined()
})

it.each([
  'H (0.0)',
  'H(0.0)',
  '(H)',
  '$\\boxed{H}$',
  'H (the sum vanishes)',
  'H(surely)',
  '**H** (0.0)',
  'H. 0.0',
])('a letter with a remark in brackets is an option: %j', (answer) =>
  expect(letterOf(`Answer: ${answer}`, values)).toBe('H'),
)

it.each([
  ...[
    '\nSorry, I misread: A',
    '. My mistake, C is what they ask for.',
    '\n\nOn reflection, the answer must be C.',
  ],
  ...[
    '\nEDIT: C',
    '. Hence, after checking, C.',
    ". In fact, it's C.",
    '. It should have been C.',
    '. I retract this.',
  ],
])('an option that is taken back is no answer: Answer: B%s', (behind) => {
  expect(letterOf(`Answer: B${behind}`)).not.toBe('B')
})

it.each(['Neither A nor C holds.', 'Both A and C fail the test.', 'In fact, B alone is left.'])(
  'a remark that denies the others keeps the option: %s',
  (remark) => expect(letterOf(`Answer: B. ${remark}`)).toBe('B'),
)

it.each(tableOf<[string[], string, string | null][]>(import.meta.url, 'stated'))(
  'of the options %j the last clause of %j states %s',
  (from, reply, letter) => expect(letterOf(reply, from)).toBe(letter ?? undefined),
)

it.each(tableOf<[string, string, string | null][]>(import.meta.url, 'restated'))(
  'an answer to %j that repeats its words, %j, is read as %s',
  (question, reply, letter) => {
    const index = readChoice(reply, ['Yes', 'No'], [], question)?.index
    expect(index === undefined ? null : 'AB'[index]).toBe(letter)
  },
)

const listed = (said: string) => letterOf(`A) Paris\nB) Lyon\nC) Nice\nD) Lille\n\n${said}`, cities)
const cities = ['Paris', 'Lyon', 'Nice', 'Lille']

it.each(tableOf<string[]>(import.meta.url, 'picks'))('behind a list of options %j chooses B', (said) =>
  expect(listed(said)).toBe('B'),
)

it.each(tableOf<string[]>(import.meta.url, 'picksNone'))('behind a list of options %j chooses none', (said) =>
  expect(listed(said)).toBeUndefined(),
)

it.each([
  ['At first I would pick B.\nBut the best is Nice.', 'C'],
  ['We choose B to be the set of primes.\nSo the closest one is Nice.', 'C'],
  ['Answer: A\nSome would choose B.', 'A'],
])('a choice gives way to an announcement and to a last line that chooses: %j', (said, letter) =>
  expect(listed(said)).toBe(letter),
)

it.each(['A', 'I'])('the option %s is taken back by what names it, or says I', (letter) => {
  for (const behind of [
    `${letter} is wrong.`,
    `That was a mistake.`,
    'I retract this.',
    'However, I was mistaken.',
  ])
    expect(
      letterOf(
        `Answer: ${letter}\n${behind}`,
        [...'abcdefghij'].map((name) => `x${name}`),
      ),
      behind,
    ).toBeUndefined()
})

it('letters win over the texts of options', () => {
  const mixed = ['d', 'a', 'b', 'c']
  expect([letterOf('Answer: C', mixed), letterOf('Answer: (C)', mixed)]).toEqual(['C', 'C'])
})

it.each([
  ['Answer: B\nThe worst answer is C.', 'B'],
  ['Answer: B\nThe answer is C if it rains.', 'B'],
  ['Answer: B\nStudent answer: C', 'B'],
  ['\\boxed{B}, \\boxed{C}', undefined],
  ['\\boxed{B \\text{ and } C}', undefined],
  ['ANSWER IS D. A is incorrect.', 'D'],
  ['Final answer - B', 'B'],
  ['Answer: A\nNo. The correct choice is B.', 'B'],
  ['I looked at all of them.\nThe right option is (C).', 'C'],
  ['So the closest city is (D) Riga, which is not Bern.', undefined],
  ['So the closest city is (D) Riga.', 'D'],
  ['A) Oslo\nB) Bern\nC) Rome\nD) Riga', undefined],
  ['A) Oslo, B) Bern', undefined],
  ['I compared them.\nB) Bern', 'B'],
  ['A: The warmest city is (C).', 'C'],
  ['A: Rome', 'C'],
  ['**A:** C', 'C'],
  ['A: Oslo', 'A'],
  ['A: because it is cold', 'A'],
  ['A: Let us see. Therefore it is not so.', undefined],
  ['B: The warmest city is (C).', undefined],
  ['Answer: A: The warmest city is (C).', undefined],
  ['Answer: B: it lies high', 'B'],
  ['- The north has Oslo (A).\n- The south has Rome (C).', undefined],
  ['- It is 0.75 (J).\n- It is 0.25 (C).', undefined],
  ['## Answer\nB\nIt lies high.', 'B'],
  ['Answer - B\n(Confidence: 80%)', 'B'],
  ['#### B\n(Confidence: 80%)', 'B'],
  ['The next closest is Rome (C).', undefined],
  ['F = \\frac{\\Delta E}{c}', undefined],
  ['F = \\frac{\\Delta E}{c} = \\frac{4.2 \\times 10', undefined],
  ['Answer: \\frac{\\Delta E}{c}', undefined],
  ['Answer: $\\dfrac{a}{b}$', undefined],
])('the reply %j chooses %s', (reply, letter) => {
  expect(letterOf(reply)).toBe(letter)
})

const forms = [
  (letter: string) => `Answer: ${letter}`,
  (letter: string) => `**Final Answer:** (${letter})`,
  (letter: string) => `Final Answer: The answer is (${letter}).`,
  (letter: string) => `the correct answer is:\n\\[\n\\text{${letter}}\n\\]`,
  (letter: string) => `Answer: ${letter}. ${options['ABCD'.indexOf(letter)]}`,
  (letter: string) => `\\boxed{\\text{${letter}}}`,
  (letter: string) => `<answer>${letter}</answer>`,
  (letter: string) => `The correct choice is ${letter}.`,
]
const around = [
  ...[
    'Oslo',
    'A) Oslo',
    '(C) is wrong.',
    'B or C, I am not sure yet.',
    'I think so.',
    '42',
    '```\ncode\n```',
  ],
  ...[
    '$$',
    '',
    '- Rome',
    '| A | B |',
    'I hope this answer is clear.',
    'If the answer is D, then all fails.',
    '# Notes',
  ],
  ...[
    'Rome would be nice, too.',
    '#### Conclusion',
    '}',
    '**',
    'The answer is not (D).',
    'print("Answer:", x)',
  ],
]

it('whatever stands before and after it, the one announced option is chosen, or none', () => {
  let read = 0
  fc.assert(
    fc.property(
      fc.constantFrom('A', 'B', 'C', 'D'),
      fc.constantFrom(...forms),
      fc.array(fc.constantFrom(...around), { maxLength: 6 }),
      fc.array(fc.oneof(fc.constantFrom(...around), fc.string({ maxLength: 12 })), { maxLength: 6 }),
      (letter, form, before, after) => {
        const reply = [...before, form(letter), ...after].join('\n')
        const found = letterOf(reply)
        if (found === letter) read++
        expect([letter, undefined], reply).toContain(found)
      },
    ),
    { numRuns: 1500 },
  )
  expect(read).toBeGreaterThan(1300)
})
