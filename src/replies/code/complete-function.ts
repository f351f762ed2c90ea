import type { Task } from '../../schema/task.ts'

/**
 * Returns the whole file of an `output: function` task from a reply's code. The code may be the whole function, as chat
 * models write it, or only the body that continues the task's file, as completion models do.
 */
export function completeFunction(task: Task, code: string): string {
  const path = task.spec.editable[0]
  const prompt = (path === undefined ? undefined : task.files[path]) ?? ''
  const name = task.spec.entryPoint ?? ''
  const trimmed = code
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (trimmed === '') return prompt
  return task.spec.language === 'python'
    ? completePython(prompt, name, trimmed)
    : completeScript(prompt, name, trimmed)
}

/** Appends a whole function or the body to the prompt. The prompt's open function stays valid, since its docstring is a body. */
function completePython(prompt: string, name: string, code: string): string {
  if (pythonDefinition(name).test(code)) return `${prompt.trimEnd()}\n\n\n${code}\n`
  return `${prompt.trimEnd()}\n${indentBody(code, bodyIndent(prompt))}\n`
}

const pythonDefinition = (name: string) =>
  new RegExp(
    `^(?:(?:async\\s+)?def\\s+${quoted(name)}\\s*[[(]|class\\s+${quoted(name)}\\b|${quoted(name)}\\s*(?::[^=\\n]+)?=)`,
    'm',
  )

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
  const least = others.length === 0 ? 0 : Math.min(...others)
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

/** Completes JavaScript and TypeScript: a whole function replaces the stub, a body fills it. */
function completeScript(prompt: string, name: string, code: string): string {
  const declared = declaration(name)
  const at = declared.exec(prompt)
  if (!declared.test(code)) return at ? fillBody(prompt, at.index, code) : `${prompt.trimEnd()}\n${code}\n`
  const before = prompt
    .slice(0, at?.index ?? 0)
    .replace(/(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*|(?:^\/\/.*\n)+)$/m, '')
    .trim()
  // Code before the stub (imports, helpers, constants) is kept, unless the reply repeats it.
  const repeated = declaredNames(before).some((known) => declaredNames(code).includes(known))
  const head = before === '' || repeated ? '' : `${before}\n\n`
  return `${head}${code}${exportOf(prompt, code, name)}\n`
}

const declaration = (name: string) =>
  new RegExp(
    `^(?:export\\s+(?:default\\s+)?)?(?:(?:async\\s+)?function\\s*\\*?\\s*|(?:const|let|var)\\s+)${quoted(name)}\\b`,
    'm',
  )

function declaredNames(code: string): string[] {
  const declared = [
    ...code.matchAll(/^(?:export\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var)\s+([\w$]+)/gm),
  ]
  const imported = [...code.matchAll(/^import\s+([^'"]+?)\s+from\b/gm)].flatMap(
    ([, names]) => (names as string).match(/[\w$]+/g) ?? [],
  )
  return [
    ...declared.map(([, name]) => name as string),
    ...imported.filter((name) => !['as', 'type'].includes(name)),
  ]
}

/** Returns the export that the tests need, if the stub has one and the reply lacks it. */
function exportOf(prompt: string, code: string, name: string): string {
  const own = quoted(name)
  if (new RegExp(`\\bexport\\b[^\\n]*\\b${own}\\b|module\\.exports|exports\\.${own}`).test(code)) return ''
  if (/module\.exports\s*=\s*\{/.test(prompt)) return `\n\nmodule.exports = { ${name} }`
  if (/module\.exports\s*=/.test(prompt)) return `\n\nmodule.exports = ${name}`
  if (/^export\s+default\b/m.test(prompt)) return `\n\nexport default ${name}`
  return /^export\b/m.test(prompt) ? `\n\nexport { ${name} }` : ''
}

/** Puts a body into the stub: between its braces, or after a brace that the prompt leaves open. */
function fillBody(prompt: string, from: number, body: string): string {
  const open = bodyBrace(prompt, from)
  if (open === undefined) return `${prompt.trimEnd()}\n${body}\n`
  const close = matchingBrace(prompt, open)
  const closesItself = matchingBrace(`{${body}`, 0) !== undefined
  if (close === undefined) return `${prompt.trimEnd()}\n${body}${closesItself ? '' : '\n}'}\n`
  return `${prompt.slice(0, open + 1)}\n${body}\n${prompt.slice(close)}`
}

/** Returns the index of the brace that opens a function's body, after its parameters, whose types may contain braces. */
function bodyBrace(text: string, from: number): number | undefined {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if ('(['.includes(text[i] as string)) depth++
    if (')]'.includes(text[i] as string)) depth--
    if (depth === 0 && text[i] === '{' && /[\w\]>)}]\s*$/.test(text.slice(from, i))) return i
  }
  return undefined
}

/** Returns the index of the brace that closes the one at `open`. Skips strings and comments. */
function matchingBrace(text: string, open: number): number | undefined {
  const token = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[{}]/g
  token.lastIndex = open
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth++
    if (match[0] === '}' && --depth === 0) return match.index
  }
  return undefined
}

const quoted = (text: string) => text.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&')
