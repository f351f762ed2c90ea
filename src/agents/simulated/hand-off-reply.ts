import type { Random } from '../../base/random.ts'
import { type HandOff, joinReply, requestItem } from '../../formats/hand-off.ts'
import { documentName, type Element, element } from '../../formats/tree.ts'
import { textOfSize } from '../../text/token-estimate.ts'
import type { Verdict } from './verdict.ts'

/** The content of a simulated agent's hand-off. */
export interface HandOffContent {
  /** One line per item, reused in order if there are more items. */
  lines: readonly string[]
  /** The verdict of a judge. */
  verdict: Verdict | undefined
  /** The work of a producing role. */
  work: string | undefined
  /** Share of hand-offs that are cut off. */
  malformed: number
  /** Number of tokens that the text stands for if no work follows. */
  tokens: number
  /** The kind of text that these tokens stand for. */
  of: string
  random: Random
}

/** Writes a hand-off with the requested items in the requested format. At the given rate it is cut off, as by real models. */
export async function handOffReply(asked: HandOff, content: HandOffContent): Promise<string> {
  // Most runs have no hand-off and need no writer of formats.
  const { write } = await import('../../formats/convert.ts')
  const { lines, verdict, work, malformed, tokens, of, random } = content
  const items = asked.items.map((name, i) =>
    item(name, wordsFor(name, i, lines, verdict) + (i === 0 ? textPlace : '')),
  )
  if (asked.mayAsk && verdict && !verdict.approved) items.push(item(requestItem, verdict.findings.join('; ')))
  const whole = write(element(documentName, items), asked.format)
  const isCut = random() < malformed
  const text = isCut ? whole.slice(0, Math.ceil(whole.length * (0.3 + 0.5 * random()))) : whole
  const [before = '', after = ''] = text.split(textPlace)
  return work === undefined ? textOfSize(before, after, tokens, of) : joinReply(before + after, work)
}

const textPlace = '\uE000'

const item = (name: string, text: string): Element =>
  element(name, text === '' ? [] : [{ kind: 'text', text }])

function wordsFor(name: string, i: number, lines: readonly string[], verdict: Verdict | undefined): string {
  if (!verdict) return lines[i % lines.length] ?? ''
  if (/approv|status|verdict/i.test(name)) return verdict.approved ? 'approved' : 'changes are needed'
  return verdict.findings[i] ?? 'Nothing is missing.'
}
