import type { Agent } from './agent.ts'

/** What of an agent decides about gates and labels. */
type Answering = Pick<Agent, 'paid' | 'simulated' | 'isProgram'>

/**
 * Whether an agent is paid, or is a program. Such an agent, in any role, turns on the gates of spending and of the sandbox,
 * and dev mode takes none. The mode decides neither.
 */
export function isGated({ paid, isProgram }: Answering): boolean {
  return paid || isProgram === true
}

/** Whether numbers of these agents are made up: one simulated agent among them is enough, whatever the mode. */
export function areSimulated(agents: readonly Answering[]): boolean {
  return agents.some(isSimulated)
}

/** Whether one agent is enough to make numbers made up. */
export function isSimulated({ simulated }: Answering): boolean {
  return simulated
}
