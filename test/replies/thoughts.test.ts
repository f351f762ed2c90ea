import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutThoughts } from '../../src/replies/thoughts.ts'
import { tableOf } from '../helpers/house/tables.ts'

const fence = '```'

describe('thoughts are left out of what is read', () => {
  it.each([
    ['tags', '<think>Is it 7? No.</think>\n\nIt is 8.', 'It is 8.'],
    ['tags over several lines', '<think>\nIs it 7?\n\nNo.\n</think>\nIt is 8.', 'It is 8.'],
    ['<thinking>', '<thinking>7?</thinking>8', '8'],
    ['<thought>', '<thought>\n7?\n</thought>\n8', '8'],
    ['<thoughts>', '<thoughts>7?</thoughts>\n8', '8'],
    ['<reasoning>', '<reasoning>7?</reasoning>\n8', '8'],
    ['<reflection>', '8\n<reflection>Or 7?</reflection>', '8\n'],
    ['<scratchpad>', '<scratchpad>7?</scratchpad>\n8', '8'],
    ['upper case', '<THINK>7?</Think>\n8', '8'],
    ['an attribute', '<thinking effort="high">7?</thinking>\n8', '8'],
    ['Seed', '<seed:think>7?</seed:think>8', '8'],
    ['Magistral', '[THINK]7?[/THINK]8', '8'],
    ['Kimi', '◁think▷7?◁/think▷8', '8'],
    ['Command', '<|START_THINKING|>7?<|END_THINKING|>8', '8'],
    ['OpenThinker', '<|begin_of_thought|>\n7?\n<|end_of_thought|>\n8', '8'],
    ['Gemma', '<|channel>thought\n7?<channel|>8', '8'],
    ['MedGemma', '<unused94>thought\n7?<unused95>8', '8'],
    ['Granite', 'Here is my thought process:\n7?\n\nHere is my response:\n8', '8'],
    ['several', '<think>1?</think>\nOne.\n<think>2?</think>\nTwo.', 'One.\n\nTwo.'],
    ['nested', '<think>a <think>b</think> c </think>8', '8'],
    ['nested behind an answer', 'One.\n<think>a <think>b</think> c </think>Two.', 'One.\nTwo.'],
    ['nested tags of two kinds', '<thinking>a<reflection>b</reflection>c</thinking>8', '8'],
    ['a closing tag of another kind', '<thinking>7?\n</think>\n8', '8'],
    ['a closing tag alone', 'Is it 7? No.\n</think>\n\n8', '8'],
    ['a closing tag alone, without a line end', 'Is it 7? No.</think>It is 8.', 'It is 8.'],
    ['a closing tag amid its line', '<think>it is 7 or so </think> It is 8.', ' It is 8.'],
    ['a closing tag glued to words', 'so it is 7</think>It is 8.', 'It is 8.'],
    ['an opening tag alone', 'It is 8.\n<think>\nOr is it 7?', 'It is 8.\n'],
    [
      'code in thoughts',
      `<think>\n${fence}py\nx = 7\n</think>\n${fence}py\nx = 8\n${fence}`,
      `${fence}py\nx = 8\n${fence}`,
    ],
    [
      'code in thoughts that were never opened',
      `Draft:\n${fence}py\nx = 7\n</think>\n\n${fence}py\nx = 8\n${fence}`,
      `${fence}py\nx = 8\n${fence}`,
    ],
    ['a tag that thoughts speak of', '<think>I end with `</think>`. 7?\n</think>\n8', '8'],
    ['data in thoughts', 'I could say {"ok":true}.\n</think>\n{"ok":false}', '{"ok":false}'],
    ['data left open in thoughts', 'Say {"ok": "so\n</think>\n{"ok":false}', '{"ok":false}'],
    ['code in thoughts without a fence', 'def f(x):\n    return 7\n</think>\nIt is 8.', 'It is 8.'],
    ['indentation', '<think>7?</think>\n\n    return 8', '    return 8'],
  ])('%s', (_, reply, rest) => {
    expect(withoutThoughts(reply)).toBe(rest)
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'channelsGpt'))(
    'of the channels of gpt-oss, %s',
    (_, reply, rest) => {
      expect(withoutThoughts(reply)).toBe(rest)
    },
  )
})

describe('what is no thought is read as it came', () => {
  it.each([
    ['a reply without tags', 'Analysis: 8\r\n'],
    [
      'tags in a block of code',
      `Use this:\n${fence}py\ntext = "<think>a</think>"\nx = """\n<think>\na\n</think>\n"""\n${fence}\n`,
    ],
    ['an opening tag in a block of code', `${fence}\n<think>\n${fence}\nIt begins.`],
    [
      'a closing tag in a block of code',
      `It ends:\n${fence}jinja\n{{ thoughts }}\n</think>\n{{ answer }}\n${fence}\n`,
    ],
    ['a block of code in a list', `- so:\n  ${fence}\n  <think>\n  ${fence}\n`],
    ['a block of code that is never closed', `${fence}py\nx = s.split("</think>")[-1]\n`],
    ['tags in spans of code', 'Write `<think>` first, `</think>` last, and ` a </think> b ` never.'],
    [
      'code without a fence',
      "def rest(s):\n    return re.sub(r'<think>.*?</think>', '', s).split('</think>')[-1]\n",
    ],
    ['a generic type', 'const all: List<Thought> = []\n'],
    ['a sentence about tags', 'Put it between <think> and </think> tags.'],
    ['a sentence about the first tag', 'Some models begin with <think>\nand others do not.'],
    ['data that speaks of tags', '{"problem":"no </think> here","fix":"add </think>"}'],
    ['a verdict that quotes a closing tag', '{"sound":false,"why":"It ends. </think> "}'],
    ['a verdict that quotes a tag in a line', '{"why":"it has\n<think>\nin it","sound":false}'],
    ['a verdict that quotes thoughts', 'So:\n{"why":"He says. <think>a</think> b","sound":false}\nNo.'],
    ['a verdict in a list', '[{"why":"It ends.\n</think>\n","sound":false}]'],
    ['a comment of Python', 'def f(s):\n    # drop all. </think>\n    return s\n'],
    ['a docstring', 'def f(s):\n    """Cut thoughts.\n    <think>\n    """\n    return s\n'],
    ['a string of a module', '"""\n<think>\n"""\ndef f(): pass\n'],
    ['a template', 'const f = (x) => `\n<think>\nx\n</think>\n`\nexport default f\n'],
    ['a comment of JavaScript', 'function f(s) {\n  // cut it. </think>\n  return s\n}\n'],
    ['channels in a block of code', `${fence}\n<|channel|>final<|message|>8\n${fence}`],
    ['a process in prose', 'Here is my thought process: 7 + 1 = 8.\nAnswer: 8'],
    ['analysis', 'analysis of the final round'],
  ])('%s', (_, reply) => {
    expect(withoutThoughts(reply)).toBe(reply)
  })
})

it.each(['<think>7?</think>', '<think>\nIs it 7?', '7?\n</think>\n', '[THINK]7?', 'analysis…</think>'])(
  'a reply of thoughts alone is read as empty: %j',
  (reply) => {
    expect(withoutThoughts(reply).trim()).toBe('')
  },
)

describe('laws', () => {
  const marks = [
    '<think>',
    '</think>',
    '<thinking>',
    '[THINK]',
    '[/THINK]',
    '`',
    `\n${fence}\n`,
    '\n',
    ' ',
    'a',
    '. ',
    '<|channel|>final<|message|>',
  ]
  const text = fc.string({ unit: fc.constantFrom(...marks), maxLength: 60 })

  it('what is read is never longer than the reply', () => {
    fc.assert(
      fc.property(text, (reply) => {
        expect(withoutThoughts(reply).length).toBeLessThanOrEqual(reply.length)
      }),
    )
  })

  it('thoughts before an answer change nothing of it', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', ' ', '7', '.', '\n', '{', '}'), maxLength: 40 })
    fc.assert(
      fc.property(plain, plain, (thought, answer) => {
        expect(withoutThoughts(`<think>${thought}</think>\n${answer}`).trim()).toBe(answer.trim())
      }),
    )
  })
})
