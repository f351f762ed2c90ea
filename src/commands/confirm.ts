import { createInterface } from 'node:readline/promises'

/** Asks the person at the terminal a question that is answered by y or n; anything else, Ctrl-C included, means no. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
