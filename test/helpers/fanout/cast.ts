import { join } from 'node:path'
import type { Agent, AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import { resolveOptions } from '../../../src/commands/methods/documents.ts'
import { addMark } from '../../../src/replies/data/judge-mark.ts'
import { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import type { Approval, Strategy } from '../../../src/strategy.ts'
import { fanout } from '../../../strategies/fanout.ts'
import { agentOf, playTrial } from '../runs/trial.ts'

/** Returns the options of a workflow, with its machine. */
export const fanoutOptions = (workflow: string) =>
  resolveOptions(fanout as Strategy, fanout.options.parse({ workflow }), true)

/** What a member of the cast may say: a reply, or undefined for what a good one says. */
export type Part = (state: string, role: string, asked: number, request: AgentRequest) => Reply | undefined
type Reply = Partial<AgentReply> | string | object

/** A reply that is none. */
export const silence: Partial<AgentReply> = { error: { reason: 'exit', message: 'it is gone' } }

/**
 * One agent that plays all roles of a shipped workflow: good drafts, good scores, gates that let through, unless the part says
 * otherwise. `asked` counts the asks of the role in the state, from 1.
 */
export function castOf(part: Part = () => undefined): Agent {
  const counts = new Map<string, number>()
  return agentOf((request) => {
    const state = stateOf(request)
    const key = `${state}.${request.role}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const said = part(state, request.role, counts.get(key) ?? 1, request) ?? goodReply(request)
    const isReply = typeof said === 'string' || 'error' in said || 'text' in said
    return isReply && !request.schema
      ? said
      : 'error' in Object(said)
        ? (said as object)
        : JSON.stringify(addMark(request.schema, said))
  })
}

function goodReply({ schema, role, work }: AgentRequest): object | string {
  if (!schema) return work === 'produce' ? 'Answer: 42' : 'All is well.'
  if (role === 'gate') return { decision: 'proceed', quality_score: 8 }
  const properties = (schema.properties ?? {}) as Record<string, { items?: { properties?: Ratings } }>
  const { target, criterion } = properties.scores?.items?.properties ?? {}
  if (!target || !criterion) return { decision: 'proceed', reasoning: 'It gets better.' }
  const scores = target.enum.flatMap((one) =>
    criterion.enum.map((by) => ({ target: one, criterion: by, score: 8 })),
  )
  return { text: 'Good.', scores }
}

interface Ratings {
  target: { enum: string[] }
  criterion: { enum: string[] }
}

/** Returns the state in which a role of a shipped workflow is asked. */
function stateOf({ trial, role, work, schema, prompt }: AgentRequest): string {
  const [, branch] = /^([\w-]+)\.\w+(?:~\d+)?#/.exec(trial.key) ?? []
  if (branch !== undefined) return branch
  if (role === 'gate')
    return prompt.includes('path="final/')
      ? 'synth-check'
      : prompt.includes('path="audits/')
        ? 'audit-check'
        : 'draft-check'
  if (schema) return 'decision'
  return work === 'produce' ? 'synthesize' : 'final-analysis'
}

/** Plays a workflow over the real loop; returns its record, and the path as `state: transition`. */
export async function playFanout(workflow: string, agent: Agent, approvals: readonly Approval[] = []) {
  const answers = [...approvals]
  const strategy: Strategy = {
    ...(fanout as Strategy),
    run: (context) => {
      // Only the run itself may abort, so that the trial counts as cancelled.
      const approve: typeof context.approve = async (question, options) =>
        answers[0] && answers[0].decision !== 'abort'
          ? (answers.shift() as Approval)
          : context.approve(question, options)
      return fanout.run({ ...context, approve })
    },
  }
  const isAborted = approvals.some(({ decision }) => decision === 'abort')
  const { record, folder } = await playTrial({
    ...{ agent, strategy, options: fanoutOptions(workflow) },
    ...(isAborted && { approvals: { policy: { policy: 'abort' as const } } }),
  })
  const machine = MachineRecord.parse(record.state?.machine)
  const path = machine.visits.map(({ state, result }) => (result === null ? state : `${state}: ${result}`))
  const outputs = (file: string) => join(folder, 'artifacts', record.trial, 'outputs', file)
  return { record, machine, path, outputs }
}
