import type { AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import { type GraphPlan, GraphRecord } from '../../../src/schema/graph/plan.ts'
import { runsPlan } from '../runs/graph-plans.ts'
import { agentOf, playTrial } from '../runs/trial.ts'

export type Reply = Partial<AgentReply> | string
export type Say = (id: string, request: AgentRequest) => Reply | undefined

const stepIdOf = ({ trial }: AgentRequest) => /^graph\/(.*?)(?:\/[^/]*)?#/.exec(trial.key)?.[1] ?? ''
export const refusal: Reply = { error: { reason: 'refusal', message: 'no' } }
export const file = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\nAnswer: ${text}`

/** Runs a plan with an agent that answers by the id of the step. */
export async function run(plan: GraphPlan, say: Say = () => undefined, more: object = {}) {
  const requests: { id: string; request: AgentRequest }[] = []
  const agent = agentOf((request) => {
    const id = stepIdOf(request)
    requests.push({ id, request })
    return say(id, request) ?? `said ${id}`
  })
  const played = await playTrial({ agent, strategy: runsPlan(plan), ...more })
  const { record, steps } = played
  const graph = record.state?.graph === undefined ? undefined : GraphRecord.parse(record.state.graph)
  return {
    ...played,
    requests,
    asks: steps.flatMap((step) => (step.kind === 'ask' ? [step] : [])),
    promptOf: (id: string) => requests.find((one) => one.id === id)?.request.prompt ?? '',
    graph,
    statuses: graph?.steps.map(({ id, status }) => `${id} ${status}`),
  }
}
