import type { ToolTurn } from '../../../agents/agent.ts'
import { turnKey } from '../../../schema/ledger/turn-key.ts'
import { forkState } from '../../files/workspace.ts'
import type { Branch } from '../../state/branch.ts'
import type { TrialState } from '../../state/trial-state.ts'
import type { Attempt } from '../agent-request.ts'
import { type AnsweredAttempt, askWithRetries } from '../attempt.ts'
import { turnHash } from '../prompt.ts'
import type { AskTools } from './ask-tools.ts'
import { openCalls } from './calls.ts'
import { voidLostServers } from './lost-servers.ts'
import { mostRepeatedTurns } from './repeats.ts'

/**
 * Asks an agent that may call tools before it answers: one turn after the other, each with the results of the calls so far. Calls
 * change a draft of the branch's files, which the branch gets with the answer.
 */
export async function askInTurns(
  trialState: TrialState,
  branch: Branch,
  first: Attempt,
  tools: AskTools,
): Promise<AnsweredAttempt> {
  voidLostServers(trialState, branch, first.key, tools)
  const draft = forkState(branch.state)
  const calls = openCalls(trialState, branch, first, tools, draft)
  const turns: ToolTurn[] = []
  let repeated = 0
  try {
    for (let number = 1; ; number++) {
      const request = {
        definitions: tools.definitions,
        turns: [...turns],
        mustAnswer: number >= tools.turns || repeated >= mostRepeatedTurns,
      }
      const key = turnKey(first.key, number)
      const turn = { ask: first.key, number, draft, tools: request }
      const hash = turnHash(first.hash, request)
      const answered = await askWithRetries(trialState, branch, { ...first, key, hash, turn })
      const { toolCalls, message } = answered.step
      if (!toolCalls) return answered
      const { answers, areRepeated } = await calls.make(key, toolCalls)
      repeated = areRepeated ? repeated + 1 : 0
      turns.push({ text: answered.text, calls: toolCalls, results: answers, message })
    }
  } finally {
    await calls.close()
  }
}
