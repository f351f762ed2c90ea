import { withoutThoughts } from '../../replies/thoughts.ts'
import type { Finish } from '../../schema/ledger/finish.ts'
import type { StreamedReply } from './call-model.ts'

/** Returns why a reply ended; undefined if it broke off, ended by an error, or for a reason that has no name here. */
export function finishOf({ text, parts, beside, finish, wire }: StreamedReply): Finish | undefined {
  if (finish === 'refusal' || (wire.refusal !== '' && text.trim() === '')) return 'refusal'
  if (finish === undefined || finish === 'error' || wire.failed) return undefined
  if (finish === 'length') return 'length'
  if (finish === 'tool-call' || parts.some(({ type }) => type === 'call')) return 'tool-call'
  const isThought =
    beside !== undefined || text.trim() !== '' || parts.some(({ type }) => type === 'reasoning')
  if (isThought && withoutThoughts(text).trim() === '') return 'thoughts'
  return finish === 'stop' ? 'stop' : undefined
}
