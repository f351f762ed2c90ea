// Everything that a strategy imports from 'orchestration-bench'. `src/api.ts` exports this list to programs, and
// `src/commands/methods/own-strategy.ts` gives it to strategy files, so that the two cannot differ.

/** The zod with which options and shapes must be made. */
export { z } from 'zod'
export type { Ask, AskOptions, KindOfWork } from './ask.ts'
export type { ConflictPolicy, GraphOptions, GraphPart, GraphStep, StepResult } from './graph.ts'
export type { DocumentAgent } from './schema/agent/document-agent.ts'
export { type CascadeState, cascadeRules } from './schema/method/cascade.ts'
export type { Count, Declaration, Flow } from './schema/method/declaration.ts'
export type { Mechanism } from './schema/method/mechanism.ts'
export type { RouterState } from './schema/method/router.ts'
export { parseTaskCondition, type TaskCondition } from './schema/task-condition.ts'
export { type StageEnd, type StageProgram, type StageResult, stageClient } from './stage.ts'
export {
  type Approval,
  type ApproveOptions,
  type CheckResult,
  type Documents,
  defineStrategy,
  type FileEdit,
  type Outputs,
  type Spent,
  type Strategy,
  type StrategyContext,
  type StrategyResult,
  type TraceEvent,
  type Workspace,
} from './strategy.ts'
export { AgentError, type AgentErrorReason, LimitError, type Problem, UserError } from './text/errors.ts'
export { fillPrompt, PromptTemplate, readPromptTemplate } from './text/prompt-template.ts'
export { estimateTokens, tokenizer } from './text/token-estimate.ts'
export { type Attempt, bestAttempt, type SideBySide, sideBySide } from './workflows/attempts.ts'
export {
  Audit,
  type ContractRole,
  contractRoles,
  contractWorkers,
  Evaluation,
  violationList,
  type WorkerTexts,
} from './workflows/contract-workers.ts'
export { endWith } from './workflows/end.ts'
export {
  type AskSummary,
  createSummariser,
  type Summariser,
  type SummariserSetup,
  type SummaryMeasure,
  summaryOptions,
} from './workflows/summary.ts'
export {
  type Agreement,
  anonymise,
  type Ballot,
  type Behaviour,
  behaviourOf,
  candidatesContext,
  elect,
  groupAlike,
  type LetteredWork,
  type Work,
} from './workflows/vote.ts'
export {
  checkContext,
  filesContext,
  replyContext,
  sections,
  solve,
  trimToTokens,
} from './workflows/work-context.ts'
