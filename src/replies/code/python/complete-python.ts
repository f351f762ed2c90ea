import { pythonFacts } from './python-facts.ts'
import { withoutUsage } from './without-usage.ts'

/**
 * Returns a whole Python file: the task's file, then the whole function or module of a reply, or the body that continues it. The
 * file's open function stays valid, since its docstring is a body.
 */
export function completePython(prompt: string, name: string, code: string): string {
  const whole = dedent(code)
  const facts = pythonFacts(whole)
  const method = facts.functions.has(name) ? undefined : facts.methods.get(name)
  const isModule = !facts.isBody && (facts.functions.size > 0 || facts.defines.has(name))
  if (!facts.functions.has(name) && method === undefined && !isModule)
    return `${prompt.trimEnd()}\n${indentBody(code, bodyIndent(prompt))}\n`
  const { future, rest } = divideFuture(withoutUsage(whole, name))
  const bound = method === undefined ? '' : `\n\n\n${name} = ${method.owner}().${name}`
  return `${future}${closeStub(prompt)}\n\n\n${rest}${bound}\n`
}

/** Takes off the indentation that all lines of a code share. */
function dedent(code: string): string {
  const lines = code.split('\n')
  const depths = lines.filter((line) => line.trim() !== '').map(indentOf)
  const least = depths.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return least > 0 ? lines.map((line) => line.slice(least)).join('\n') : code
}

const futureImport =
  /^from[ \t]+__future__[ \t]+import[ \t]+[^\n(]+$|^from[ \t]+__future__[ \t]+import[ \t]*\([^)]{0,500}\)[^\n]*$/gm

/** Divides off the imports of `__future__`, which must be a file's first statements. */
function divideFuture(code: string): { future: string; rest: string } {
  const found = code.match(futureImport) ?? []
  if (found.length === 0) return { future: '', rest: code }
  return { future: `${found.join('\n')}\n`, rest: code.replace(futureImport, '').replace(/^\n+/, '') }
}

/** Gives the prompt's last function a body, if it has none. */
function closeStub(prompt: string): string {
  const head = prompt.trimEnd()
  return /:[ \t]*(?:#.*)?$/.test(head.split('\n').at(-1) ?? '')
    ? `${head}\n${bodyIndent(`${head}\n    .`)}pass`
    : head
}

/** Returns the indentation of the prompt's last line, which is inside the open function. */
function bodyIndent(prompt: string): string {
  const last = prompt.trimEnd().split('\n').at(-1) ?? ''
  return /^[ \t]+/.exec(last)?.[0] ?? '    '
}

/** Returns a body at the given indentation. */
function indentBody(code: string, indent: string): string {
  const lines = code.split('\n')
  const first = indentOf(lines[0] as string)
  const others = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map(indentOf)
  const least = others.reduce((a, b) => Math.min(a, b), others.length === 0 ? 0 : Number.POSITIVE_INFINITY)
  // The indentation is right already; functions may follow at depth 0.
  if (first === indent.length) return code
  if (first > 0)
    return lines
      .map((line) => (line.trim() === '' ? '' : indent + line.slice(Math.min(first, indentOf(line)))))
      .join('\n')
  // Trimming a reply removes the first line's indentation. The other lines then have the body's depth or more, and lines
  // of a block that the first line opens have even more.
  const opensBlock = /:\s*(?:#.*)?$/.test(lines[0] as string)
  const trimmed = least > 0 && (!opensBlock || (others[0] as number) > indent.length)
  if (trimmed) return indent + code
  return lines.map((line) => (line.trim() === '' ? '' : indent + line)).join('\n')
}

const indentOf = (line: string) => line.length - line.trimStart().length
