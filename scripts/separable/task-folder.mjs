const propertyNames = [
  'difficulty',
  'decomposability',
  'sequentialDepth',
  'independentParts',
  'readingTokens',
  'requirements',
]

/** Returns the lines of a task.yaml that all tasks of the suite share. */
function yamlOf({ id, title, output, language = 'text', middle, properties }) {
  return [
    `id: ${id}`,
    'version: 1',
    `title: ${title}`,
    `output: ${output}`,
    `language: ${language}`,
    ...middle,
    'licence: MIT',
    'source: orchestration-bench',
    'properties:',
    ...propertyNames.flatMap((name) =>
      properties[name] === undefined ? [] : [`  ${name}: ${properties[name]}`],
    ),
    '  tools: []',
    '',
  ].join('\n')
}

/** Returns a rough number of tokens, 4 characters each, to two digits. */
export function roughTokens(texts) {
  const tokens = texts.reduce((sum, text) => sum + text.length, 0) / 4
  return Number(tokens.toPrecision(2))
}

const asJson = (value) => `${JSON.stringify(value, null, 2)}\n`

/**
 * Returns the files of a task whose result is `answers.json`: one answer for each key, each graded by a hidden test of its own, so that
 * a part of them gives a part of the score. `wrong` holds answers that a hasty reader would give; they are used by tests alone.
 */
export function answersTask({ answers, properties, ...task }) {
  const keys = Object.keys(answers)
  return jsonTask({
    ...task,
    properties: { ...properties, independentParts: properties.independentParts ?? keys.length },
    stub: Object.fromEntries(keys.map((key) => [key, null])),
    solution: answers,
    test: answersTest(answers),
    tests: keys.length,
  })
}

/** Returns the files of a task whose result is one file that only counts as a whole: one hidden test. */
export const wholeTask = (task) => jsonTask({ ...task, tests: 1 })

const jsonTask = ({ files, stub, solution, ...task }) =>
  filesTask({
    ...task,
    editable: 'answers.json',
    files: { ...files, 'answers.json': asJson(stub) },
    read: files,
    solution: { 'answers.json': asJson(solution) },
  })

/** Returns the files of a task that changes files. `read`: what a solver must read, by default all files; `mutants`: wrong solutions of the folder. */
export function filesTask({ id, title, instruction, files, editable, solution, test, tests, ...more }) {
  const { properties, wrong, read = files, mutants = {} } = more
  const yaml = yamlOf({
    ...{ id, title, output: 'files' },
    middle: [
      `editable: [${editable}]`,
      'graders:',
      '  - kind: tests',
      '    runner: node-test',
      `    expectTests: ${tests}`,
      'requires: [node]',
    ],
    properties: { ...properties, readingTokens: roughTokens([instruction, ...Object.values(read)]) },
  })
  const inFolder = (folder, texts) =>
    Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]))
  return {
    id,
    wrong,
    folder: {
      'task.yaml': yaml,
      'instruction.md': instruction,
      ...inFolder('files', files),
      'tests/answers.test.mjs': test,
      ...inFolder('solution', solution),
      ...Object.assign(
        {},
        ...Object.entries(mutants).map(([name, texts]) => inFolder(`mutants/${name}`, texts)),
      ),
    },
  }
}

function answersTest(answers) {
  return `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = ${JSON.stringify(answers, null, 2)}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\\s*-?\\d+(\\.\\d+)?\\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
`
}

/** Returns the files of a task that asks for one answer. */
export function answerTask({ id, title, instruction, kind, answer, properties, wrong }) {
  const yaml = yamlOf({
    ...{ id, title, output: 'answer' },
    middle: ['graders:', `  - kind: ${kind}`],
    properties: { ...properties, readingTokens: roughTokens([instruction]) },
  })
  return {
    id,
    wrong,
    folder: { 'task.yaml': yaml, 'instruction.md': instruction, 'solution/answer.txt': `${answer}\n` },
  }
}
