import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { reasonOfRefusal } from '../../src/agents/failures/refusal-reason.ts'
import { wordsOfBody } from '../../src/agents/failures/server-words.ts'
import { createKeyGuard } from '../../src/agents/gateway/key-guard.ts'
import { createMeter } from '../../src/agents/gateway/meter.ts'
import { createEventSplitter } from '../../src/agents/wire/event-stream.ts'
import { readNamedResults } from '../../src/graders/test-run/named-results.ts'
import { findNumbers } from '../../src/replies/answers/found-numbers.ts'
import { pickNumber } from '../../src/replies/answers/pick-number.ts'
import { plainNumberText } from '../../src/replies/answers/plain-number-text.ts'
import { readMathAnswer } from '../../src/replies/answers/read-answer.ts'
import { readChoice } from '../../src/replies/answers/read-choice.ts'
import { mayReadUnmarked } from '../../src/replies/data/judge-mark.ts'
import { readData } from '../../src/replies/data/read-data.ts'
import { parseFileBlocks } from '../../src/replies/files.ts'
import { withoutThoughts } from '../../src/replies/thoughts.ts'
import { isOtherModel } from '../../src/schema/agent/other-model.ts'
import { wrapWords } from '../../src/text/wrap-words.ts'
import { growthOf, nearLinear } from '../helpers/house/growth.ts'

// Time in proportion to length: what hostile texts must not make slow. Only a machine with little else to do can tell.

it('work that grows with the square of its size is not near linear, and linear work is', () => {
  const loop = (steps: number) => {
    let sum = 0
    for (let i = 0; i < steps; i++) sum += Math.sqrt(i)
    return sum
  }
  expect(growthOf(8_000, (size) => void loop(size * size))).toBeGreaterThan(nearLinear)
  expect(growthOf(8_000, (size) => void loop(size * 2_000))).toBeLessThan(nearLinear)
})

const fence = '```'
const repeated = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length))
const marked = { mark: { token: 'wxyz', isWrapped: false } }
const Grade = z.object({ grade: z.number(), why: z.string() })
const Verdict = z.object({ sound: z.boolean(), remarks: z.string() })
const verdictSchema = z.toJSONSchema(Verdict) as Record<string, unknown>
const verdict = '{"mark":"wxyz","sound":false,"remarks":"no"}'

type Reader = readonly [
  name: string,
  size: number,
  read: (text: string) => unknown,
  pieces: readonly string[],
]

const readers: readonly Reader[] = [
  [
    'choices',
    100_000,
    (text) => readChoice(`Answer: ${text}x`, ['Oslo', 'Bern', 'Rome', 'Riga']),
    ['answer to ', '\\boxed{', '- x\n', '(B) or ', 'Antwort ist '],
  ],
  [
    'answers of every kind',
    2_000_000,
    (text) => {
      for (const reply of [text, `Answer: ${text}`]) {
        readChoice(reply, ['Oslo', 'yes', 'no'], [], 'Is it plausible?')
        pickNumber(readMathAnswer(reply)?.text ?? '', true, 'Of 5 how many?')
      }
    },
    [
      ...['9', '.', '1.', '1,234,', ',', '**', '**B** ', '\\boxed{', '\\boxed{4} ', '(A) ', '(', '$', '$4$ '],
      ...['\\frac{', '\\frac{1}{2}', '<', '<answer>', '<b>4</b>', ' ', '\n', 'a\n', "'", '"', '`', '```\n'],
      ...[
        'Answer: ',
        'Answer: 4\n',
        'the answer is ',
        '## Answer\n',
        '#### 4\n',
        '| answer | 4 |\n',
        '- B\n',
      ],
      ...[
        '٤',
        '²',
        'e\u0301',
        '答案是四',
        '百',
        '-',
        '_',
        '10^',
        '1/',
        '= 4 ',
        'forty ',
        '\\',
        '{',
        'wait, no. ',
        '😀',
      ],
    ],
  ],
  [
    'numbers',
    10_000,
    (text) => {
      findNumbers(plainNumberText(text))
      findNumbers(plainNumberText(`7${text}`))
      pickNumber(text.repeat(100))
    },
    [
      ...['1', '100 ', ',000', 'apple ', 'a', '(', '()', '(1', '{', '\\frac{', '\\frac1', '\\frac{1}{2}'],
      ...['\\text{', '$ ', '-', '1/', '* ', '_', '10^', ' million', '1 apple ', '1 not (2) ', ' ', "1'"],
      ...['<a', '𝟡', '1)', '1°', '0,1 ', ',\\! 123', '~123', 'x=1 ', '1 triệu ', '1 in binary ', 'ateenth'],
    ],
  ],
  [
    'files in Markdown',
    100_000,
    (text) => parseFileBlocks(`FILE: README.md\n${fence}md\n${text}`),
    [
      ...[`${fence}js\n${fence}\n`, `${fence}js\n`, `${fence}\n`, `FILE: a.md\n${fence}md\n${fence}\n`],
      `${'`'.repeat(5)}js\n${fence}\n~~~\n`,
    ],
  ],
  [
    'data',
    30_000,
    (text) => {
      readData(text, Grade)
      readData(`${text}\n"wxyz" {"grade": 8, "why": "fine"}`, Grade, marked)
    },
    [
      ...['{', '[', '{}', '[]', '{"', '["', "['", '{"a":', '{"a":{', '[[1,', '{/*', '{//', '`{', '{"a":1,}'],
      ...['[" {', "{'a':\"", '{"a":1 x', '["\\', '\n> {', '```\n{'],
    ],
  ],
  [
    'verdicts with a mark',
    80_000,
    (text) => {
      readData(`${text}\n${verdict}`, Verdict, marked)
      readData(`${verdict}\n${text}`, Verdict, marked)
    },
    ['{', '{"a":', '{"', "{'", '[{"a":1},', '{"mark":"wxyz",', '{"mark":"wxyz"}', '{"a":"b"} '],
  ],
  [
    'whether a verdict needs no mark',
    250_000,
    (text) => mayReadUnmarked(verdictSchema, { shown: [text], around: [text] }),
    ['sound', 'sound"', '\\\\', '\\u0073', 'remarks /', '"', '\u00ad'],
  ],
  [
    'thoughts',
    100_000,
    withoutThoughts,
    [
      ...['a.</think>', '\n<think>', 'A.\n<think><think></think>x</think>', `\n${fence}py\n</think>\n`],
      ...['` <think>', '<|channel|>analysis<|message|>', '<think ', ' ', '\n', `\n${fence}`],
      ...['{"a":"</think>"} </think>\n', 'def f(): ` """ # </think>\n'],
    ],
  ],
  [
    'names of models',
    2_000_000,
    (text) => isOtherModel('gpt-5', text),
    ['a', '1-', 'q4_', ':1', '/x', '0', 'us.', '-v1'],
  ],
  [
    'reasons of refusals',
    1_000_000,
    (text) => reasonOfRefusal(400, JSON.stringify({ error: { message: text } })),
    ['model ', '"', "'", 'failed to parse ', 'input ', 'x: <'],
  ],
  [
    'named results',
    300_000,
    readNamedResults,
    ['x', '    # Subtest: a\n', '  g\n', ' ', 'a (b) ... ok ... '],
  ],
  ['words of servers', 1_000_000, wordsOfBody, ['<', '<script>']],
  ['words to wrap', 40_000, (text) => wrapWords(text, 80), ['word ', '-=', 'x']],
  ['wide words to wrap', 2_000, (text) => wrapWords(text, 80), ['宽']],
]
const long = readers.flatMap(([name, size, read, pieces]) =>
  pieces.map((piece) => [name, piece, size, read] as const),
)

it.each(long)(
  '%s are read in a long text of %j in time in proportion to its length',
  (_, piece, size, read) => {
    expect(growthOf(size, (length) => void read(repeated(piece, length)))).toBeLessThan(nearLinear)
  },
)

/** Reads a stream event that comes in so many pieces of 128 characters. */
function meterPieces(count: number): void {
  const body = new Readable({ read: () => {} })
  const meter = createMeter()
  const reply = { statusCode: 200, headers: { 'content-type': 'text/event-stream' }, complete: true }
  meter.begin('/v1/messages').recordReply(reply as unknown as IncomingMessage, body)
  body.emit('data', Buffer.from('data: {"type":"message_stop","x":"'))
  for (let piece = 0; piece < count; piece++) body.emit('data', Buffer.alloc(128, 'x'))
  body.emit('data', Buffer.from('"}\n\n'))
  body.emit('end')
  expect(meter.read().failure).toBeUndefined()
}

/** Seeks a key in so many pieces of 10 bytes. */
function guardPieces(text: string, count: number): void {
  const piece = Buffer.alloc(10, text)
  const stream = createKeyGuard('sk-a-real-key-0123456789').stream().resume()
  for (let i = 0; i < count; i++) stream._transform(piece, 'latin1', () => {})
}

/** Splits a line of so many pieces into events. */
function splitPieces(count: number): void {
  const splitter = createEventSplitter()
  splitter.add('data: ')
  for (let piece = 0; piece < count; piece++) splitter.add('x'.repeat(10))
  expect(splitter.add('\n\n')[0]?.data).toHaveLength(count * 10)
}

it.each<[string, number, (count: number) => unknown]>([
  ['a metered event in small pieces', 16_384, meterPieces],
  ['a reply in which a key is sought, in one line', 50_000, (count) => guardPieces('x', count)],
  ['a reply in which a key is sought, in words', 50_000, (count) => guardPieces('word ', count)],
  ['a line of 3 MB in small pieces', 300_000, splitPieces],
  [
    'a deep list of results',
    4_000,
    (n) => readNamedResults(Array.from({ length: n }, (_, at) => `${' '.repeat(at % 500)}g`).join('\n')),
  ],
  ['deep words of a server', 5_000, (n) => wordsOfBody(`${'{"error":'.repeat(n)}"x"${'}'.repeat(n)}`)],
  ['nested words of a server', 80_000, (n) => wordsOfBody(`{"error":"${"{'message': '".repeat(n)}"}`)],
])('%s is read in time in proportion to its length', (_, count, read) => {
  expect(growthOf(count, (size) => void read(size))).toBeLessThan(nearLinear)
})
