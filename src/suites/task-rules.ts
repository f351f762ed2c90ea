import { type GraderSpec, readsReply } from '../schema/grader-spec.ts'
import { type CheckSpec, type Files, type TaskSpec, wantsText } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import type { YamlFile } from '../yaml/read-fields.ts'
import { editableIn } from './editable.ts'

interface TaskTexts {
  files: Files
  checks: Files
  tests: Files
  solution: Files
  /** Wrong solutions by name. */
  mutants?: Readonly<Record<string, Files>>
}

/** Checks that a specification and its files fit together. */
export function checkTask({ data: spec, where }: YamlFile<TaskSpec>, texts: TaskTexts): Problem[] {
  const problems: Problem[] = []
  const report = (path: PropertyKey[], what: string, fix: string) =>
    problems.push({ where: where(...path), what, fix })

  if (spec.output !== 'answer' && spec.editable.length === 0) {
    report(['editable'], 'allows no change', 'List the paths that the method may write.')
  }
  if (spec.output === 'function') {
    const [path, ...others] = spec.editable
    if (!spec.entryPoint) report(['entryPoint'], 'is missing', 'Name the function that the task asks for.')
    if (path !== undefined && (others.length > 0 || texts.files[path] === undefined)) {
      report(['editable'], 'must be the one file of the function', 'Name one file in files/.')
    }
    const solution = path === undefined ? undefined : texts.solution[path]
    if (spec.entryPoint && solution !== undefined && !mentions(solution, spec.entryPoint))
      report(
        ['entryPoint'],
        `names ${spec.entryPoint}, which solution/${path} does not define`,
        'Write the name that the solution defines, or define this name in the solution.',
      )
    if (path?.endsWith('.py') && spec.language !== 'python')
      report(
        ['language'],
        `is ${spec.language}, but the function is in ${path}`,
        'Write `language: python`. It decides how a reply is put into the file.',
      )
  }
  const whole = spec.graders.find(readsReply)
  if (wantsText(spec) && spec.graders.some((grader) => !readsReply(grader) && grader.kind !== 'pattern'))
    report(
      ['graders'],
      `mix \`${whole?.kind}\`, which judges the whole reply, with a grader of its last line`,
      whole?.kind === 'module'
        ? 'Write `reads: last-line` for the module, or use only graders of the whole reply and `pattern`.'
        : `Use only \`${whole?.kind}\` and \`pattern\`, or none of kind ${whole?.kind}.`,
    )
  if (spec.output !== 'answer' && spec.graders.some(({ kind }) => kind === 'rules'))
    report(['output'], `is ${spec.output}, but \`rules\` grades a text`, 'Write `output: answer`.')
  const usesTests = spec.graders.some(({ kind }) => kind === 'tests' || kind === 'module')
  if (!usesTests && Object.keys(texts.tests).length > 0) {
    report(
      ['graders'],
      'do not use the files in tests/',
      'Add a grader of kind tests or module, or remove the folder.',
    )
  }
  if (spec.grading === 'one-process' && !spec.graders.some(canShareProcess))
    report(
      ['grading'],
      'is one-process, but no grader runs tests in a process of their own',
      'Remove it. It is for graders of kind tests whose runner is not `command`.',
    )
  if (!spec.checks && Object.keys(texts.checks).length > 0) {
    report(['checks'], 'is missing, but there are files in checks/', 'Write `checks: { runner: node-test }`.')
  }
  if (spec.grading === undefined && spec.graders.some(needsOneProcess))
    report(
      ['grading'],
      'is missing, but a grader with `runner: unittest` runs in the process of the solution',
      'Write `grading: one-process`. A solution can then fake its score.',
    )
  if (spec.checks) checkRunner(spec.checks, ['checks'], 'checks', texts, report)
  const names = new Set<string>()
  spec.graders.forEach((grader, index) => {
    const path = ['graders', index]
    if (names.has(grader.name))
      report([...path, 'name'], `repeats the name ${grader.name}`, 'Give each grader its own name.')
    names.add(grader.name)
    checkGrader(grader, path, spec.entryPoint, texts, report)
  })
  problems.push(...checkSubmission({ data: spec, where }, 'solution', texts.solution))
  for (const [name, files] of Object.entries(texts.mutants ?? {}))
    problems.push(...checkMutant({ data: spec, where }, `mutants/${name}`, files, texts))
  return problems
}

/** Python has no stand-ins for the classes that such tests use. */
const needsOneProcess = (grader: GraderSpec) => grader.kind === 'tests' && grader.runner === 'unittest'

/** A command always shares the process, and says so by its runner. */
const canShareProcess = (grader: GraderSpec) => grader.kind === 'tests' && grader.runner !== 'command'

/** Whether code contains a name as a word. How it is defined depends on the language and is not checked. */
const mentions = (code: string, name: string) => code.split(/[^\p{L}\p{N}_$]+/u).includes(name)

type Report = (path: PropertyKey[], what: string, fix: string) => void

function checkGrader(
  grader: GraderSpec,
  path: PropertyKey[],
  entryPoint: string | undefined,
  texts: TaskTexts,
  report: Report,
) {
  if (grader.kind === 'tests') {
    checkRunner(grader, path, 'tests', texts, report)
    if (grader.runner === 'python-check' && !entryPoint)
      report(['entryPoint'], 'is missing', 'Name the function to check.')
  }
  if (grader.kind === 'module' && texts.tests[grader.file] === undefined)
    report(
      [...path, 'file'],
      `there is no tests/${grader.file}`,
      'Name a file in tests/, without the folder name.',
    )
  if (grader.kind === 'rubric') checkRubric(grader, path, texts, report)
  if (grader.kind === 'rules' && grader.words.min > grader.words.max)
    report([...path, 'words'], 'has a min above its max', 'Write the smaller number as min.')
  const sources: Record<string, readonly string[]> =
    grader.kind === 'pattern'
      ? { require: grader.require, forbid: grader.forbid }
      : { extract: ('extract' in grader && grader.extract) || [] }
  const flags = grader.kind === 'pattern' ? grader.flags : 'gim'
  for (const [field, all] of Object.entries(sources)) {
    all.forEach((source, index) => {
      const problem = regexProblem(source, flags)
      if (problem) report([...path, field, index], problem, 'Write a JavaScript regular expression.')
    })
  }
}

function checkRubric(
  { criteria, scale, answer }: Extract<GraderSpec, { kind: 'rubric' }>,
  path: PropertyKey[],
  { solution }: TaskTexts,
  report: Report,
) {
  const names = criteria.map(({ name }) => name)
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      report(
        [...path, 'criteria', index, 'name'],
        `repeats the name ${name}`,
        'Give each criterion its own name.',
      )
  if (scale === 'compare' && answer === undefined && Object.keys(solution).length === 0)
    report(
      [...path, 'scale'],
      'is compare, but there is no reference to compare with',
      'Write `answer:` with a good answer, or put it into solution/.',
    )
}

function checkRunner(
  spec: CheckSpec | Extract<GraderSpec, { kind: 'tests' }>,
  path: PropertyKey[],
  folder: 'tests' | 'checks',
  all: TaskTexts,
  report: Report,
) {
  const texts = all[folder]
  // Beside the files of the workspace, a test may be one of them.
  const known = spec.testsIn === 'root' ? { ...all.files, ...all.solution, ...texts } : texts
  if (spec.runner === 'command') {
    if (!spec.command)
      report([...path, 'command'], 'is missing', 'Write the program and its arguments as a list.')
  } else {
    if (spec.command)
      report([...path, 'command'], `is not used by ${spec.runner}`, 'Remove it, or write `runner: command`.')
    if (Object.keys(texts).length === 0) {
      report(
        [...path, 'runner'],
        `${spec.runner} finds no file in ${folder}/`,
        `Put the test files into ${folder}/.`,
      )
    }
  }
  for (const [index, file] of (spec.files ?? []).entries()) {
    if (known[file] === undefined) {
      report(
        [...path, 'files', index],
        `there is no ${folder}/${file}`,
        `Name a file in ${folder}/, without the folder name.`,
      )
    }
  }
}

function checkMutant(
  file: YamlFile<TaskSpec>,
  folder: string,
  files: Files,
  { files: given, solution }: TaskTexts,
): Problem[] {
  const where = `${file.where()} ${folder}`
  if (Object.keys(files).length === 0)
    return [
      { where, what: 'holds no file', fix: 'Put the wrong files into it, or answer.txt, or remove it.' },
    ]
  const [wrong, right] = [
    { ...given, ...files },
    { ...given, ...solution },
  ]
  const paths = Object.keys({ ...wrong, ...right })
  if (paths.every((path) => wrong[path]?.trim() === right[path]?.trim()))
    return [{ where, what: 'is the reference solution', fix: 'Put a mistake into it, or remove it.' }]
  return checkSubmission(file, folder, files)
}

function checkSubmission({ data: spec, where }: YamlFile<TaskSpec>, folder: string, files: Files): Problem[] {
  const mayChange = editableIn(spec)
  return Object.keys(files)
    .filter((path) => !(spec.output === 'answer' ? path === 'answer.txt' : mayChange(path)))
    .map((path) => ({
      where: where('editable'),
      what: `does not allow the change of ${folder}/${path}`,
      fix:
        spec.output === 'answer'
          ? `Put the answer into ${folder}/answer.txt.`
          : 'Add the path to editable, or remove the file.',
    }))
}

function regexProblem(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags)
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, 'is not a regular expression: ')
  }
}
