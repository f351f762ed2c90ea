/** JavaScript with every position of the TypeScript source kept, or why its types cannot be stripped. */
type Stripped = { code: string } | { error: string }

/**
 * Replaces types by white space. Enums, namespaces and parameter properties are not only types: they are refused, or compiled; then
 * the code has a source map.
 */
export async function stripTypes(
  source: string,
  path: string,
  enums: 'refused' | 'compiled' = 'refused',
): Promise<Stripped> {
  // Loaded on first use: few runs have TypeScript.
  const { transformSync } = await import('@swc/wasm-typescript')
  const options = { module: true, filename: path }
  try {
    return { code: transformSync(source, { ...options, mode: 'strip-only' }).code }
  } catch (error) {
    if (enums === 'refused' || !isUnsupported(error)) return { error: messageOf(error) }
  }
  try {
    const { code, map = '' } = transformSync(source, { ...options, mode: 'transform', sourceMap: true })
    const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`
    return { code: `${code}\n//# sourceMappingURL=${url}\n` }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

const isUnsupported = (error: unknown) => (error as { code?: string }).code === 'UnsupportedSyntax'

/** Formats an error of the stripper, which throws plain objects. */
function messageOf(error: unknown): string {
  const { message, startLine, startColumn } = error as {
    message?: string
    startLine?: number
    startColumn?: number
  }
  const place = startLine === undefined ? '' : ` (line ${startLine}, column ${(startColumn ?? 0) + 1})`
  return `${message ?? String(error)}${place}`
}

/** Whether a path is a TypeScript module; declaration files are not. */
export const isTypeScript = (path: string) =>
  /\.m?ts$/.test(path) && !path.endsWith('.d.ts') && !path.endsWith('.d.mts')
