/** JavaScript in the place of TypeScript, every position kept; or why the text is not TypeScript that can be stripped. */
export type Stripped = { code: string } | { error: string }

/** Replaces types by white space. Enums, namespaces and parameter properties are refused: they are no mere types. */
export async function stripTypes(source: string, path: string): Promise<Stripped> {
  // Not every run has TypeScript, and its WebAssembly takes 50 ms to load.
  const { transformSync } = await import('@swc/wasm-typescript')
  try {
    return { code: transformSync(source, { mode: 'strip-only', module: true, filename: path }).code }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** The stripper throws plain objects. */
function messageOf(error: unknown): string {
  const { message, startLine, startColumn } = error as {
    message?: string
    startLine?: number
    startColumn?: number
  }
  const place = startLine === undefined ? '' : ` (line ${startLine}, column ${(startColumn ?? 0) + 1})`
  return `${message ?? String(error)}${place}`
}

/** Whether a path holds TypeScript that runs (declarations do not). */
export const isTypeScript = (path: string) =>
  /\.m?ts$/.test(path) && !path.endsWith('.d.ts') && !path.endsWith('.d.mts')
