import { z } from 'zod'
import { BuildResults, TestGenResults, TestResults } from './tool-reports.ts'

const Text = z.string()

/** The id of a workflow: a name of a folder and of a branch. */
export const WorkflowId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  error:
    'must be small letters, digits, hyphens and underscores, at most 64, and begin with a letter or digit',
})

/** How the reviewer judged the work. `blocking` lists what must change before the work is shipped. */
const Review = z.strictObject({
  verdict: z.enum(['approve', 'revise']),
  comments: Text,
  blocking: z.array(Text),
})

/** What `ship` made: in a repository of the workflow's own, one commit on one branch, and the patch between it and the start. */
const Shipped = z.strictObject({
  branch: Text,
  /** Hashes of git: the commit of the start state, the commit of the work, and the tree of that commit. */
  base: Text,
  commit: Text,
  tree: Text,
  files: z.array(Text),
  patch: Text,
})

/** How a stage ended. `n/a`: it does not apply to the task, and was not started. */
export const StageStatus = z.strictObject({
  stage: Text,
  status: z.enum(['done', 'failed', 'n/a']),
  detail: Text.optional(),
})
export type StageStatus = z.infer<typeof StageStatus>

/** The state file of a workflow, which its stages share. The build writes its JSON Schema, dist/bench/tools/state.schema.json. */
export const ChainState = z.strictObject({
  version: z.literal(1),
  workflow_id: WorkflowId,
  /** The id of the issue, and its text. */
  issue: Text.min(1),
  task: Text,
  /** What the task wants to be handed in. */
  output: z.enum(['answer', 'files']),
  /** The round of building, testing and reviewing; from 1 on. */
  round: z.int().positive(),
  plan: Text.optional(),
  /** The builder's last reply: the answer, for tasks that want one. */
  answer: Text.optional(),
  build_results: BuildResults.optional(),
  test_results: TestResults.optional(),
  test_gen_results: TestGenResults.optional(),
  review: Review.optional(),
  documentation: Text.optional(),
  ship: Shipped.optional(),
  /** The stages that ended, in order. */
  stages: z.array(StageStatus),
  /** For stages of one's own: whatever they keep, by their name. */
  own: z.record(z.string(), z.json()).optional(),
})
export type ChainState = z.infer<typeof ChainState>
