import { askMissing, saidNothingWritten, untilInterrupted } from './ask-missing.ts'
import { finishTask, idProblemIn, newTaskFolder, type TaskFolder, tagsOf } from './finish-task.ts'

interface CodeOptions {
  id?: string
  language?: string
  function?: string
  title?: string
  tag?: string
  out: string
}

const languages = ['javascript', 'typescript', 'python'] as const
type Language = (typeof languages)[number]

/** `bench tasks new code` writes a task for one function that works as it is, to be changed, and proves it. */
export default async function newCode(given: CodeOptions): Promise<number> {
  const values = await askMissing('bench tasks new code', given, [
    {
      name: 'id',
      question: 'a short name of the task, such as week-number',
      problem: idProblemIn(given.out),
    },
    { name: 'language', question: `the language: ${languages.join(', ')}`, problem: languageProblem },
    { name: 'function', question: 'the name of the function, such as weekNumber', problem: nameProblem },
  ])
  if (!values) return saidNothingWritten()
  const { id } = values
  const folder = newTaskFolder(given.out, id)
  const language = values.language as Language
  const { spec, ...texts } = templateOf(language, values.function)
  const title = given.title ?? `Write ${values.function}`
  const parts = { spec: { id, title, ...spec, ...tagsOf(given.tag) }, ...texts }
  return untilInterrupted((signal) => finishTask(folder, parts, { signal, generate: 4 }))
}

const languageProblem = (text: string) =>
  languages.some((language) => language === text) ? undefined : `is not one of ${languages.join(', ')}`

const nameProblem = (text: string) =>
  /^[A-Za-z_]\w*$/.test(text) ? undefined : 'is not a name that all three languages take for a function'

/** A task for one function, without its id and title. */
type Template = Omit<TaskFolder, 'spec'> & { spec: Omit<TaskFolder['spec'], 'id' | 'title'> }

/** Returns an example that proves as it is: the function counts the words of a text. Its author changes every part of it. */
function templateOf(language: 'javascript' | 'typescript' | 'python', name: string): Template {
  return language === 'python' ? pythonTemplate(name) : nodeTemplate(language, name)
}

const instructionOf = (
  call: string,
  example: string,
) => `Write the function \`${call}\`. It returns the number of words of a text. Words are separated by spaces, tabs or line ends, of which there may
be several, also before the first word and after the last. An empty text has 0 words.

Example: \`${example}\`
`

function nodeTemplate(language: 'javascript' | 'typescript', name: string): Template {
  const [ending, text, count] =
    language === 'typescript' ? ['ts', 'text: string', ': number'] : ['mjs', 'text', '']
  const path = `src/solution.${ending}`
  const head = `export function ${name}(${text})${count} {\n`
  const tests = (lines: readonly string[]) =>
    [
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      `import { ${name} } from '../src/solution.${ending}'`,
      '',
      ...lines,
      '',
    ].join('\n')
  return {
    spec: {
      ...{ output: 'function', language, entryPoint: name, editable: [path], requires: ['node'] },
      checks: { runner: 'node-test', expectTests: 1 },
      graders: [{ kind: 'tests', runner: 'node-test', expectTests: 3 }],
    },
    instruction: instructionOf(`${name}(text)`, `${name}('two words')\` returns \`2`),
    files: { [path]: `${head}  throw new Error('not written yet')\n}\n` },
    checks: { 'example.test.mjs': tests([`test('two words', () => assert.equal(${name}('two words'), 2))`]) },
    tests: {
      'words.test.mjs': tests([
        `test('an empty text', () => assert.equal(${name}(''), 0))`,
        `test('one word', () => assert.equal(${name}('word'), 1))`,
        `test('white space of all kinds', () => assert.equal(${name}(' a  b\\t\\nc '), 3))`,
      ]),
    },
    solution: { [path]: `${head}  return text.split(/\\s+/).filter((word) => word !== '').length\n}\n` },
    mutants: { [`counts-spaces/${path}`]: `${head}  return text.split(' ').length\n}\n` },
  }
}

function pythonTemplate(name: string): Template {
  const head = `def ${name}(text):\n`
  return {
    spec: {
      ...{ output: 'function', language: 'python', entryPoint: name, editable: ['solution.py'] },
      checks: { runner: 'python-doctest', expectTests: 1 },
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }],
      requires: ['python3'],
    },
    instruction: instructionOf(`${name}(text)`, `${name}("two words")\` returns \`2`),
    files: { 'solution.py': `${head}    raise NotImplementedError\n` },
    checks: { 'examples.txt': `The example of the instruction.\n\n>>> ${name}("two words")\n2\n` },
    tests: {
      'check.py': [
        'def check(candidate):',
        '    assert candidate("") == 0',
        '    assert candidate("word") == 1',
        '    assert candidate(" a  b\\t\\nc ") == 3',
        '',
      ].join('\n'),
    },
    solution: { 'solution.py': `${head}    return len(text.split())\n` },
    mutants: { 'counts-spaces/solution.py': `${head}    return len(text.split(" "))\n` },
  }
}
