import type { OtherModel } from '../../schema/ledger/record.ts'
import { counted } from './numbers.ts'

/** Returns `3 calls of openai:gpt-5 were answered by gpt-5-mini, which was not asked for`. */
export function otherModelText({ agent, model, calls }: OtherModel): string {
  return `${counted(calls, 'call')} of ${agent} ${calls === 1 ? 'was' : 'were'} answered by ${model}, which was not asked for`
}
