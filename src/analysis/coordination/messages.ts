import { withoutFence } from '../../replies/scan-fences.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { isFirstTurn } from '../../schema/ledger/turn-key.ts'

interface Received {
  /** Share of the passages of the prompt, by characters, that other agents wrote; 0 to 1. */
  shareOfOthers: number
  /** One message for each earlier reply of another agent in the prompt. `kept`: the share of its characters there. */
  messages: { from: number; kept: number }[]
}

/**
 * Finds the messages between agents by their content. A passage of a prompt belongs to the first reply that held it, unless an
 * earlier prompt held it, as with the words of the task. An agent is a role in a branch; its own text is not a message to
 * it. `asks` are in the order of the clock; `messages[].from` is an index into them.
 */
export function findMessages(asks: readonly AskStep[]): Received[] {
  /** Index of the ask whose reply introduced a passage; undefined: a prompt did. */
  const origin = new Map<string, number | undefined>()
  const replies: Set<string>[] = []
  return asks.map((ask, index) => {
    const received = receivedBy(ask, asks, origin, replies)
    const reply = findPassages(ask.reply ?? '')
    replies.push(reply)
    for (const passage of reply) if (!origin.has(passage)) origin.set(passage, index)
    return received
  })
}

function receivedBy(
  ask: AskStep,
  asks: readonly AskStep[],
  origin: Map<string, number | undefined>,
  replies: readonly Set<string>[],
): Received {
  const seen = new Map<number, number>()
  let all = 0
  let foreign = 0
  for (const passage of findPassages(`${ask.system ?? ''}\n${ask.prompt}`)) {
    all += passage.length
    if (!origin.has(passage)) origin.set(passage, undefined)
    const from = origin.get(passage)
    const author = from === undefined ? undefined : asks[from]
    if (from === undefined || !author || isSame(author, ask)) continue
    foreign += passage.length
    seen.set(from, (seen.get(from) ?? 0) + passage.length)
  }
  return {
    shareOfOthers: all === 0 ? 0 : foreign / all,
    // All turns of an ask with tools have its prompt: it is received once.
    messages: (isFirstTurn(ask.key) ? [...seen] : []).map(([from, length]) => ({
      from,
      kept: length / lengthOf(replies[from]),
    })),
  }
}

const isSame = (a: AskStep, b: AskStep) => a.role === b.role && branchOf(a) === branchOf(b)

/** Returns the path of the branch that asked. */
export const branchOf = ({ key }: AskStep): string => key.slice(0, key.lastIndexOf('#'))

function lengthOf(passages: ReadonlySet<string> = new Set()): number {
  let length = 0
  for (const passage of passages) length += passage.length
  return length
}

/** Shortest line, in characters, that identifies its source: shorter lines recur by chance. */
const shortest = 20

/**
 * Finds the lines by which a text is recognised in other texts, each once: without indent, list marker or heading mark, and
 * long enough not to recur by chance. For a JSON reply these are the lines of its strings, because strategies pass on the
 * strings, not the braces.
 */
function findPassages(text: string): Set<string> {
  const passages = new Set<string>()
  const data = dataOf(text)
  if (data === undefined) addLines(text, passages)
  else addTexts(data, passages)
  return passages
}

function addLines(text: string, passages: Set<string>): void {
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^[\s>#*+-]*(?:\d+[.)]\s+)?/, '').trimEnd()
    if (line.length >= shortest) passages.add(line)
  }
}

function addTexts(value: unknown, passages: Set<string>): void {
  if (typeof value === 'string') addLines(value, passages)
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) addTexts(item, passages)
}

function dataOf(text: string): object | undefined {
  const inner = withoutFence(text, ['json', ''])
  if (!/^\s*[[{]/.test(inner)) return undefined
  try {
    const data: unknown = JSON.parse(inner)
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}
