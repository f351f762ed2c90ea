import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { loadSuite } from '../../../src/suites/load-suite.ts'
import { csv } from '../../../src/suites/questions/csv.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'
import { suiteFiles } from '../../helpers/suites/suite-file.ts'

const write = suiteFiles()
const load = (text: string | Uint8Array, parameters: Record<string, string> = {}) =>
  readSuite(csv, write('table.csv', text), parameters)

/** Problems without the folder of the file. */
async function problemsOf(text: string | Uint8Array, parameters: Record<string, string> = {}) {
  const { problems } = await load(text, parameters)
  return problems.map(({ where, what }) =>
    `${where.replace(/^.*table\.csv/, 'T')} ${what}`.replace(/\/\S*table/g, 'table'),
  )
}

const plain = [
  ['Unix', 'question,answer\nHow many?,4\nWho?,Ada\n'],
  ['Windows, with a byte order mark', '\ufeffquestion,answer\r\nHow many?,4\r\nWho?,Ada\r\n'],
  ['no newline at the end', 'question,answer\nHow many?,4\nWho?,Ada'],
  ['semicolons', 'question;answer\nHow many?;4\nWho?;Ada\n'],
  ['tabs', 'question\tanswer\nHow many?\t4\nWho?\tAda\n'],
  ['a line that names the delimiter', 'sep=;\nquestion;answer\nHow many?;4\nWho?;Ada\n'],
  ['empty lines and rows', 'question,answer\n\nHow many?,4\n,\nWho?,Ada\n\n'],
  ['other names of columns', 'Prompt,Target\nHow many?,4\nWho?,Ada\n'],
] as const

it.each(plain)('a table is read: %s', async (_, text) => {
  const { tasks, problems } = await load(text)
  expect(problems).toEqual([])
  expect(tasks.map(({ instruction, hidden }) => [instruction, hidden.solution?.answer])).toEqual([
    ['How many?', '4'],
    ['Who?', 'Ada'],
  ])
  expect(tasks.map(({ spec }) => spec.graders[0]?.kind)).toEqual(['numeric', 'exact'])
})

it('a quoted cell keeps its line breaks, quotes and delimiters', async () => {
  const { tasks } = await load('id,question,answer\nx,"One, two\r\nor ""three""?",3\n')
  expect(tasks.map(({ ref, instruction }) => [ref, instruction])).toEqual([
    ['table/x', 'One, two\nor "three"?'],
  ])
})

it('parameters name columns, options, tolerance, tags and difficulty', async () => {
  const { tasks, problems } = await load('q,a,w1,w2,t,d\nWhich?,blue,red,blue,"x, y",0.5\n', {
    ...{ question: 'q', answer: 'a', options: 'w1+w2', tags: 't', difficulty: 'd', licence: 'CC0-1.0' },
  })
  expect(problems).toEqual([])
  expect(tasks[0]?.spec).toMatchObject({
    ...{ tags: ['x', 'y'], properties: { difficulty: 0.5 }, licence: 'CC0-1.0' },
    graders: [{ kind: 'choice', answer: 'blue', options: ['red', 'blue'] }],
  })
  expect(tasks[0]?.instruction).toBe('Which?\n\n- (A) red\n- (B) blue')
})

it('columns A, B, … are options, and an answer may be a letter', async () => {
  const { tasks } = await load('question,A,B,C,answer\nWhich?,red,blue,,B\n')
  expect(tasks[0]?.spec.graders).toMatchObject([{ kind: 'choice', answer: 'B', options: ['red', 'blue'] }])
})

it.each([
  ['0', '1'],
  ['1', '2'],
])('with index=%s the answer %s is the second option', async (index, answer) => {
  const { tasks } = await load(`question,options,answer\nWhich?,red|blue,${answer}\n`, { index })
  expect(tasks[0]?.spec.graders).toMatchObject([{ kind: 'choice', answer: 'B' }])
})

it('numbers with a decimal comma are read if the user says so', async () => {
  const text = 'question;answer\nHow far?;1.234,5\nHow long?;7\n'
  expect(await problemsOf(text)).toMatchSnapshot()
  const { tasks } = await load(text, { decimal: 'comma' })
  expect(tasks.map(({ spec }) => spec.graders)).toMatchObject([
    [{ kind: 'numeric', answer: '1234.5', decimal: 'comma' }],
    [{ kind: 'numeric', answer: '7', decimal: 'comma' }],
  ])
  // A proof tries the answer as it stands in the file.
  expect(tasks.map(({ hidden }) => hidden.solution?.answer)).toEqual(['1.234,5', '7'])
})

it('an exact answer of several lines, which no reply could give, is a problem', async () => {
  expect(await problemsOf('question,answer\nWhich?,"a\nb"\n')).toMatchSnapshot()
})

it('a thousands separator stays one number', async () => {
  const { tasks } = await load('question,answer\nHow many?,"1,000"\n', { tolerance: '0.5' })
  expect(tasks[0]?.spec.graders).toMatchObject([{ kind: 'numeric', answer: '1,000', tolerance: 0.5 }])
})

it('a whole number with more digits than a number grader can tell apart is graded as text', async () => {
  const table = (answer: string) => `question,answer\nHow many?,"${answer}"\n`
  for (const answer of ['9007199254740993', '9,007,199,254,740,993'])
    expect((await load(table(answer))).tasks[0]?.spec.graders).toMatchObject([{ kind: 'exact', answer }])
  for (const answer of ['9007199254740992', '3.14159265358979323846'])
    expect((await load(table(answer))).tasks[0]?.spec.graders).toMatchObject([{ kind: 'numeric', answer }])
  expect(await problemsOf(table('9007199254740993'), { grader: 'numeric' })).toMatchSnapshot()
})

it('names of tasks keep their letters without accents; other scripts are named by their place, with a note', async () => {
  const path = write(
    'table.csv',
    'id,question,answer\nthé,One?,1\nÄpfel & Öl,Two?,2\n東京,Three?,3\n大阪,Four?,4\n',
  )
  const { tasks, notes } = await loadSuite(csv, { path, parameters: {} })
  expect(tasks.map(({ spec }) => spec.id)).toEqual(['the', 'Apfel-Ol', 'q3', 'q4'])
  expect(notes.filter((note) => note.includes('Latin'))).toEqual([
    `${path}:4 id: "東京" has no Latin letter and no digit, so the task is named by its place, q3`,
  ])
})

const broken = [
  [
    'a short row',
    'question,answer\nHow many?\n',
    'T:2 answer is missing: the row has 1 field, the first line 2',
  ],
  [
    'a long row',
    'question,answer\nOne, two?,3\n',
    'T:2 field 3 has no column: the row has 3 fields, the first line 2',
  ],
  ['an empty answer', 'question,answer\nHow many?,\n', 'T:2 answer is empty'],
  ['a quote inside a cell', 'question,answer\n"5" pipe,"1"\n', 'T:2 has a quote inside field 1'],
  ['a quote that stays open', 'question,answer\n"How many?,1\n', 'T:2 has a quote that is never closed'],
  [
    'an id again',
    'id,question,answer\na,One?,1\nA,Two?,2\n',
    'T:3 id gives the name A again: "A", as "a" in line 2',
  ],
  [
    'two texts with one name',
    'id,question,answer\nthe,One?,1\nthé,Two?,2\n',
    'T:3 id gives the name the again: "thé", as "the" in line 2',
  ],
  [
    'a decimal comma',
    'question,answer\nHow far?,"3,14"\n',
    'T:2 answer has a comma that may stand before decimals: "3,14"',
  ],
  ['no column', 'q,a\n1,2\n', 'T has no column for the question, such as question, prompt, input'],
  [
    'two columns',
    'question,prompt,answer\n1,2,3\n',
    'T has more than one column for the question: "question", "prompt"',
  ],
  [
    'one name twice',
    'question,answer,answer\n1,2,3\n',
    'T has more than one column for the answer: "answer", "answer"',
  ],
  ['nothing', '', 'T is empty'],
] as const

it.each(broken)('is reported by line and field: %s', async (_, text, problem) => {
  expect((await problemsOf(text))[0]).toBe(problem)
})

it.each([
  ['grader', { grader: 'numeric' }],
  ['choice', { grader: 'choice' }],
  ['pattern', { grader: 'pattern', answer: 'p' }],
  ['column', { answer: 'anwser' }],
  ['value', { difficulty: '7' }],
])('a wrong parameter is reported: %s', async (_, parameters) => {
  expect(
    (await problemsOf('question,answer,p\nWhich?,red,(\n', parameters as Record<string, string>))[0],
  ).toMatchSnapshot()
})

it('other encodings and formats are named', async () => {
  const text = 'question,answer\nHow many?,4\n'
  expect(await problemsOf(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(['T is UTF-16 text, not UTF-8'])
  expect(await problemsOf(Buffer.from(text, 'utf16le'))).toEqual(['T is UTF-16 text, not UTF-8'])
  expect(await problemsOf(Buffer.from('question,answer\nSch\xf6n?,1\n', 'latin1'))).toEqual([
    'T is not UTF-8 text',
  ])
  expect((await load(gzipSync(text))).tasks).toHaveLength(1)
})

it('tables that are attacks are refused, not read', async () => {
  const wide = `${'a,'.repeat(100_000)}b\n1\n`
  expect(await problemsOf(wide)).toEqual(['T:1 has 100001 columns, but at most 1000 are read'])
  const huge = `question,answer\n"${'x\n'.repeat(20_000)}`
  expect((await problemsOf(huge))[0]).toBe('T:2 has a quote that is never closed')
  expect(await problemsOf(gzipSync(Buffer.alloc(20_000_000, 'x')))).toEqual(['T:1 has more than 16 MiB'])
})

it('a question that is asked twice, and a column that is not used, are noted', async () => {
  const path = write('table.csv', 'question,answer,Tags\nWhich?,a,x\nWho?,b,x\nWhich?,c,y\n')
  const { notes } = await loadSuite(csv, { path, parameters: {} })
  expect(notes.join('\n')).toContain('column "Tags" is not used (write ?tags=Tags to use it)')
  expect(notes.join('\n')).toContain('1 question stands in an earlier row, too (line 4 repeats line 2)')
})
