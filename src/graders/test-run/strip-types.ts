import { posix } from 'node:path'

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

/**
 * Gives a module that was compiled from TypeScript the names of CommonJS, as Jest, Vitest and tsx do. They are in its first line, so no
 * line has another number.
 */
export function withCommonJsNames(code: string): string {
  const uses = (name: string) => new RegExp(`(?<![\\w.$])${name}(?![\\w$:])`).test(code)
  const isDeclared = (name: string) =>
    new RegExp(
      `(?:const|let|var|function)\\s+${name}\\b|import\\b[^;'"]*\\b${name}\\b|\\{[^{}=]*\\b${name}\\b[^{}=]*\\}\\s*=`,
    ).test(code)
  const names = Object.entries({
    require: "process.getBuiltinModule('node:module').createRequire(import.meta.url)",
    __dirname: 'import.meta.dirname',
    __filename: 'import.meta.filename',
  }).filter(([name]) => uses(name) && !isDeclared(name))
  if (names.length === 0 || !/^\s*(?:import|export)\b/m.test(code)) return code
  return `const ${names.map(([name, value]) => `${name} = ${value}`).join(', ')}; ${code}`
}
