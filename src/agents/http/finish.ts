import { withoutThoughts } from '../../replies/thoughts.ts'
import type { Finish } from '../../schema/ledger/finish.ts'
import type { StreamedReply } from './call-model.ts'

/** Returns why a reply ended; undefined if it broke off, or ended by an error. */
export function finishOf({ text, parts, beside, finish, wire }: StreamedReply): Finish | undefined {
  if (finish === 'content-filter' || (wire.refusal !== '' && text.trim() === '')) return 'refusal'
  if (finish === undefined || finish === 'error' || wire.failed) return undefined
  if (finish === 'length') return 'length'
  if (finish === 'tool-calls' || parts.some(({ type }) => type === 'call')) return 'tool-call'
  const isThought =
    beside !== undefined || text.trim() !== '' || parts.some(({ type }) => type === 'reasoning')
  return isThought && withoutThoughts(text).trim() === '' ? 'thoughts' : 'stop'
}
