import type { Agent } from './agent.ts'

/** The facts about an agent that decide which gates are on and how its numbers are labelled. */
type AgentFacts = Pick<Agent, 'paid' | 'simulated' | 'isProgram' | 'recorded'>

/**
 * Whether an agent is paid or is a program. One such agent, in any role, turns on the gates of spending and of the
 * sandbox, and dev mode refuses it. The mode decides neither.
 */
export function isPaidOrProgram({ paid, isProgram }: AgentFacts): boolean {
  return paid || isProgram === true
}

/** Whether the agents include a simulated one. A single one makes all their numbers simulated, whatever the mode. */
export function includesSimulated(agents: readonly AgentFacts[]): boolean {
  return agents.some(isSimulated)
}

/** Whether the numbers of one agent are simulated. */
export function isSimulated({ simulated }: AgentFacts): boolean {
  return simulated
}

/** Whether the agents include one whose replies were recorded earlier. */
export function includesRecorded(agents: readonly AgentFacts[]): boolean {
  return agents.some(isRecorded)
}

/** Whether an agent gives replies again that were recorded earlier: a model wrote them, but their time is unknown. */
export function isRecorded({ recorded }: AgentFacts): boolean {
  return recorded !== undefined
}
