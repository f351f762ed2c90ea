import { posix } from 'node:path'
import { declaredNames, nameOf, nodeAt, nodesAt, parseSource } from '../../base/syntax-tree.ts'

/** JavaScript, or why its types cannot be stripped. */
type Stripped = { code: string } | { error: string }

/**
 * `stripped`: replaces types by white space, as Node does, and refuses what is not only types: enums, namespaces, parameter
 * properties. `compiled`: compiles these, and drops imports that only types use, as TypeScript, Jest, Vitest and tsx do; the code has
 * a source map.
 */
export type TypeScriptMode = 'stripped' | 'compiled'

/** Makes JavaScript of TypeScript, without checking its types. */
export async function stripTypes(source: string, path: string, mode: TypeScriptMode): Promise<Stripped> {
  // Loaded on first use: few runs have TypeScript.
  const { transformSync } = await import('@swc/wasm-typescript')
  const options = { module: true, filename: path }
  try {
    if (mode === 'stripped') return { code: transformSync(source, { ...options, mode: 'strip-only' }).code }
    const { code, map = '{}' } = transformSync(source, { ...options, mode: 'transform', sourceMap: true })
    // Sources of a map are found from the place of the file.
    const placed = JSON.stringify({ ...JSON.parse(map), sources: [posix.basename(path)] })
    const url = `data:application/json;base64,${Buffer.from(placed).toString('base64')}`
    return { code: `${code}\n//# sourceMappingURL=${url}\n` }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  const { message, startLine, startColumn } = error as {
    message?: string
    startLine?: number
    startColumn?: number
  }
  const place = startLine === undefined ? '' : ` (line ${startLine}, column ${(startColumn ?? 0) + 1})`
  return `${message ?? String(error)}${place}`
}

/** Whether a path is a TypeScript module without JSX; declaration files are none. */
export const isTypeScript = (path: string) => /\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path)

/** Whether a path needs the loader that knows TypeScript and refuses JSX. */
export const needsLoader = (path: string) => isTypeScript(path) || /\.[jt]sx$/.test(path)

const commonJsNames = {
  require: "process.getBuiltinModule('node:module').createRequire(import.meta.url)",
  __dirname: 'import.meta.dirname',
  __filename: 'import.meta.filename',
} as const

/**
 * Gives a module, which is JavaScript now, the names of CommonJS that it does not declare, as Jest, Vitest and tsx do. They are in its
 * first line, so no line has another number.
 */
export function withCommonJsNames(code: string, path: string): string {
  const used = Object.entries(commonJsNames).filter(([name]) => code.includes(name))
  if (used.length === 0 || /\.c[jt]s$/.test(path)) return code
  const parsed = parseSource(code, 'a.js')
  // Node runs what was TypeScript as a module, whatever it imports.
  if ('error' in parsed || !(parsed.isModule || /\.m?ts$|\.mjs$/.test(path))) return code
  const declared = parsed.statements.flatMap((one) =>
    one.type === 'ImportDeclaration'
      ? nodesAt(one, 'specifiers').flatMap((specifier) => nameOf(nodeAt(specifier, 'local')) ?? [])
      : declaredNames(one),
  )
  const missing = used.filter(([name]) => !declared.includes(name))
  if (missing.length === 0) return code
  // `var` may be declared once more, in any block.
  return `var ${missing.map(([name, value]) => `${name} = ${value}`).join(', ')}; ${code}`
}
