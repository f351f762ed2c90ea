import { nodeAt, type SyntaxNode } from '../../base/syntax-tree.ts'
import type { Task } from '../../schema/task.ts'
import { escapeRegExp } from '../../text/escape-reg-exp.ts'
import { type PythonFacts, pythonFacts } from './python/python-facts.ts'
import { withoutUsage } from './python/without-usage.ts'
import { factsOf, type ReadCode, trimCode } from './read-code.ts'
import { type ScriptFacts, scriptFacts } from './script-facts.ts'

/**
 * Returns the whole file of an `output: function` task from a reply's code. The code may be the whole function or module, as chat
 * models write it, a class around it, or only the body that continues the task's file, as completion models do.
 */
export function completeFunction({ spec, files }: Task, code: string, read?: ReadCode['facts']): string {
  const prompt = files[spec.editable[0] ?? ''] ?? ''
  const trimmed = trimCode(code)
  if (trimmed === '') return prompt
  const name = spec.entryPoint ?? ''
  const facts = read ?? factsOf(spec.language)(trimmed)
  return 'exports' in facts
    ? completeScript(prompt, name, trimmed, facts)
    : completePython(prompt, name, trimmed, facts)
}

/**
 * Returns a whole Python file: the task's file, then the whole function or module of a reply, or the body that continues it. The
 * file's open function stays valid, since its docstring is a body.
 */
function completePython(prompt: string, name: string, code: string, read: PythonFacts): string {
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

/** Completes JavaScript and TypeScript: a whole function or module replaces the stub, a body fills it. */
function completeScript(prompt: string, name: string, code: string, facts: ScriptFacts): string {
  const stub = scriptFacts(prompt)
  const at = declaration(name).exec(prompt)
  const method = facts.functions.has(name) ? undefined : facts.methods.get(name)
  if (!facts.functions.has(name) && method === undefined)
    return at ? fillBody(prompt, at.index, code) : `${prompt.trimEnd()}\n${code}\n`
  const head = headOf(prompt, at?.index ?? 0, facts)
  const bound = method === undefined ? '' : `\n\n${bindMethod(name, method)}`
  const kept = `${withoutScriptUsage(code, name, facts)}${bound}`
  return `${head}${stub.exports.size > 0 ? asModule(kept, name, facts, stub) : asScript(kept, name, prompt, facts)}\n`
}

/** Returns the code before the stub (imports, helpers, constants), unless the reply repeats it. */
function headOf(prompt: string, stubAt: number, facts: ScriptFacts): string {
  const before = prompt
    .slice(0, stubAt)
    .replace(/(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*|(?:^\/\/.*\n)+)$/m, '')
    .trim()
  const repeated = [...scriptFacts(before).defines].some((known) => facts.defines.has(known))
  return before === '' || repeated ? '' : `${before}\n\n`
}

const bindMethod = (name: string, { owner, isInstance }: { owner: string; isInstance: boolean }) =>
  `const ${name} = (...values) => ${isInstance ? `new ${owner}()` : owner}.${name}(...values)`

/** Returns the code as a module that exports the function as the stub does. CommonJS code finds what it expects. */
function asModule(code: string, name: string, facts: ScriptFacts, stub: ScriptFacts): string {
  const before: string[] = []
  if (/(?<![\w$.])require\s*\(/.test(code) && !facts.defines.has('require'))
    before.push(
      "import { createRequire } from 'node:module'\n\nconst require = createRequire(import.meta.url)",
    )
  const isCommon = /(?<![\w$.])(?:module\s*\.\s*exports|exports\s*\.)/.test(code)
  if (isCommon) before.push('const module = { exports: {} }\nconst exports = module.exports')
  const text = [...before, code].join('\n')
  const wanted = stub.exports.has('default') ? 'default' : name
  if (facts.exports.has(wanted)) return text
  const isBound =
    !isCommon ||
    new RegExp(`(?:function\\s*\\*?|class|const|let|var)\\s+${escapeRegExp(name)}(?![\\w$])`).test(code)
  const value = `module.exports.${name} ?? module.exports`
  if (wanted === 'default') return `${text}\n\nexport default ${isBound ? name : value}`
  return `${text}\n\n${isBound ? `export { ${name} }` : `export const ${name} = ${value}`}`
}

/** Returns the code as a script; what the stub hands out by CommonJS is handed out. */
function asScript(code: string, name: string, prompt: string, facts: ScriptFacts): string {
  if (!/module\.exports/.test(prompt)) return code
  const plain =
    facts.exports.size === 0
      ? code
      : code
          .replace(
            /^export[ \t]+(?:default[ \t]+)?(?=(?:async[ \t]+)?function\b|class\b|const\b|let\b|var\b)/gm,
            '',
          )
          .replace(/^export[ \t]+(?:default[ \t]+[\w$]+|\{[^{}]*\})[ \t]*;?[ \t]*$/gm, '')
          .trimEnd()
  if (/module\.exports|(?<![\w$.])exports\./.test(plain)) return plain
  const isList = /module\.exports\s*=\s*\{/.test(prompt)
  return `${plain}\n\nmodule.exports = ${isList ? `{ ${name} }` : name}`
}

const declaration = (name: string) =>
  new RegExp(
    `^(?:export\\s+(?:default\\s+)?)?(?:(?:async\\s+)?function\\s*\\*?\\s*|(?:const|let|var)\\s+)${escapeRegExp(name)}\\b`,
    'm',
  )

/** Returns code without the example calls and prints at its end, which would run when the tests import the file. */
function withoutScriptUsage(code: string, name: string, { statements, isParsed }: ScriptFacts): string {
  if (!isParsed) return code
  const uses = new RegExp(
    `^(?:console\\.|assert\\b|(?:await\\s+)?main\\(|process\\.(?:stdin|exit)|if\\s*\\(require\\.main)|(?<![\\w$.])(?:prompt|alert|${escapeRegExp(name)})\\s*\\(`,
  )
  let cut: SyntaxNode | undefined
  for (const statement of statements.toReversed()) {
    if (!isUsage(statement)) break
    if (uses.test(code.slice(statement.start as number, statement.end as number))) cut = statement
  }
  return cut === undefined ? code : code.slice(0, cut.start as number).trimEnd()
}

function isUsage(statement: SyntaxNode): boolean {
  if (statement.type === 'ExpressionStatement')
    return nodeAt(statement, 'expression')?.type !== 'AssignmentExpression'
  return /^(?:If|For|ForOf|ForIn|While|Try|Block)Statement$/.test(statement.type)
}

/** Puts a body into the stub: between its braces, or after a brace that the prompt leaves open. */
function fillBody(prompt: string, from: number, body: string): string {
  const open = bodyBrace(prompt, from)
  if (open === undefined) return `${prompt.trimEnd()}\n${body}\n`
  const close = matchingBrace(prompt, open)
  if (close !== undefined) return `${prompt.slice(0, open + 1)}\n${body}\n${prompt.slice(close)}`
  const closesItself = matchingBrace(`{${body}`, 0) !== undefined
  return `${prompt.trimEnd()}\n${body}${closesItself ? '' : '\n}'}\n`
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
  let depth = 0
  for (const { 0: found, index } of text.slice(open).matchAll(token)) {
    if (found === '{') depth++
    if (found === '}' && --depth === 0) return open + index
  }
  return undefined
}
