import type { CallableTool } from '../../../agent-tools/definitions.ts'
import type { OpenServers } from '../../../agent-tools/servers.ts'
import type { ToolStep } from '../../../schema/ledger/tool-step.ts'
import type { ToolCall } from '../../../schema/tool/tool-call.ts'
import type { CheckResult, FileEdit } from '../../../strategy.ts'
import type { State } from '../../files/workspace.ts'
import type { Branch } from '../../state/branch.ts'
import type { TrialState } from '../../state/trial-state.ts'
import type { Attempt } from '../agent-request.ts'
import type { AskTools } from './ask-tools.ts'
import type { Repeats } from './repeats.ts'

/** What the calls of an ask share. */
export interface Desk {
  trialState: TrialState
  branch: Branch
  ask: Attempt
  tools: AskTools
  draft: State
  servers: OpenServers
  fileText(digest: string): string | undefined
  repeats: Repeats
  /** Tools whose server had a state that only a recorded call knew. */
  lostStates: Set<string>
}

/** A call that is made now. */
export interface OwnCall {
  call: ToolCall
  key: string
  hash: string
  /** The branch's clock before it. */
  at: number
  tool: CallableTool | undefined
  isRepeated: boolean
  /** It came after the most calls that a turn may make. */
  isSurplus: boolean
  checked: CheckResult | undefined
}

/** A call that was made: its step, what the agent gets, and what it changed. */
export interface MadeCall {
  step: ToolStep
  text: string
  edits: readonly FileEdit[]
}
