import type { ToolResult } from '../tool-result.ts'
import type { CallEnd } from './protocol/session.ts'
import { cutText, resultText } from './result-text.ts'

/** How a call of a server's tool ended. */
export type Called =
  | Exclude<CallEnd, { kind: 'timeout' | 'closed' }>
  /** The server was lost during the call. */
  | { kind: 'timeout' | 'closed'; why: string; mayCallAgain: boolean }
  /** The server was lost before, so the call was not made. */
  | { kind: 'lost'; why: string }
  | { kind: 'unknown' }

/** What the texts of a call name. */
interface CallText {
  /** The name by which the model called the tool. */
  name: string
  maxBytes: number
}

/** JSON-RPC's error code of arguments that a method does not take. */
const invalidParams = -32602

/** Returns what the model gets of a call: its result, or an error that it can act on. */
export function callResult(
  called: Called,
  { name, maxBytes }: CallText,
): Pick<ToolResult, 'outcome' | 'text'> {
  switch (called.kind) {
    case 'answer':
      return { outcome: called.result.isError ? 'failed' : 'ok', text: resultText(called.result) }
    case 'refused': {
      const said = cutText(called.message)
      return called.code === invalidParams
        ? { outcome: 'invalid', text: `The server refused the arguments of ${name}: ${said}` }
        : { outcome: 'failed', text: `The server refused the call of ${name}: ${said}` }
    }
    case 'no-answer':
      return { outcome: 'broken', text: `The server answered ${name} with something that is no tool result.` }
    case 'too-large': {
      const text = `The answer of ${name} has more than ${maxBytes} bytes, the most that is taken. Ask for less at once.`
      return { outcome: 'too-large', text }
    }
    case 'timeout':
    case 'closed': {
      const next = called.mayCallAgain
        ? 'It is started again for your next call.'
        : 'Its tools cannot be called any more. Go on without them.'
      const outcome = called.kind === 'timeout' ? 'timeout' : 'broken'
      return { outcome, text: `During the call of ${name} the server ${called.why}. ${next}` }
    }
    case 'lost': {
      const text = `${name} cannot be called: its server ${called.why}. Go on without it.`
      return { outcome: 'broken', text }
    }
    case 'unknown':
      return { outcome: 'denied', text: `${name} is no tool that may be called here.` }
  }
}
