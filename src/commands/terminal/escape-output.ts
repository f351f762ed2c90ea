import { escapeForTerminal } from '../../reports/words/safe-text.ts'

// What a live line on a terminal is made of: clear it, go to its beginning.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is let through
const liveLineControl = /^\u001b\[\d?[KG]$/

/**
 * Makes control characters and marks of direction visible in all that this process prints as text, whichever command prints it: a suite,
 * a model or a file may hold sequences that write the clipboard, recolour or hide text. Bytes (a PDF) pass as they are.
 */
export function escapeOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(
        typeof chunk !== 'string' || liveLineControl.test(chunk) ? chunk : escapeForTerminal(chunk),
        ...rest,
      )) as NodeJS.WriteStream['write']
  }
}
