import { escapeForTerminal } from '../../reports/words/safe-text.ts'

// The two controls of a live line: clear it, and move to its start.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters may pass
const liveLineControl = /^\u001b\[\d?[KG]$/

/**
 * Makes control characters and direction marks visible in all text that this process prints. Text of a suite, a model or a
 * file may hold sequences that write the clipboard, recolour or hide text. Bytes, such as a PDF, pass unchanged.
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
