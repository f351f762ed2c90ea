import { expect, it } from 'vitest'
import { z } from 'zod'
import { pickNumber } from '../../src/replies/answers/pick-number.ts'
import { extractAnswer } from '../../src/replies/answers/read-answer.ts'
import { readChoice } from '../../src/replies/answers/read-choice.ts'
import { readData } from '../../src/replies/data/read-data.ts'
import { readWork } from '../../src/replies/read-work.ts'
import { withoutThoughts } from '../../src/replies/thoughts.ts'
import { sampleTask } from '../helpers/runs/sample-task.ts'

// Thoughts hold a draft of the answer in a block. Whatever mark the model uses, wherever a fence stands beside it, and whatever the
// reply is: what is read is the answer, as if it stood alone.

const code = sampleTask({
  spec: { output: 'function', language: 'python', entryPoint: 'f', editable: ['f.py'] },
})
const files = sampleTask({ spec: { output: 'files', editable: ['**'] } })
const options = ['Oslo', 'Bern', 'Rome']
const shape = z.object({ ok: z.boolean() })
const mark = { token: 'bcdf234567', isWrapped: false }

/** A kind of reply: what its thoughts draft, what it answers, and how it is read. */
interface Kind {
  info: string
  draft: string
  answer: string
  /** A line before the fence of the block. */
  heading?: string
  read: (text: string) => unknown
  expected: unknown
}

const kinds: Readonly<Record<string, Kind>> = {
  code: {
    info: 'python',
    draft: 'def f(x):\n    return 7',
    answer: 'def f(x):\n    return 8',
    read: (text) => readWork(code, text).edits[0]?.content?.trim(),
    expected: 'def f(x):\n    return 8',
  },
  file: {
    info: 'text',
    heading: 'FILE: a.txt',
    draft: '7',
    answer: '8',
    read: (text) => readWork(files, text),
    expected: {
      edits: [{ path: 'a.txt', content: '8\n' }],
      rejected: [],
      notes: [],
      found: 'the file block of a.txt',
    },
  },
  data: {
    info: 'json',
    draft: '{"ok":true}',
    answer: '{"ok":false}',
    read: (text) => readData(text, shape),
    expected: { data: { ok: false } },
  },
  judge: {
    info: 'json',
    draft: '{"mark":"bcdf234567","ok":true}',
    answer: '{"mark":"bcdf234567","ok":false}',
    read: (text) => readData(text, shape, { mark }),
    expected: { data: { ok: false } },
  },
  choice: {
    info: '',
    draft: 'Answer: A',
    answer: 'Answer: B',
    read: (text) => readChoice(text, options)?.index,
    expected: 1,
  },
  numeric: {
    info: '',
    draft: 'Answer: 7',
    answer: 'Answer: 8',
    read: (text) => {
      const picked = pickNumber(extractAnswer(text) ?? '')
      return 'number' in picked ? picked.number.values : picked
    },
    expected: [8],
  },
}

const tags = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reflection',
  'scratchpad',
  'seed:think',
]
const paired: readonly (readonly [open: string, close: string])[] = [
  ...tags.map((tag) => [`<${tag}>`, `</${tag}>`] as const),
  ['<THINK>', '</THINK>'],
  ['<thinking effort="high">', '</thinking>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<unused94>thought', '<unused95>'],
  ['<|channel>thought', '<channel|>'],
]
/** Marks that also say that the answer begins, so that no thoughts can follow it. */
const channels: readonly (readonly [open: string, close: string])[] = [
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['analysis', 'assistantfinal'],
  ['Here is my thought process:\n', '\nHere is my response:'],
]

/** The parts of a reply. */
interface Parts {
  open: string
  close: string
  /** The draft and the answer, each in a block. */
  draft: string
  answer: string
  /** The draft in a block that nothing closes. */
  unclosed: string
}
type Place = (parts: Parts) => string

const opened: Readonly<Record<string, Place>> = {
  'marks on lines of their own': ({ open, close, draft, answer }) =>
    `${open}\n${draft}\n${close}\n\n${answer}`,
  'a fence behind the closing mark': ({ open, close, answer }) => `${open}Keep the order.${close}${answer}`,
  'the closing mark behind a fence': ({ open, close, draft, answer }) =>
    `${open}\nTry:\n${draft}${close}\n\n${answer}`,
  'the opening mark before a fence': ({ open, close, draft, answer }) =>
    `${open}${draft}\n${close}\n${answer}`,
  'both marks beside a fence': ({ open, close, draft, answer }) => `${open}${draft}${close}\n${answer}`,
  'fences on both sides of the closing mark': ({ open, close, draft, answer }) =>
    `${open}${draft}${close}${answer}`,
  'spaces between them': ({ open, close, draft, answer }) => `${open} ${draft} ${close} ${answer}`,
  'a block left open': ({ open, close, unclosed, answer }) => `${open}\n${unclosed}\n${close}\n${answer}`,
  'a block left open on shared lines': ({ open, close, unclosed, answer }) =>
    `${open}${unclosed}${close}${answer}`,
  'several thoughts': ({ open, close, draft, answer }) =>
    `${open}${draft}${close}\n${open}\n${draft}${close}${answer}`,
}
const neverOpened: Readonly<Record<string, Place>> = {
  'never opened': ({ close, draft, answer }) => `Try:\n${draft}\n${close}\n${answer}`,
  'never opened, behind a fence': ({ close, draft, answer }) => `Try:\n${draft}${close}\n${answer}`,
  'never opened, between fences': ({ close, draft, answer }) => `Try:\n${draft}${close}${answer}`,
  'never opened, before a fence': ({ close, draft, answer }) => `Try:\n${draft}\n\nYes.${close}${answer}`,
  'never opened, with a block left open': ({ close, unclosed, answer }) =>
    `Try:\n${unclosed}\n${close}\n${answer}`,
  'never opened, with a block left open before a fence': ({ close, unclosed, answer }) =>
    `Try:\n${unclosed}\n${close}${answer}`,
}
const behind: Readonly<Record<string, Place>> = {
  'thoughts behind the answer': ({ open, close, draft, answer }) => `${answer}\n${open}\n${draft}\n${close}`,
  'thoughts behind its fence': ({ open, close, draft, answer }) => `${answer}${open}${draft}${close}`,
  'thoughts between fences': ({ open, close, answer }) => `\`\`\`sh\nls\n\`\`\`${open}Now.${close}${answer}`,
  'thoughts behind its fence that never end': ({ open, draft, answer }) => `${answer}${open}\n${draft}`,
}

/** The fences of the draft and of the answer. */
const fences = [
  ['```', '```'],
  ['~~~', '```'],
  ['```', '~~~'],
  ['````', '```'],
  ['```', '````'],
] as const

const block = ({ heading, info }: Kind, fence: string, content: string) =>
  `${heading === undefined ? '' : `${heading}\n`}${fence}${info}\n${content}\n${fence}`

/** Returns the replies that are read otherwise than their answer alone, by name. */
function misread(
  name: string,
  open: string,
  close: string,
  places: Readonly<Record<string, Place>>,
): string[] {
  const kind = kinds[name] as Kind
  return Object.entries(places).flatMap(([place, write]) =>
    fences.flatMap(([draftFence, answerFence]) => {
      const draft = block(kind, draftFence, kind.draft)
      const unclosed = draft.slice(0, -draftFence.length - 1)
      const answer = block(kind, answerFence, kind.answer)
      const reply = write({ open, close, draft, unclosed, answer })
      const found = kind.read(withoutThoughts(reply))
      return JSON.stringify(found) === JSON.stringify(kind.expected)
        ? []
        : [`${place}: ${JSON.stringify(reply)}`]
    }),
  )
}

const cases = Object.keys(kinds).flatMap((name) => [
  ...paired.map((marks) => [name, ...marks, { ...opened, ...neverOpened, ...behind }] as const),
  ...channels.map((marks) => [name, ...marks, opened] as const),
])

it.each(cases)('thoughts end at their mark beside a fence: %s in %s %s', (name, open, close, places) => {
  expect(misread(name, open, close, places)).toEqual([])
})

it.each(paired)('marks that the code of the answer quotes are text: %s %s', (open, close) => {
  const bodies = [
    `text = """\n${open}\na\n${close}\n"""`,
    `text = text.split("${close}")[-1]  # ${open} and ${close}`,
    `# ${open}\n# ${close}\ntext = 1`,
    `text = """${close}\nb"""`,
    `text = """a\n${close}\nb"""`,
  ]
  for (const body of bodies)
    for (const fence of ['```', '~~~', '````'])
      for (const before of [
        '',
        `${open}Is it 7?${close}`,
        `${open}\n${fence}py\nx = 7\n${fence}${close}\n`,
      ]) {
        const answer = `${fence}python\n${body}\n${fence}\n\nUse it:\n${fence}sh\nls\n${fence}\n`
        expect(withoutThoughts(before + answer), before + answer).toBe(answer)
      }
})
