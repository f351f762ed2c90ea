import { createRequire } from 'node:module'

/** JavaScript in the place of TypeScript, every position kept; or why the text is not TypeScript that can be stripped. */
export type Stripped = { code: string } | { error: string }

// Loaded at first use: parsing its WebAssembly costs some 50 ms, which no run without TypeScript should pay.
let stripper: typeof import('@swc/wasm-typescript') | undefined

/** Replaces types by white space. Enums, namespaces and parameter properties are refused: they are no mere types. */
export function stripTypes(source: string, path: string): Stripped {
  stripper ??= createRequire(import.meta.url)('@swc/wasm-typescript') as typeof import('@swc/wasm-typescript')
  try {
    return { code: stripper.transformSync(source, { mode: 'strip-only', module: true, filename: path }).code }
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
