import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAsAnswer, readAsData, readAsWork, readingText } from '../../../src/commands/grade/grade.ts'
import { argumentProblems, type GradeOptions } from '../../../src/commands/grade/grade-options.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const none: GradeOptions = { options: [], extract: [], require: [], forbid: [] }
const fence = '```'

describe('bench grade reads as a trial does', () => {
  it.each<[string, string, Partial<GradeOptions>, object]>(tableOf(import.meta.url, 'cases'))(
    '%s',
    async (_, reply, options, reading) => {
      const all = { ...none, ...options }
      expect(argumentProblems(reply, all)).toEqual([])
      expect(await readAsAnswer(reply, all)).toMatchObject({ as: options.grader, ...reading })
    },
  )

  it('code for a function, which it does not run', () => {
    const options = { ...none, grader: 'tests', language: 'python', entryPoint: 'f' }
    const reading = readAsWork(`<think>hm</think>\n${fence}py\ndef f(x):\n    return x\n${fence}\n`, options)
    expect(reading).toMatchObject({ passed: true, thoughts: 18, read: 'solution.py' })
    expect(reading.files?.['solution.py']).toContain('def f(x):\n    return x\n')
    expect(readAsWork('I cannot.', options)).toMatchObject({ passed: false, reason: 'no code in the reply' })
  })

  it('files, and says what is refused', () => {
    const block = (path: string) => `FILE: ${path}\n${fence}\n1\n${fence}\n`
    const reading = readAsWork(block('a.txt') + block('../b.txt'), { ...none, grader: 'tests' })
    expect(reading).toMatchObject({
      passed: true,
      files: { 'a.txt': '1\n' },
      refused: [{ path: '../b.txt' }],
    })
    expect(readAsWork('done', { ...none, grader: 'tests' }).reason).toBe('no file was changed')
  })

  it('data that fits a schema', () => {
    const schema = join(tempFolder(), 'schema.json')
    writeFileSync(
      schema,
      JSON.stringify({ type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }),
    )
    expect(readAsData('Here: {"ok":true}', { ...none, schema })).toMatchObject({
      passed: true,
      read: { ok: true },
    })
    expect(readAsData('{"ok":1}', { ...none, schema })).toMatchObject({ passed: false })
    writeFileSync(schema, 'no JSON')
    expect(() => readAsData('{}', { ...none, schema })).toThrow(/is no JSON Schema that bench can use/)
  })
})

describe('wrong arguments of bench grade are reported', () => {
  it.each<[string | undefined, Partial<GradeOptions>, RegExp]>([
    [undefined, { grader: 'tests' }, /requires a reply/],
    ['x', { grader: 'tests', file: 'y' }, /got a reply and --file y/],
    ['x', {}, /requires --grader or --schema/],
    ['x', { grader: 'numeric', answer: '1', schema: 's' }, /conflicts with --grader numeric/],
    ['x', { grader: 'rules' }, /is not a grader that bench grade can show/],
    ['x', { grader: 'nummeric' }, /is not a grader that bench grade can show/],
    ['x', { grader: 'numeric' }, /requires --answer/],
    ['x', { grader: 'numeric', answer: 'many' }, /holds no number/],
    ['x', { grader: 'numeric', answer: '1', tolerance: '-1' }, /is not a number of at least 0/],
    ['x', { grader: 'choice', answer: 'A' }, /requires --options/],
    ['x', { grader: 'choice', answer: 'Z', options: ['a,b'] }, /is not one of the options/],
    ['x', { grader: 'pattern' }, /requires --require/],
    ['x', { grader: 'pattern', require: ['('] }, /Invalid regular expression/],
    ['x', { grader: 'tests', language: 'perl' }, /is not a language of tasks/],
    ['x', { grader: 'tests', entryPoint: 'f g' }, /^is not the name of a function$/],
    ['x', { grader: 'tests', entryPoint: '' }, /^is not the name of a function$/],
    [
      'x',
      { grader: 'tests', answer: '3', tolerance: '1' },
      /^does not fit --grader tests\ndoes not fit --grader tests$/,
    ],
    ['x', { grader: 'numeric', answer: '42', options: ['a,b'] }, /^does not fit --grader numeric$/],
    ['x', { schema: 's.json', answer: '3' }, /^does not fit --schema$/],
  ])('%j %j', (text, options, what) => {
    const problems = argumentProblems(text, { ...none, ...options })
    expect(problems.map(({ what }) => what).join('\n')).toMatch(what)
  })
})

it('a flag that does not fit names those that do', () => {
  const options = { ...none, grader: 'choice', answer: 'a', options: ['a,b'], language: 'python' }
  expect(argumentProblems('x', options)).toMatchSnapshot()
})

it('rules are sent to a task', () => {
  expect(argumentProblems('x', { ...none, grader: 'rules' })[0]?.fix).toContain('bench tasks check')
})

it.each(['[1]', 'true', 'null', '"object"'])('%s is no schema', (text) => {
  const schema = join(tempFolder(), 'schema.json')
  writeFileSync(schema, text)
  expect(() => readAsData('{}', { ...none, schema })).toThrow(/is no JSON Schema that bench can use/)
})

it('a long line is shortened in print', () => {
  const long = 'x'.repeat(5_000_000)
  const text = readingText({
    as: 'tests',
    thoughts: 0,
    read: long,
    files: { 'a.py': `1\n${long}\n2\n` },
    passed: true,
    reason: long,
  })
  expect(text.length).toBeLessThan(7_000)
  expect(text).toMatch(/\n1\nx{998} … x{998}\n2\n$/)
})

it('a reading is a line for each fact, then the files', () => {
  const text = readingText({
    as: 'tests',
    thoughts: 7,
    read: 'a.txt',
    found: 'the first block',
    files: { 'a.txt': '1\n', 'b.txt': null },
    refused: [{ path: '../c', reason: 'leads out' }],
    passed: true,
    reason: 'nothing was run',
  })
  expect(text).toMatchSnapshot()
})
