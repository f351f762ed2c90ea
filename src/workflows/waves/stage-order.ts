import type { Flow } from '../../schema/method/declaration.ts'
import type { Workflow } from '../../schema/method/workflow.ts'

/** Returns all stages that a stage depends on, also indirectly. It contains the stage itself only if stages wait for each other. */
export function upstream(name: string, dependsOn: (name: string) => readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...dependsOn(name)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...dependsOn(next))
  }
  return found
}

/** Returns stages that wait for each other, with the first at both ends; undefined if there are none. */
export function circleIn(
  names: readonly string[],
  dependsOn: (name: string) => readonly string[],
): string[] | undefined {
  const from = names.find((name) => upstream(name, dependsOn).has(name))
  if (from === undefined) return undefined
  const walk = (path: string[]): string[] | undefined => {
    for (const next of dependsOn(path.at(-1) ?? '')) {
      if (next === from) return [...path, next]
      const found = path.includes(next) ? undefined : walk([...path, next])
      if (found) return found
    }
    return undefined
  }
  return walk([from])
}

interface Ordered {
  stage: string
  after: readonly string[]
}

/** Divides stages into waves that run side by side. A wave needs the waves before it; inside, the order is as listed. */
export function wavesOf<Stage extends Ordered>(stages: readonly Stage[]): Stage[][] {
  const waves: Stage[][] = []
  const done = new Set<string>()
  while (done.size < stages.length) {
    const ready = stages.filter(({ stage, after }) => !done.has(stage) && after.every((one) => done.has(one)))
    if (ready.length === 0) throw new Error('stages wait for each other')
    for (const { stage } of ready) done.add(stage)
    waves.push(ready)
  }
  return waves
}

/** Sorts stages so that each is after all that it depends on, and otherwise as listed. */
export const inOrder = <Stage extends Ordered>(stages: readonly Stage[]): Stage[] => wavesOf(stages).flat()

/** Returns the declared flow of a method that runs one of these workflows. */
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
    const asked: Flow = agents.length === 1 ? (agents[0] as string) : { beside: agents }
    const revisions = wave.flatMap(({ agent, iterates }): Flow[] => {
      const most = Math.min(iterates?.most ?? 0, iterations)
      return iterates && most > 0 ? [{ repeat: [agentOf(iterates.toward), agent], most }] : []
    })
    return [asked, ...revisions]
  })
}
