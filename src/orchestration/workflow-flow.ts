import type { Flow } from '../schema/declaration.ts'
import type { Workflow } from '../schema/workflow.ts'
import { wavesOf } from './stage-order.ts'

/** What is asked in which order under any of the workflows, as a declaration says it. */
export function workflowsFlow({
  workflows,
  iterations,
}: {
  workflows: Readonly<Record<string, Workflow>>
  iterations: number
}): Flow {
  const [first, ...others] = Object.values(workflows).map((workflow) => flowOf(workflow, iterations))
  if (!first) throw new Error('no workflow was read before the run')
  return others.length === 0 ? first : { either: [first, ...others] }
}

function flowOf({ stages }: Workflow, iterations: number): Flow {
  const agentOf = (name: string) => stages.find(({ stage }) => stage === name)?.agent ?? name
  return wavesOf(stages).flatMap((wave): Flow[] => {
    const agents = wave.map(({ agent }) => agent)
    const asked: Flow =
      agents.length === 1 ? (agents[0] as string) : { beside: { either: agents }, times: agents.length }
    const revisions = wave.flatMap(({ agent, iterates }): Flow[] => {
      const most = Math.min(iterates?.most ?? 0, iterations)
      return iterates && most > 0 ? [{ repeat: [agentOf(iterates.toward), agent], most }] : []
    })
    return [asked, ...revisions]
  })
}
