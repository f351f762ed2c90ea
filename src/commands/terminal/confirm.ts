import { createInterface } from 'node:readline/promises'

/** Asks a yes-or-no question at the terminal. Every answer but `y` or `yes` means no, also Ctrl-C. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
