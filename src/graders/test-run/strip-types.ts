/** JavaScript with every position of the TypeScript source kept, or why its types cannot be stripped. */
export type Stripped = { code: string } | { error: string }

/** Replaces types by white space. Enums, namespaces and parameter properties are refused: they are not only types. */
export async function stripTypes(source: string, path: string): Promise<Stripped> {
  // Loaded on first use: few runs have TypeScript.
  const { transformSync } = await import('@swc/wasm-typescript')
  try {
    return { code: transformSync(source, { mode: 'strip-only', module: true, filename: path }).code }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

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
