import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadTaskFolder } from '../../src/suites/native.ts'
import { formatProblem } from '../../src/text/errors.ts'
import { needs } from '../helpers/house/needs.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { answer, code, codeYaml, type Texts, writeTexts, yaml } from './native-texts.ts'

const write = (folder: string, texts: Texts) => writeTexts(tempFolder(), folder, texts)
const problemsOf = (texts: Texts, folder = 'suite/sum') => {
  const path = write(folder, texts)
  return loadTaskFolder(path).problems.map((problem) => formatProblem(problem).replaceAll(`${path}/`, ''))
}

describe('a broken task', () => {
  it('is reported with file, line, field and remedy, all problems together', () => {
    const broken = `id: other
version: one
titel: A task
output: functions
editable: sum.mjs
graders:
  - kind: test
  - kind: numeric
    tolerance: -1
    tolerence: 2
rule: most
properties:
  difficulty: 2
  tool: []
`
    expect(problemsOf({ ...code, 'task.yaml': broken })).toMatchSnapshot()
  })

  it('with tests of unittest must say that they run in one process', () => {
    const yaml = String(code['task.yaml']).replaceAll('runner: node-test', 'runner: unittest')
    expect(problemsOf({ ...code, 'task.yaml': yaml })).toContainEqual(
      expect.stringMatching(
        /grading\] is missing, but a grader with `runner: unittest` runs in the process of the solution/,
      ),
    )
    expect(problemsOf({ ...code, 'task.yaml': `${yaml}grading: one-process\n` })).toEqual([])
  })

  it('with a word of its own for two processes is not sent to one process', () => {
    const yaml = `${code['task.yaml']}grading: two-process\n`
    expect(problemsOf({ ...code, 'task.yaml': yaml })).toEqual([
      expect.stringMatching(
        /grading] "two-process" is not allowed\. Leave it out: then tests and solution have a process each\./,
      ),
    ])
  })

  it('with invalid YAML is reported', () => {
    const problems = problemsOf({ ...code, 'task.yaml': 'id: sum\nversion: [1\ntitle: "x\n' })
    expect(problems[0]).toMatch(/^\[task\.yaml:\d] is not valid YAML: /)
    expect(problemsOf({ ...code, 'task.yaml': 'id: a\nid: b\n' })).toMatchSnapshot()
    expect(problemsOf({ ...code, 'task.yaml': '[]' })[0]).toBe('[task.yaml:1] must be an object, got [].')
  })

  it.each([
    [
      'its id',
      { 'task.yaml': codeYaml('total') },
      '[task.yaml:1 id] is total, but the folder is sum. Write id: sum.',
    ],
    [
      'no entry point',
      { 'task.yaml': codeYaml().replace('entryPoint: add\n', '') },
      '[task.yaml:1 entryPoint] is missing. Name the function that the task asks for.',
    ],
    [
      'an entry point that its solution does not define',
      { 'task.yaml': codeYaml().replace('entryPoint: add', 'entryPoint: sum') },
      '[task.yaml:9 entryPoint] names sum, which solution/sum.mjs does not define. Write the name that the solution defines, or define this name in the solution.',
    ],
    [
      'Python declared as another language',
      {
        'task.yaml': codeYaml().replace('[sum.mjs]', '[sum.py]'),
        'files/sum.py': '',
        'solution/sum.py': 'def add(a, b): return a + b',
      },
      '[task.yaml:8 language] is javascript, but the function is in sum.py. Write `language: python`. It decides how a reply is put into the file.',
    ],
    [
      'an editable file that does not exist',
      { 'task.yaml': codeYaml().replace('[sum.mjs]', '[sum.mjs, b.mjs]') },
      '[task.yaml:10 editable] must be the one file of the function. Name one file in files/.',
    ],
    [
      'nothing to edit',
      { 'task.yaml': codeYaml().replace('[sum.mjs]', '[]').replace('function', 'files') },
      '[task.yaml:10 editable] allows no change. List the paths that the method may write.',
    ],
    [
      'a Python package without a name',
      { 'task.yaml': `${codeYaml()}requires: [python3, 'python:']\n` },
      '[task.yaml:16 requires.1] must be a program, such as python3, or a Python package, such as `python:numpy`.',
    ],
    [
      'a package with a version',
      { 'task.yaml': `${codeYaml()}requires: ['python:numpy>=2']\n` },
      '[task.yaml:16 requires.0] must be a program, such as python3, or a Python package, such as `python:numpy`.',
    ],
    [
      'a package of another language',
      { 'task.yaml': `${codeYaml()}requires: ['node:left-pad']\n` },
      '[task.yaml:16 requires.0] must be a program, such as python3, or a Python package, such as `python:numpy`.',
    ],
    [
      'a named test that does not exist',
      { 'task.yaml': `${codeYaml()}    files: [other.mjs]\n` },
      '[task.yaml:16 graders.0.files.0] there is no tests/other.mjs. Name a file in tests/, without the folder name.',
    ],
    [
      'checks that nothing runs',
      { 'task.yaml': codeYaml().replace(/checks:.*\n/, '') },
      '[task.yaml:1 checks] is missing, but there are files in checks/. Write `checks: { runner: node-test }`.',
    ],
    [
      'a command that nothing uses',
      { 'task.yaml': `${codeYaml()}    command: [make]\n` },
      '[task.yaml:16 graders.0.command] is not used by node-test. Remove it, or write `runner: command`.',
    ],
    [
      'a solution outside the editable paths',
      { 'solution/b.mjs': '' },
      '[task.yaml:10 editable] does not allow the change of solution/b.mjs. Add the path to editable, or remove the file.',
    ],
    ['a misspelled folder', { 'test/a.mjs': '' }, '[test] is not part of a task. Did you mean tests?'],
    [
      'an unknown file',
      { Makefile: '' },
      '[Makefile] is not part of a task. A task folder contains task.yaml, instruction.md, files, checks, tests, solution, mutants.',
    ],
    ['an empty instruction', { 'instruction.md': ' \n' }, '[instruction.md] is empty. Fill it.'],
    [
      'a binary file',
      { 'files/a.bin': Buffer.from([1, 0, 2]) },
      '[files/a.bin] is not UTF-8 text. Encode it as text, or add a file that creates it; tasks contain only texts.',
    ],
    [
      'a file in another encoding',
      { 'tests/a.txt': Buffer.from([0xe4, 0x62]) },
      '[tests/a.txt] is not UTF-8 text. Encode it as text, or add a file that creates it; tasks contain only texts.',
    ],
  ] as [string, Texts, string][])('is reported: %s', (_, texts, problem) => {
    expect(problemsOf({ ...code, ...texts })).toContain(problem)
  })

  it('gets one problem for an empty task.yaml, not one for each missing field', () => {
    expect(problemsOf({ ...code, 'task.yaml': '\n' })).toEqual(['[task.yaml] is empty. Fill it.'])
  })

  it.each([
    ['a b', 'a-b'],
    ['-dash', 'dash'],
  ])('gets a valid name for the folder %j', (folder, valid) => {
    expect(problemsOf({ ...code, 'task.yaml': codeYaml(folder) }, `suite/${folder}`)).toContain(
      `[task.yaml:1 id] must consist of letters, digits, dots, dashes and underscores. Rename the folder to ${valid} and write id: ${valid}.`,
    )
  })

  it.each([
    'module.exports.add = function add(a, b) { return a + b }',
    'const g = (a, b) => a + b\nexport { g as add }',
    'exports.add = (a, b) => a + b',
  ])('may define its function in any way: %s', (solution) => {
    expect(problemsOf({ ...code, 'solution/sum.mjs': solution })).toEqual([])
  })

  it('without test files is reported', () => {
    const { 'tests/sum.test.mjs': _, 'tests/data/a.json': __, ...rest } = code
    expect(problemsOf(rest)).toMatchSnapshot()
  })

  it('with missing files is reported', () => {
    const { 'instruction.md': _, 'task.yaml': __, ...rest } = code
    expect(problemsOf(rest)).toMatchSnapshot()
  })

  it('with invalid expressions and two graders of one name is reported', () => {
    const graders =
      "output: answer\ngraders:\n  - { kind: pattern, require: ['('] }\n  - { kind: exact, extract: ['*'] }\n"
    expect(problemsOf({ ...answer, 'task.yaml': yaml('riddle', graders) }, 'suite/riddle')).toEqual([
      expect.stringMatching(
        /^\[task\.yaml:9 graders\.0\.require\.0] is not a regular expression: .* Write a JavaScript/,
      ),
      '[task.yaml:10 graders.1.name] repeats the name answer. Give each grader its own name.',
      expect.stringMatching(/^\[task\.yaml:10 graders\.1\.extract\.0] is not a regular expression: /),
    ])
  })

  it('with an answer outside the options, or with files for an answer, is reported', () => {
    const graders = 'output: answer\ngraders:\n  - { kind: choice, answer: Z, options: [x, y] }\n'
    expect(
      problemsOf({ ...answer, 'task.yaml': yaml('riddle', graders), 'solution/a.mjs': '' }, 'suite/riddle'),
    ).toEqual([
      '[task.yaml:9 graders.0.answer] is not one of the options. Write an option or its letter.',
      expect.stringContaining(
        'does not allow the change of solution/a.mjs. Put the answer into solution/answer.txt.',
      ),
    ])
  })

  it.each([
    ['NaN', 'holds no number'],
    ['more than 7', 'holds no plain number: "7" stands beside "than"'],
    ['5\n6', 'names two numbers: 5, 6'],
    ['0x10', 'holds no plain number: "0" stands beside "x10"'],
    ['1e400', 'holds no plain number: "1e400" is no finite number'],
  ])('with an answer that is not a single number is reported: %j %s', (text, problem) => {
    const graders = 'output: answer\ngraders:\n  - { kind: numeric }\n'
    const texts = { 'task.yaml': yaml('riddle', graders), 'solution/answer.txt': `${text}\n` }
    expect(problemsOf({ ...answer, ...texts }, 'suite/riddle')).toEqual([
      `[solution/answer.txt] is not a single number, which the grader answer needs: ${JSON.stringify(text)} ${problem}. Write one number, such as 0.5, 3/4 or 1,000.5.`,
    ])
  })

  it.each(['1/2', '\\frac{1}{2}', '1,000.5', '3 million', '45%', 'forty-two'])(
    'with a number in another form is a task: %j',
    (text) => {
      const graders = 'output: answer\ngraders:\n  - { kind: numeric }\n'
      const texts = { 'task.yaml': yaml('riddle', graders), 'solution/answer.txt': `${text}\n` }
      expect(problemsOf({ ...answer, ...texts }, 'suite/riddle')).toEqual([])
    },
  )

  it.each(['45%', '3/4', '"3/4"', '1,250', '0.5', '84', '-3', 'three quarters', '1.250,5'])(
    'with a number in another form in task.yaml is a task: %s',
    (text) => {
      const graders = `output: answer\ngraders:\n  - kind: numeric\n    answer: ${text}\n`
      expect(problemsOf({ ...answer, 'task.yaml': yaml('riddle', graders) }, 'suite/riddle')).toEqual([])
    },
  )

  it('with a text in task.yaml that is no number is reported with its line', () => {
    const graders = 'output: answer\ngraders:\n  - kind: numeric\n    answer: 3 or 4\n'
    expect(problemsOf({ ...answer, 'task.yaml': yaml('riddle', graders) }, 'suite/riddle')).toEqual([
      expect.stringMatching(
        /^\[task\.yaml:\d+ graders\.0\.answer\] is not a single number, which the grader answer needs: "3 or 4"/,
      ),
    ])
  })

  it.each([
    ['0,125', 0.125],
    ['-2,75 €', -2.75],
    ['1000,5', 1000.5],
  ])(
    'with a decimal comma in its answer is reported, since the comma may part two numbers: %j',
    (text, value) => {
      const graders = 'output: answer\ngraders:\n  - { kind: numeric }\n'
      const texts = { 'task.yaml': yaml('riddle', graders), 'solution/answer.txt': `${text}\n` }
      const problem = `has a comma that may be a decimal comma or part two numbers, so it is in doubt: "${text}". Write ${value}.`
      expect(problemsOf({ ...answer, ...texts }, 'suite/riddle')).toEqual([
        `[solution/answer.txt] ${problem}`,
      ])
    },
  )

  it('with an option that is the letter of another is reported', () => {
    const graders = 'output: answer\ngraders:\n  - { kind: choice, answer: x, options: [b, x, C] }\n'
    const texts = { 'task.yaml': yaml('riddle', graders) }
    expect(problemsOf({ ...answer, ...texts }, 'suite/riddle')).toMatchSnapshot()
  })

  it('with answers that cannot be compared, or a repeated option, is reported', () => {
    const graders = `output: answer
graders:
  - { kind: choice, options: [Yes, no, ' Yes'] }
  - { kind: exact, name: own, answer: ' ' }
  - { kind: exact, name: reference }
`
    const texts = { 'task.yaml': yaml('riddle', graders), 'solution/answer.txt': 'maybe' }
    const [twice, own] = [
      '[task.yaml:9 graders.0.options.2] repeats option 1: "Yes". List each option once; only one can be right.',
      '[task.yaml:10 graders.1.answer] is empty, so the exact grader own has nothing to compare with. Write the answer.',
    ]
    expect(problemsOf({ ...answer, ...texts }, 'suite/riddle')).toEqual([
      twice,
      '[solution/answer.txt] is not one of the options. Write an option or its letter.',
      own,
    ])
    expect(problemsOf({ ...answer, ...texts, 'solution/answer.txt': '\n' }, 'suite/riddle')).toEqual([
      twice,
      '[solution/answer.txt] is empty, so the choice grader answer has nothing to compare with. Write the answer.',
      own,
      '[solution/answer.txt] is empty, so the exact grader reference has nothing to compare with. Write the answer.',
    ])
  })

  needs('a system with symbolic links').it('with a symbolic link is reported', () => {
    const path = write('suite/sum', code)
    symlinkSync('/etc/hostname', join(path, 'files/link'))
    expect(loadTaskFolder(path).problems.map(formatProblem)).toEqual([
      `[${path}/files/link] is a symbolic link. Replace it with a copy of the file; tasks contain only texts.`,
    ])
  })
})
