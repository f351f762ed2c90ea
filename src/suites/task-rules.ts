import picomatch from 'picomatch'
import type { CheckSpec, Files, GraderSpec, TaskSpec } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import type { YamlFile } from '../yaml/read-yaml.ts'

/** The texts beside a task's `task.yaml`. */
interface TaskTexts {
  files: Files
  checks: Files
  tests: Files
  solution: Files
}

/** What a specification and its files must have in common. */
export function checkTask({ data: spec, where }: YamlFile<TaskSpec>, texts: TaskTexts): Problem[] {
  const problems: Problem[] = []
  const say = (path: PropertyKey[], what: string, fix: string) =>
    problems.push({ where: where(...path), what, fix })

  if (spec.output !== 'answer' && spec.editable.length === 0) {
    say(['editable'], 'lets nothing change', 'Name the paths that the method may write.')
  }
  if (spec.output === 'function') {
    const [path, ...others] = spec.editable
    if (!spec.entryPoint) say(['entryPoint'], 'is missing', 'Name the function that is wanted.')
    if (path !== undefined && (others.length > 0 || texts.files[path] === undefined)) {
      say(['editable'], 'must be the one file of the function', 'Name one file that stands in files/.')
    }
    const solution = path === undefined ? undefined : texts.solution[path]
    if (spec.entryPoint && solution !== undefined && !mentions(solution, spec.entryPoint))
      say(
        ['entryPoint'],
        `names ${spec.entryPoint}, which solution/${path} does not define`,
        'Write the name of the function as the solution defines it, or define it there by that name.',
      )
    if (path?.endsWith('.py') && spec.language !== 'python')
      say(
        ['language'],
        `is ${spec.language}, though the function stands in ${path}`,
        'Write `language: python`: replies are completed by the rules of their language.',
      )
  }
  const usesTests = spec.graders.some(({ kind }) => kind === 'tests')
  if (!usesTests && Object.keys(texts.tests).length > 0) {
    say(['graders'], 'use no file in tests/', 'Add a grader of kind tests, or remove the folder.')
  }
  if (!spec.checks && Object.keys(texts.checks).length > 0) {
    say(['checks'], 'is missing, though there are files in checks/', 'Write `checks: { runner: node-test }`.')
  }
  if (spec.checks) checkRunner(spec.checks, ['checks'], 'checks', texts.checks, say)
  const names = new Set<string>()
  spec.graders.forEach((grader, index) => {
    const path = ['graders', index]
    if (names.has(grader.name))
      say([...path, 'name'], `is ${grader.name} a second time`, 'Give each grader its own name.')
    names.add(grader.name)
    checkGrader(grader, path, spec.entryPoint, texts, say)
  })
  problems.push(...checkSolution({ data: spec, where }, texts))
  return problems
}

/** How a language defines a function is its own: what matters is that the name stands there. */
const mentions = (code: string, name: string) => code.split(/[^\p{L}\p{N}_$]+/u).includes(name)

type Say = (path: PropertyKey[], what: string, fix: string) => void

function checkGrader(
  grader: GraderSpec,
  path: PropertyKey[],
  entryPoint: string | undefined,
  texts: TaskTexts,
  say: Say,
) {
  if (grader.kind === 'tests') {
    checkRunner(grader, path, 'tests', texts.tests, say)
    if (grader.runner === 'python-check' && !entryPoint)
      say(['entryPoint'], 'is missing', 'Name the function to check.')
  }
  const sources: Record<string, readonly string[]> =
    grader.kind === 'pattern'
      ? { require: grader.require, forbid: grader.forbid }
      : { extract: ('extract' in grader && grader.extract) || [] }
  const flags = grader.kind === 'pattern' ? grader.flags : 'gim'
  for (const [field, all] of Object.entries(sources)) {
    all.forEach((source, index) => {
      const fault = regexFault(source, flags)
      if (fault) say([...path, field, index], fault, 'Write a JavaScript regular expression.')
    })
  }
}

function checkRunner(
  spec: CheckSpec | Extract<GraderSpec, { kind: 'tests' }>,
  path: PropertyKey[],
  folder: 'tests' | 'checks',
  texts: Files,
  say: Say,
) {
  if (spec.runner === 'command') {
    if (!spec.command)
      say([...path, 'command'], 'is missing', 'Write the program and its arguments as a list.')
  } else {
    if (spec.command)
      say([...path, 'command'], `is not used by ${spec.runner}`, 'Remove it, or write `runner: command`.')
    if (Object.keys(texts).length === 0) {
      say(
        [...path, 'runner'],
        `${spec.runner} finds no file in ${folder}/`,
        `Put the test files into ${folder}/.`,
      )
    }
  }
  for (const [index, file] of (spec.files ?? []).entries()) {
    if (texts[file] === undefined) {
      say(
        [...path, 'files', index],
        `there is no ${folder}/${file}`,
        `Name a file in ${folder}/, without that folder.`,
      )
    }
  }
}

function checkSolution({ data: spec, where }: YamlFile<TaskSpec>, { solution }: TaskTexts): Problem[] {
  const mayChange = spec.editable.length > 0 ? picomatch([...spec.editable], { dot: true }) : () => false
  return Object.keys(solution)
    .filter((path) => !(spec.output === 'answer' ? path === 'answer.txt' : mayChange(path)))
    .map((path) => ({
      where: where('editable'),
      what: `does not let solution/${path} change`,
      fix:
        spec.output === 'answer'
          ? 'An answer stands in solution/answer.txt.'
          : 'Add it to editable, or remove it.',
    }))
}

function regexFault(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags)
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, 'is no regular expression: ')
  }
}
