import { z } from 'zod'
import type { TraceEvent } from '../../strategy.ts'
import { parseObject } from '../journal/jsonl.ts'

/** The event with which the trace of a trial begins again: the keys of its events before it may follow once more. */
export const rerunEvent: TraceEvent = { type: 'rerun' }

/** Its key; no event of a method has it. */
export const rerunKey = '!rerun'

const RerunLine = z.object({ type: z.literal('rerun'), trial: z.string(), key: z.literal(rerunKey) })

/** Returns the trial whose trace begins again with a line of events.jsonl; undefined for any other line. */
export function rerunTrial(text: string, place: Parameters<typeof parseObject>[1]): string | undefined {
  if (!text.includes(`"${rerunKey}"`)) return undefined
  return RerunLine.safeParse(parseObject(text, place)).data?.trial
}
