import { ChainState } from '../../schema/stage/chain-state.ts'
import type { StrategyContext } from '../../strategy.ts'

/** Returns the state that a chain begins with. Its workflow has the same id each time that the trial is run. */
export function newState({
  instruction,
  delivers,
  random,
}: Pick<StrategyContext<never, unknown>, 'instruction' | 'delivers' | 'random'>): ChainState {
  const digits = Math.floor(random('workflow') * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  return {
    version: 1,
    workflow_id: `task-${digits}`,
    issue: 'task',
    task: instruction,
    // Before any work, only a task that wants an answer is content with a text.
    output: delivers('text') ? 'answer' : 'files',
    round: 1,
    stages: [],
  }
}

/** Reads the text of a state file. Returns the state, or what is wrong with it. */
export function readState(
  text: string | undefined,
  workflow?: string,
): { state: ChainState } | { problem: string } {
  if (text === undefined) return { problem: 'the state file is missing, no text or too large' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'the state file holds no JSON' }
  }
  const { data, error } = ChainState.safeParse(value)
  const [issue] = error?.issues ?? []
  if (!data)
    return { problem: `the state file is not valid: ${issue?.path.join('.') || 'it'}: ${issue?.message}` }
  if (workflow !== undefined && data.workflow_id !== workflow)
    return { problem: `the state file is of the workflow ${data.workflow_id}, not of ${workflow}` }
  return { state: data }
}

/** Returns the text of a state file. */
export const stateText = (state: ChainState): string => `${JSON.stringify(state, null, 2)}\n`
