import { type PythonFacts, pythonFacts } from './python-facts.ts'
import { withoutUsage } from './without-usage.ts'

/**
 * Returns a whole Python file: the task's file, then the whole function or module of a reply, or the body that continues it. The
 * file's open function stays valid, since its docstring is a body.
 */
export function completePython(prompt: string, name: string, code: string, read: PythonFacts): string {
  const whole = dedent(code)
  const facts = whole === code ? read : pythonFacts(whole)
  const method = facts.functions.has(name) ? undefined : facts.methods.get(name)
  const isModule = !facts.isBody && (facts.functions.size > 0 || facts.defines.has(name))
  if (!facts.functions.has(name) && method === undefined && !isModule)
    return `${prompt.trimEnd()}\n${indentBody(code, bodyIndent(prompt))}\n`
  const used = withoutUsage(whole, name, facts.statements)
  // The imports of `__future__` must be a file's first statements.
  const future = (used.match(futureImport) ?? []).map((line) => `${line}\n`).join('')
  const rest = future === '' ? used : used.replace(futureImport, '').replace(/^\n+/, '')
  const bound = method === undefined ? '' : `\n\n\n${name} = ${method.owner}().${name}`
  return `${future}${closeStub(prompt)}\n\n\n${rest}${bound}\n`
}

const futureImport =
  /^from[ \t]+__future__[ \t]+import[ \t]+[^\n(]+$|^from[ \t]+__future__[ \t]+import[ \t]*\([^)]{0,500}\)[^\n]*$/gm

const indentOf = (line: string) => line.length - line.trimStart().length

const leastIndent = (lines: readonly string[]) =>
  lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))),
    Number.POSITIVE_INFINITY,
  )

/** Takes off the indentation that all lines of a code share. */
function dedent(code: string): string {
  const lines = code.split('\n')
  const least = leastIndent(lines)
  return least > 0 ? lines.map((line) => line.slice(least)).join('\n') : code
}

/** Gives the prompt's last function a body, if it has none. */
function closeStub(prompt: string): string {
  const head = prompt.trimEnd()
  const last = head.split('\n').at(-1) ?? ''
  return /:[ \t]*(?:#.*)?$/.test(last) ? `${head}\n${' '.repeat(indentOf(last) + 4)}pass` : head
}

/** Returns the indentation of the prompt's last line, which is inside the open function. */
const bodyIndent = (prompt: string) =>
  /^[ \t]+/.exec(prompt.trimEnd().split('\n').at(-1) ?? '')?.[0] ?? '    '

/** Returns a body at the given indentation. */
function indentBody(code: string, indent: string): string {
  const lines = code.split('\n')
  const [first = '', ...others] = lines
  const depth = indentOf(first)
  // The indentation is right already; functions may follow at depth 0.
  if (depth === indent.length) return code
  const moved = (cut: (line: string) => number) =>
    lines.map((line) => (line.trim() === '' ? '' : indent + line.slice(cut(line)))).join('\n')
  if (depth > 0) return moved((line) => Math.min(depth, indentOf(line)))
  // Trimming a reply removes the first line's indentation. The other lines then have the body's depth or more, and lines
  // of a block that the first line opens have even more.
  const least = leastIndent(others)
  const next = others.find((line) => line.trim() !== '')
  const opensBlock = /:\s*(?:#.*)?$/.test(first)
  const isTrimmed = next !== undefined && least > 0 && (!opensBlock || indentOf(next) > indent.length)
  return isTrimmed ? indent + code : moved(() => 0)
}
