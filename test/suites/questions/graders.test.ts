import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { guessedGraders, guessNotes } from '../../../src/loop/plan/table-notes.ts'
import { proveTasks } from '../../../src/loop/proof/prove-tasks.ts'
import { loadSuite } from '../../../src/suites/load-suite.ts'
import { csv } from '../../../src/suites/questions/csv.ts'
import { jsonl } from '../../../src/suites/questions/jsonl.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

type Parameters = Record<string, string>

/** Reads a table that stands in a folder with these files; problems without the folder's name. */
async function load(text: string, parameters: Parameters = {}, files: Record<string, string> = {}) {
  const folder = tempFolder()
  for (const [name, content] of Object.entries({ ...files, 't.csv': text })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const read = await loadSuite(csv, { path: join(folder, 't.csv'), parameters })
  const plain = (said: string) => said.replaceAll(`${folder}/`, '')
  return {
    ...read,
    said: read.problems.map(({ where, what, fix }) => plain(`${where} ${what}. ${fix}`)),
    kinds: read.tasks.map(({ spec }) => spec.graders[0]?.kind),
  }
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

it.each(tableOf<[string, Parameters, object][]>(import.meta.url, 'numbers'))(
  'the answer %s with %j is graded by %j',
  async (cell, parameters, grader) => {
    const { tasks, problems } = await load(`question,answer\nHow much?,${quoted(cell)}\n`, parameters)
    expect(problems).toEqual([])
    expect(tasks[0]?.spec.graders).toMatchObject([grader])
    if (!('unit' in grader)) expect(tasks[0]?.spec.graders[0]).not.toHaveProperty('unit')
  },
)

it('a number in brackets is asked for, with every way out, beside its decimal comma', async () => {
  const { said } = await load('question;answer\nHow much?;(12,50)\n')
  expect(said.join('\n')).toMatchSnapshot()
  const minus = await load('question;answer\nHow much?;(12,50)\n', { decimal: 'comma', brackets: 'minus' })
  // A proof tries what a reply would say.
  expect(minus.tasks[0]?.hidden.solution).toEqual({ answer: '-12,50' })
})

it('each row of a column "grader" has its own grader, and an empty cell the one that fits', async () => {
  const { tasks, said, programs } = await load(
    [
      'question,answer,grader,rubric,words,facts,pass',
      'One?,1,exact,,,,',
      'Two?,2,,,,,',
      'Three?,th.*,pattern,,,,',
      'Four?,x^2,math,,,,',
      'Five?,Thanks.,judge,"polite: It is polite.\n- It is short.",,,0.8',
      'Six?,,judge,It is right.,,,',
      'Seven?,A red hat.,rules,,2-10,red|crimson;hat,',
      'Eight?,,lib/grade.mjs,,,,0.5',
    ].join('\n'),
    {},
    { 'lib/grade.mjs': "import './more.mjs'\nexport const grade = () => 1\n", 'lib/more.mjs': '' },
  )
  expect(said).toEqual([])
  expect(tasks.map(({ spec: { graders, rule } }) => ({ ...graders[0], rule }))).toMatchObject([
    { kind: 'exact', answer: '1', rule: 'all' },
    { kind: 'numeric', answer: '2' },
    { kind: 'pattern', require: ['th.*'] },
    { kind: 'math' },
    {
      kind: 'rubric',
      criteria: [
        { name: 'polite', text: 'It is polite.' },
        { name: 'criterion-2', text: 'It is short.' },
      ],
      rule: { mean: 0.8 },
    },
    { kind: 'rubric', criteria: [{ name: 'criterion-1', text: 'It is right.' }], scale: 'yes-no' },
    { kind: 'rules', words: { min: 2, max: 10 }, facts: [['red', 'crimson'], ['hat']] },
    { kind: 'module', file: 'grade.mjs', rule: { mean: 0.5 } },
  ])
  expect(Object.keys(tasks[7]?.hidden.tests ?? {})).toEqual(['grade.mjs', 'more.mjs'])
  expect(tasks.map(({ hidden }) => hidden.solution?.answer).slice(4)).toEqual([
    'Thanks.',
    undefined,
    'A red hat.',
    undefined,
  ])
  expect(programs).toMatchObject([{ isTyped: false, where: expect.stringMatching(/t\.csv:10 grader$/) }])
})

it('a pattern is proved by the column "example", or by its own words where they are plain', async () => {
  const rows = ['^mar(ch)?$,March', '^mar(ch)?$,', 'Danube|Donau,', '^(?:the )?Vltava$,', '^(Elbe|Labe)$,']
  const { tasks, said } = await load(
    `question,answer,example\n${rows.map((row, i) => `Which ${i}?,${row}`).join('\n')}\n`,
    { grader: 'pattern' },
  )
  expect(said).toEqual([])
  expect(tasks.map(({ hidden }) => hidden.solution?.answer)).toEqual([
    'March',
    undefined,
    'Danube',
    undefined,
    'Elbe',
  ])
  const options = { concurrency: 1, twice: false, generate: 0, seed: 1, signal: new AbortController().signal }
  const run = () => Promise.reject(new Error('graders of answers start no program'))
  const [unproved] = await proveTasks(tasks.slice(1, 2), { ...options, run })
  expect(unproved?.faults[0]?.fix).toMatch(
    /^Write into .*t\.csv:3 an answer that its pattern matches, in a column "example"\.$/,
  )
})

it('a number whose comma or point is in doubt is told by line, also where the row names its grader', async () => {
  const { guesses } = await load(
    'question,answer,grader\nA?,"1,234",\nB?,"1,234",numeric\nC?,1.234,\nD?,5,\nE?,~7,\n',
  )
  const groups = guessedGraders('csv:t.csv', guesses)
  expect(guessNotes('csv:t.csv', groups, guesses).join('\n')).toMatchSnapshot()
  expect((await load('question,answer\nA?,"1,234"\n', { decimal: 'point' })).guesses[0]?.reason).toBe(
    'the answer is one number',
  )
})

it('?grader= names one for all rows: a judge with its rubric, rules with their words, a function of Python with its modules', async () => {
  const table = 'question,answer\nWhich?,A red hat.\n'
  const judge = await load(table, { grader: 'judge', rubric: 'It is polite.|It is short (3).', scale: '1-5' })
  expect(judge.tasks[0]?.spec.graders).toMatchObject([
    { kind: 'rubric', scale: '1-5', criteria: [{ text: 'It is polite.' }, { text: 'It is short (3).' }] },
  ])
  const rules = await load(table, { grader: 'rules', words: '1-5', forbid: 'list, heading' })
  expect(rules.tasks[0]?.spec.graders).toMatchObject([{ kind: 'rules', forbid: ['list', 'heading'] }])
  const python = await load(
    table,
    { grader: 'grade.py' },
    { 'grade.py': 'import words\nimport json\ndef grade(given): return 1\n', 'words.py': 'import grade\n' },
  )
  expect([python.said, Object.keys(python.tasks[0]?.hidden.tests ?? {})]).toEqual([
    [],
    ['grade.py', 'words.py'],
  ])
  expect(python.programs).toMatchObject([{ isTyped: true }])
  expect((await load('question\nWhich?\n', { grader: 'judge', rubric: 'It is short.' })).kinds).toEqual([
    'rubric',
  ])
})

it('in JSONL a rubric is a list of criteria, and facts are lists of spellings', async () => {
  const folder = tempFolder()
  const path = join(folder, 't.jsonl')
  const rows = [
    {
      question: 'Q?',
      grader: 'judge',
      rubric: [{ name: 'short', text: 'It is short.', weight: 2 }, 'It is kind.'],
    },
    { question: 'R?', grader: 'rules', words: '1-9', facts: [['red', 'crimson'], 'hat'] },
  ]
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  const { tasks, problems } = await loadSuite(jsonl, { path, parameters: {} })
  expect(problems).toEqual([])
  expect(tasks.map(({ spec }) => spec.graders[0])).toMatchObject([
    {
      criteria: [
        { name: 'short', weight: 2 },
        { name: 'criterion-2', text: 'It is kind.' },
      ],
    },
    { facts: [['red', 'crimson'], ['hat']] },
  ])
})

it.each(tableOf<[string, string, Parameters][]>(import.meta.url, 'wrong'))(
  'what cannot grade is told by line with a remedy: %s',
  async (_, text, parameters) => {
    const { said } = await load(text, parameters, {
      'lib/out.mjs': "import '../bytes.mjs'\nexport const grade = () => 1\n",
      'bytes.mjs': '\0',
      '.env.mjs': '',
    })
    expect(said.join('\n')).toMatchSnapshot()
    // No words of the schema library.
    expect(said.join('\n')).not.toMatch(/expected|Invalid|Too /)
  },
)

it('a path that is typed from the working folder is put right', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/t.csv'), 'question\nWhich?\n')
  writeFileSync(join(folder, 'grade.mjs'), 'export const grade = () => 1\n')
  const path = join(folder, 'data/t.csv')
  const here = process.cwd()
  process.chdir(folder)
  try {
    const { problems } = await loadSuite(csv, { path, parameters: { grader: 'grade.mjs' } })
    expect(problems[0]?.fix).toBe('Its path begins at the folder of the table: write ../grade.mjs.')
    const right = await loadSuite(csv, { path, parameters: { grader: '../grade.mjs' } })
    expect(right.tasks).toHaveLength(1)
  } finally {
    process.chdir(here)
  }
})

it('guesses are listed by line and reason, and a cell of several lines parts no range', async () => {
  const { guesses } = await load(
    'question,answer,grader\n"One\nor more?",−1,\nTwo?,2,\nThree?,Ada,\nFour?,ca. 30,\nFive?,5,\nSix?,6,exact\nSeven?,2 kg,\n',
  )
  const groups = guessedGraders('csv:t.csv', guesses)
  expect(groups.map(({ grader, lines, count }) => [grader, count, lines])).toEqual([
    ['numeric', 3, '2-4, 7'],
    ['exact', 1, '5'],
    ['exact', 1, '6'],
    ['numeric', 1, '9'],
  ])
  expect(guessNotes('csv:t.csv', groups, guesses).join('\n')).toMatchSnapshot()
})

it('rows that are left out keep their places and reasons', async () => {
  const { leftOut, skipped } = await load('id,question,answer\na,One?,1\na,Two?,2\nb,,3\n')
  expect([skipped, leftOut.map(({ where, what }) => `${where.replace(/^.*\//, '')} ${what}`)]).toEqual([
    2,
    ['t.csv:3 id gives the name a again: "a", as "a" in line 2', 't.csv:4 question is empty'],
  ])
})
