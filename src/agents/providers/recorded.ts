import { type AgentErrorReason, InfrastructureError, UserError } from '../../text/errors.ts'
import type { Agent, AgentReply, RecordedReplies } from '../agent.ts'
import { loadPriceBook } from '../price-book.ts'
import type { AgentEnvironment, Provider } from '../provider.ts'

/** Replies of real models that were recorded earlier. */
export const recorded: Provider = {
  name: 'recorded',
  reaches: 'replies',
  summary: 'Gives recorded replies of a model to the same tasks again: no key, no cost; grading is real.',
  model: 'FILES',
  create: createRecorded,
}

/**
 * Creates an agent that gives recorded replies again. They are read before a run, or with the first ask; a replay needs no file.
 * Its cost is that of the recorded tokens at the user's prices, else unknown.
 */
function createRecorded(files: string, { readRecorded, prices }: AgentEnvironment): Agent {
  const name = `recorded:${files}`
  let reading: Promise<RecordedReplies> | undefined
  const replies = () => {
    if (!readRecorded) throw new InfrastructureError(`[agent ${name}] has nothing to read its files with`)
    reading ??= readRecorded(files)
    return reading
  }
  return {
    name,
    paid: false,
    simulated: false,
    virtualTime: true,
    recorded: replies,
    async missing() {
      try {
        await replies()
        return []
      } catch (error) {
        if (error instanceof UserError) return error.problems
        throw error
      }
    },
    async ask({ trial: { task }, sample }, signal) {
      signal.throwIfAborted()
      // The loop refuses such an ask before; only a caller without the loop gets here.
      if (sample === undefined) return failed('request', 'there are recorded replies to the task alone')
      const { facts, find } = await replies()
      const found = find(task, sample)
      if (!found) return failed('missing', `there is no recorded reply to ${task}, sample ${sample}`)
      const tokens = { cached: null, ...found.tokens }
      const book = await loadPriceBook(prices)
      return {
        text: found.reply,
        tokens,
        ...book.bill({ agent: name, model: facts.model }, tokens),
        durationMs: 0,
        ...(found.finish && { finish: found.finish }),
      }
    },
  }
}

/** Returns the reply of an ask that was not made: it costs nothing. */
const failed = (reason: AgentErrorReason, message: string): AgentReply => ({
  text: '',
  tokens: { input: 0, output: 0, cached: 0 },
  costUsd: 0,
  durationMs: 0,
  error: { reason, message },
})
