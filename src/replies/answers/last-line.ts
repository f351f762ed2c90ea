import type { FinalAnswer } from './announced-answer.ts'
import { isBareMarks, stripMarkup } from './markup.ts'

/** Returns the last line of a reply that holds more than marks. */
export function lastLine(reply: string): FinalAnswer | undefined {
  const lines = reply.split('\n')
  for (let at = lines.length - 1; at >= 0; at--) {
    const text = isBareMarks(lines[at] as string) ? '' : stripMarkup(lines[at] as string)
    if (text !== '') return { text, found: 'the last line' }
  }
  return undefined
}
