import { isOtherModel, modelOfAgent, modelsOfCall } from '../../schema/agent/other-model.ts'
import type { OtherModel, TrialRecord } from '../../schema/ledger/record.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { effectKey } from '../../schema/ledger/turn-key.ts'
import type { TrialState } from '../state/trial-state.ts'

type Asked = Pick<TrialState, 'asked'>

/** Names of models beyond these are left out: a server may name another one in each reply. */
const mostModels = 20
const longestName = 200

/**
 * Returns how many replies that the method pays ended in each way, apart from a `stop`, and from calls of tools in an ask that has
 * tools. Undefined if all ended so.
 */
export function countFinishes({ asked }: Asked): TrialRecord['finishes'] {
  const counts: NonNullable<TrialRecord['finishes']> = {}
  for (const { step } of asked) {
    const { finish, payer } = step
    if (payer !== 'method' || finish === undefined || finish === 'stop') continue
    if (finish === 'tool-call' && hasTools(step)) continue
    counts[finish] = (counts[finish] ?? 0) + 1
  }
  const sorted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.length === 0 ? undefined : Object.fromEntries(sorted)
}

/** An ask with tools has turns in its key, or the calls themselves. */
const hasTools = ({ key, toolCalls }: AskStep) => toolCalls !== undefined || effectKey(key) !== key

/** Returns the calls that the method pays which other models answered than those asked for; undefined without such calls. */
export function countOtherModels({ asked }: Asked): TrialRecord['otherModels'] {
  const counts = new Map<string, OtherModel>()
  for (const { step } of asked) {
    const { agent, payer } = step
    if (payer !== 'method') continue
    for (const whole of modelsOfCall(step)) {
      const model = whole.slice(0, longestName)
      if (!isOtherModel(modelOfAgent(agent), model)) continue
      const name = `${agent} ${model}`
      counts.set(name, { agent, model, calls: (counts.get(name)?.calls ?? 0) + 1 })
    }
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return sorted.length === 0 ? undefined : sorted.slice(0, mostModels)
}

/** Returns what the gateway did not let pass, and what it let providers run, in the asks of the method and of judges. */
export function gatewayFields({ asked }: Asked): Pick<TrialRecord, 'refusedRequests' | 'providerTools'> {
  const refused = asked.reduce((sum, { step }) => sum + (step.refused?.total ?? 0), 0)
  const tools = [...new Set(asked.flatMap(({ step }) => step.providerTools ?? []))].sort()
  return {
    ...(refused > 0 && { refusedRequests: refused }),
    ...(tools.length > 0 && { providerTools: tools }),
  }
}
