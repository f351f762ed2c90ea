import type { Random } from '../../base/random.ts'
import { type HandOff, joinReply, requestItem } from '../../formats/hand-off.ts'
import { documentName, type Element, element } from '../../formats/tree.ts'
import { textOfSize } from '../../text/token-estimate.ts'
import type { Verdict } from './verdict.ts'

/** What a simulated agent has to say in a hand-off. */
export interface Said {
  /** A line for each item, over again when there are more items. */
  lines: readonly string[]
  /** Of a judge. */
  verdict: Verdict | undefined
  /** The work itself, of a producing role. */
  work: string | undefined
  /** Share of hand-offs that break off in the middle. */
  malformed: number
  /** Tokens that the text stands for where no work follows, and of what. */
  tokens: number
  of: string
  random: Random
}

/** A reply that hands on what was asked for, in the format that was asked for; now and then it breaks off, as models' do. */
export async function handOffReply(asked: HandOff, said: Said): Promise<string> {
  // Most runs have no hand-off, and need no parser.
  const { write } = await import('../../formats/convert.ts')
  const { lines, verdict, work, malformed, tokens, of, random } = said
  const items = asked.items.map((name, i) =>
    item(name, wordsFor(name, i, lines, verdict) + (i === 0 ? slot : '')),
  )
  if (asked.mayAsk && verdict && !verdict.approved) items.push(item(requestItem, verdict.findings.join('; ')))
  const whole = write(element(documentName, items), asked.format)
  const isCut = random() < malformed
  const text = isCut ? whole.slice(0, Math.ceil(whole.length * (0.3 + 0.5 * random()))) : whole
  const [before = '', after = ''] = text.split(slot)
  return work === undefined ? textOfSize(before, after, tokens, of) : joinReply(before + after, work)
}

const slot = '\uE000'

const item = (name: string, text: string): Element =>
  element(name, text === '' ? [] : [{ kind: 'text', text }])

function wordsFor(name: string, i: number, lines: readonly string[], verdict: Verdict | undefined): string {
  if (!verdict) return lines[i % lines.length] ?? ''
  if (/approv|status|verdict/i.test(name)) return verdict.approved ? 'approved' : 'changes are needed'
  return verdict.findings[i] ?? 'Nothing is missing.'
}
