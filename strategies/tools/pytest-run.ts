import type { TestFailure } from '../../src/schema/stage/tool-reports.ts'
import type { JunitCase, JunitProblem, SuiteRun } from './junit-xml.ts'
import { failureMessage, plainMessage, relativePath } from './output-text.ts'
import { plainText } from './steady-text.ts'

/** Reads the cases of pytest, whose class name is the module, and the class where there is one. */
export function pytestRun(cases: readonly JunitCase[], _output: string, workspace: string): SuiteRun {
  const failures: TestFailure[] = []
  const known = new Map<string, { failure: TestFailure; hasError: boolean }>()
  for (const one of cases) {
    if (one.problems.length === 0) continue
    const failure = failureOf(one, workspace)
    const hasError = one.problems.some(({ kind }) => kind === 'error')
    const key = `${failure.file}\n${one.className}\n${one.name}`
    const before = known.get(key)
    // A test that fails and whose cleaning up fails as well stands there twice.
    if (before && hasError && !before.hasError) {
      before.failure.error = failureMessage(`${before.failure.error}\n${failure.error}`)
      before.hasError = true
      continue
    }
    known.set(key, { failure, hasError })
    failures.push(failure)
  }
  const good = cases.filter(({ problems }) => problems.length === 0)
  const skipped = good.filter(({ isSkipped }) => isSkipped).length
  return { failures, total: failures.length + good.length, skipped, passed: good.length - skipped }
}

function failureOf(one: JunitCase, workspace: string): TestFailure {
  const texts = one.problems.map(({ text }) => plainText(text)).join('\n')
  const file = relativePath(one.file ?? fileIn(texts, one.className), workspace)
  const line = lineIn(texts, file, workspace) ?? (one.line === undefined ? undefined : one.line + 1)
  return {
    test_name: plainMessage([...classesOf(one, file), one.name].join('::')),
    file,
    ...(line !== undefined && { line }),
    error: failureMessage(one.problems.map(messageOf).join('\n')),
  }
}

function classesOf({ className }: JunitCase, file: string): string[] {
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  const parts = className === module || className === '' ? [] : className.split('.')
  if (className.startsWith(`${module}.`)) return className.slice(module.length + 1).split('.')
  return parts.slice(-1)[0] === module.split('.').at(-1) ? [] : parts
}

/** The usual form of the XML names no file: it is the last place in the text that a module of the class name has, else that name. */
function fileIn(text: string, className: string): string {
  const places = [...text.matchAll(place)].map(([, file = '']) => file)
  const isModule = (file: string) =>
    `${className}.`.startsWith(`${file.replace(/\.py$/, '').replaceAll('/', '.')}.`)
  return places.findLast(isModule) ?? className
}

const place = /^(\S.*?\.py):(\d+): /gm

function lineIn(text: string, file: string, workspace: string): number | undefined {
  const inFile = [...`${text} `.matchAll(place)].filter(
    ([, path = '']) => relativePath(path, workspace) === file,
  )
  const last = inFile.at(-1)
  return last === undefined ? syntaxLine(text, file) : Number(last[2])
}

/** A syntax error names its place in another way. */
function syntaxLine(text: string, file: string): number | undefined {
  const found = [...text.matchAll(/^E +File "(.+)", line (\d+)$/gm)].findLast(([, path = '']) =>
    path.endsWith(file),
  )
  return found && Number(found[2])
}

/** The message that a collection has says nothing; the lines marked with E say what happened. */
function messageOf({ message, text }: JunitProblem): string {
  if (message !== 'collection failure' && message.trim() !== '') return message
  const marked = plainText(text).match(/^E .*$/gm) ?? []
  return marked.length > 0 ? marked.map((line) => line.slice(1).trim()).join('\n') : text
}
