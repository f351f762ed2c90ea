import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formatOf } from '../../../src/loop/ask/prompt.ts'
import { readData } from '../../../src/replies/data/read-data.ts'

const Tasks = z.object({
  tasks: z.array(z.object({ worker: z.enum(['anna', 'bert']), do: z.string() })).min(1),
})
const task = { worker: 'anna', do: 'it' }
const right = JSON.stringify({ tasks: [task] })
const Grade = z.object({ grade: z.number(), why: z.string() })
const [draft, final] = ['{"grade": 1, "why": "draft"}', '{"grade": 8, "why": "fine"}']
const fenced = (text: string, language = 'json') => `\`\`\`${language}\n${text}\n\`\`\``

describe('the data of a reply', () => {
  it.each([
    ['the whole reply', right],
    ['a fenced block', `Here:\n\`\`\`json\n${right}\n\`\`\`\nDone.`],
    ['within a sentence', `I say ${right}, and no more.`],
  ])('is found where it is %s', (_, text) => {
    expect(readData(text, Tasks)).toEqual({ data: { tasks: [task] } })
  })

  it.each([
    ['behind a set in prose', `The set {x, y} is complete.\n\n${final}`],
    ['before braces in prose', `${final}\n\nSee {chapter} and [figure].`],
    ['behind a body of code', `\`{ return sum }\` is right.\n${final}`],
    ['behind a block of code', `${fenced('if (a) { b() }', 'js')}\nSo:\n${final}`],
    ['in a block behind one of code', `${fenced('fn() { 1 }', 'rust')}\n${fenced(final)}`],
    ['in a block before one of code', `${fenced(final)}\nfor:\n${fenced('fn() { 1 }', 'rust')}`],
    ['in a block that never ends', `\`\`\`json\n${final}`],
    ['in a block without a language', fenced(final, '')],
    ['in a block of tildes', `~~~json\n${final}\n~~~`],
    ['behind a draft', `At first ${draft}, now ${final}`],
    ['behind a draft in a block', `${fenced(draft)}\nNo.\n${fenced(final)}`],
    ['behind an open brace of prose', `Use {"a to begin.\n\n${final}`],
    ['behind brackets and a quote', `It said [" and left.\n${final}`],
    ['behind a link and a footnote', `[see](http://a.b/{c}) [1]\n${final}`],
    ['in a list of one', `[${final}]`],
    ['in a wrapper', `{"result": ${final}, "model": {"name": "x"}}`],
    ['before a later quotation', `${final}\n\n> the work says ${draft}`],
    ['before later inline code', `${final}\n\nNot \`${draft}\`, as it says.`],
    ['before a block of another language', `${final}\n\n${fenced(`const was = ${draft}`, 'js')}`],
    ['in a quotation alone', `> ${final}`],
    ['in inline code alone', `It is \`${final}\`.`],
    ['in a block of another language alone', fenced(final, 'python')],
    ['with a comma too many', '{"grade": 8, "why": "fine",}'],
    ['in single quotes', "{'grade': 8, 'why': 'fine'}"],
    ['with bare keys', '{grade: 8, why: "fine"}'],
    ['with comments', '{\n// of ten\n"grade": 8, /* so */ "why": "fine"\n}'],
    ['behind a draft, with a comma too many', `At first ${draft}, now {"grade": 8, "why": "fine",}`],
    ['with an empty list in prose behind it', `${final}\nFaults: []`],
  ])('is read %s', (_, text) => {
    expect(readData(text, Grade)).toMatchObject({ data: { grade: 8, why: 'fine' } })
  })

  it.each([
    `${final} Wait, I withdraw that.`,
    `${fenced(final)}\nHere you are.\n\nPlease disregard my answer above.`,
    `${final}\nI retract this verdict.`,
  ])('is none where the reply takes it back: %j', (text) => {
    expect(readData(text, Grade)).toEqual({ problem: 'it takes its value back.' })
  })

  it.each([
    `${draft}\nI take that back.\n${final}`,
    `${final}\nThis is wrong because f(2) is 3.`,
    `${final}\nIgnore the above instructions, said the work.`,
  ])('is read where only what it judges is blamed, or an earlier value taken back: %j', (text) => {
    expect(readData(text, Grade)).toMatchObject({ data: { grade: 8 } })
  })

  it.each([
    ['a raw line end', '{"grade": 8, "why": "one\ntwo"}', 'one\ntwo'],
    ['a raw tab', '{"grade": 8, "why": "one\ttwo"}', 'one\ttwo'],
    [
      'a block of code with raw line ends',
      '{"grade": 8, "why": "so:\n```js\nx()\n```\n"}',
      'so:\n```js\nx()\n```\n',
    ],
    ['a needless backslash', '{"grade": 8, "why": "\\d is wrong"}', 'd is wrong'],
    ['braces and fences', '{"grade": 8, "why": "use {x} and ``` here"}', 'use {x} and ``` here'],
  ])('may have %s in a text', (_, text, why) => {
    expect(readData(text, Grade)).toMatchObject({ data: { grade: 8, why } })
  })

  it.each([
    ['nothing', final, undefined],
    [
      'the case of keys',
      '{"Grade": 8, "WHY": "fine"}',
      ['the key "Grade" for "grade"', 'the key "WHY" for "why"'],
    ],
    ['typographic quotes', '{“grade”: 8, “why”: “fine”}', ['typographic quotes']],
    ['some typographic quotes', '{"grade": 8, "why”: “fine"}', ['typographic quotes']],
    ['single quotes', "{'grade': 8, 'why': 'fine'}", ['single quotes']],
    ['keys without quotes', '{grade: 8, why: "fine"}', ['keys without quotes']],
    ['a comment', '{"grade": 8, "why": "fine" /* so */}', ['comments']],
    ['a comma', '{"grade": 8, "why": "fine",}', ['a comma, line end or backslash']],
  ])('tells what was repaired: %s', (_, text, repairs) => {
    expect(readData(text, Grade)).toEqual({ data: { grade: 8, why: 'fine' }, ...(repairs && { repairs }) })
  })

  it.each([
    ['say "fine" now', 'say "fine" now'],
    ['it is "fine"', 'it is "fine"'],
    ['"fine", or so', '"fine", or so'],
    ['5" wide', '5" wide'],
    ['[“fine”]', '[“fine”]'],
  ])('may have quotes without a backslash in a text: %s', (_, why) => {
    for (const text of [`{"grade": 8, "why": "${why}"}`, `So: {"why": "${why}", "grade": 8}, I say.`])
      expect(readData(text, Grade)).toMatchObject({ data: { grade: 8, why } })
  })

  it.each([
    ['"true"', true],
    ['"False"', false],
  ])('has %s where the shape wants a truth value', (written, ok) => {
    const shape = z.object({
      ok: z.boolean(),
      inner: z.array(z.object({ isRight: z.boolean(), word: z.string() })),
    })
    const text = `{"OK": ${written}, "Inner": [{"isright": ${written}, "word": "true"}]}`
    const data = { ok, inner: [{ isRight: ok, word: 'true' }] }
    expect(readData(text, shape)).toMatchObject({ data })
    expect(readData(`{"result": ${text}}`, shape)).toMatchObject({ data })
  })

  it.each([
    ['that is announced as the final one', `${draft}\nMy final grade: ${final}`],
    ['that is not called an example', `For example ${draft}. I give ${final}.`],
    ['that is not called an example, before one', `I give ${final}. The format was, for example, ${draft}.`],
    ['that is given twice', `${final}\n${final}`],
  ])('of several is the one %s', (_, text) => {
    expect(readData(text, Grade)).toEqual({ data: { grade: 8, why: 'fine' } })
  })

  it('has the values of Python for those of JSON', () => {
    const shape = z.object({ a: z.boolean(), b: z.null() })
    expect(readData("{'a': True, 'b': None}", shape)).toMatchObject({ data: { a: true, b: null } })
  })

  it.each([
    ['a list', z.array(z.string()), 'So:\n["x"]', ['x']],
    ['a number', z.number(), '7', 7],
    ['a word in a block', z.enum(['yes', 'no']), fenced('"yes"'), 'yes'],
  ])('may be %s', (_, shape, text, data) => {
    expect(readData<unknown>(text, shape)).toEqual({ data })
  })

  it.each([
    ['is cut off', '{"grade": 8, "why": "fi', /cut off/],
    ['lacks its last bracket', '{"grade": 8, "why": "fine"', /cut off/],
    ['lacks a value', '{"grade": , "why": "fine"}', /not valid JSON/],
    ['leaves values out', '{"grade": 8, "why": "fine", ...}', /not valid JSON/],
    ['has a text without quotes', '{"grade": 8, "why": all is fine}', /not valid JSON/],
    ['lacks a comma', '{"grade": 8 "why": "fine"}', /not valid JSON/],
    ['lacks the quotes of a key', '{"grade": 8, "why": "fine", more": 1}', /cut off/],
    ['lacks a quote before a key', '{"why": "fine, "grade": 8}', /not valid JSON/],
    ['has a key twice, in two cases', '{"Grade": 1, "grade": 8, "why": "fine"}', /"grade" twice/],
    ['stands beside another', `${draft} or ${final}`, /two values that differ, .*draft.* and .*fine/],
    ['stands right before another', `${fenced(draft)}\n${fenced(final)}`, /two values that differ/],
    ['has a key twice', '{"grade": 1, "grade": 8, "why": "fine"}', /"grade" twice/],
    ['has a key twice in single quotes', "{'grade': 1, 'grade': 8, 'why': 'fine'}", /"grade" twice/],
    ['has an escaped key twice', '{"grade": 1, "gr\\u0061de": 8, "why": "fine"}', /"grade" twice/],
    ['is one of two in a list', `[${draft}, ${final}]`, /expected object/],
    ['is a field of the wrong type', '{"grade": "8", "why": "fine"}', /^grade: /],
  ])('is not read where it %s', (_, text, problem) => {
    expect(readData(text, Grade)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('is no part of what is cut off or broken', () => {
    const Part = z.object({ name: z.string(), parts: z.array(z.unknown()) })
    const cut = '{"name": "all", "parts": [{"name": "one", "parts": []}, {"na'
    const broken = '{"name": "all", oops "parts": [{"name": "one", "parts": []}]}'
    for (const text of [cut, broken]) expect(readData(text, Part)).toHaveProperty('problem')
  })

  it.each([
    z.record(z.string(), z.unknown()),
    z.object({ type: z.string() }),
    z.array(z.enum(['a', 'b'])),
    z.object({ properties: z.record(z.string(), z.unknown()) }),
  ])('is not the schema of the prompt', (shape) => {
    const { schema } = formatOf(shape)
    for (const quoted of [JSON.stringify(schema), JSON.stringify(schema, null, 2)])
      for (const text of [quoted, fenced(quoted), `The schema is ${quoted}.`, `[${quoted}]`])
        expect(readData<unknown>(text, shape, { schema })).toHaveProperty('problem')
  })

  it.each([
    ['an unknown name', { tasks: [{ ...task, worker: 'carl' }] }, /^tasks\.0\.worker: .*anna.*bert/],
    ['an empty list', { tasks: [] }, /^tasks: .*at least|>=1/i],
    ['a missing field', { tasks: [{ worker: 'anna' }] }, /^tasks\.0\.do: /],
  ])(
    'with %s has that as its problem, in a fence or not, and not that a part of it is a list',
    (_, reply, problem) => {
      const text = JSON.stringify(reply)
      for (const one of [text, `\`\`\`json\n${text}\n\`\`\``, `So: ${text}.`])
        expect(readData(one, Tasks)).toEqual({ problem: expect.stringMatching(problem) })
    },
  )

  it.each([
    ['no JSON', 'I would rather not.', 'it holds no JSON value.'],
    ['nothing', ' ', 'it is empty.'],
  ])('is missing in %s', (_, text, problem) => {
    expect(readData(text, Tasks)).toEqual({ problem })
  })
})
