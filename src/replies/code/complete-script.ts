import { nodeAt, type SyntaxNode } from '../../base/syntax-tree.ts'
import { escapeRegExp } from '../../text/escape-reg-exp.ts'
import { type ScriptFacts, scriptFacts } from './script-facts.ts'

/** Completes JavaScript and TypeScript: a whole function or module replaces the stub, a body fills it. */
export function completeScript(prompt: string, name: string, code: string, facts: ScriptFacts): string {
  const stub = scriptFacts(prompt)
  const at = declaration(name).exec(prompt)
  const method = facts.functions.has(name) ? undefined : facts.methods.get(name)
  if (!facts.functions.has(name) && method === undefined)
    return at ? fillBody(prompt, at.index, code) : `${prompt.trimEnd()}\n${code}\n`
  const head = headOf(prompt, at?.index ?? 0, facts)
  const bound = method === undefined ? '' : `\n\n${bindMethod(name, method)}`
  const kept = `${withoutUsage(code, name, facts)}${bound}`
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
function withoutUsage(code: string, name: string, { statements, isParsed }: ScriptFacts): string {
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
