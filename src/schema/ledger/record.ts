import { z } from 'zod'
import { Fidelity } from '../method/declaration.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { settings } from '../settings/settings.ts'
import { ToolSaving } from '../stage/protocol.ts'
import { Spending } from '../tokens.ts'
import { ToolOutcome } from '../tool/tool-call.ts'
import { ToolServer } from '../tool/tool-set.ts'
import { MatchedBudget } from './budget-match.ts'
import { Outcome, Score } from './outcome.ts'
import { Finish } from './step.ts'

/** The version of every file in a run folder. */
export const schemaVersion = 1

/** One call of a phase history; of an ask with tools, all its turns. `at` is on the branch's clock; ms. */
export const Phase = z.object({
  role: z.string(),
  agent: z.string(),
  branch: z.string(),
  at: z.number(),
  /** Null for a recorded reply: its time is unknown. */
  durationMs: z.number().nullable(),
  tokens: z.number().nullable(),
  iteration: z.record(z.string(), z.union([z.number(), z.string()])),
  summary: z.string(),
})
export type Phase = z.infer<typeof Phase>

/** The work of a producing role when its ask was answered, or a candidate that the strategy noted, with its grade. */
export const Candidate = z.object({
  /** The key of the ask; for a noted candidate the key of the note (with `!`). */
  key: z.string(),
  /** The role that replied; `the method` for a noted candidate. */
  role: z.string(),
  /** Time on the trial's clock; ms. */
  at: z.number(),
  /** The candidate from which it was made; absent if it began with the task's files. */
  from: z.string().optional(),
  /** Hash like `delivered` of the record; equal for equal work. */
  delivered: z.string().nullable(),
  /** Null if its grading failed. */
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
})
export type Candidate = z.infer<typeof Candidate>

/** A run of a tool in a stage, and what its compact report saved; estimated tokens. */
export const ToolRun = z.object({ stage: z.string(), ...ToolSaving.shape })
export type ToolRun = z.infer<typeof ToolRun>

/** How often people took part in a trial. */
export const PeopleCounts = z.object({
  /** Approvals that a person or a file of answers decided. */
  approvals: z.int().nonnegative(),
  /** Texts of `bench guide`. */
  guidance: z.int().nonnegative(),
  /** States that were set by `bench state --set`. */
  sets: z.int().nonnegative(),
})
export type PeopleCounts = z.infer<typeof PeopleCounts>

const ToolCounts = z.object({
  calls: z.int().positive(),
  /** Turns of the asks that called tools, the answers included. */
  turns: z.int().positive(),
  /** These asks. */
  asks: z.int().positive(),
  /** Calls that were not `ok`, by outcome; absent if there were none. */
  failed: z.partialRecord(ToolOutcome, z.int().positive()).optional(),
  /** Calls of tools that the method has, by name, and those of them that were not `ok`. */
  byName: z.record(z.string(), z.object({ calls: z.int().positive(), failed: z.int().nonnegative() })),
  /** The MCP servers that answered, by the id of the tool; absent if none did. */
  servers: z.array(z.object({ id: z.string(), ...ToolServer.shape })).optional(),
})
export type ToolCounts = z.infer<typeof ToolCounts>

/** Changes by agents that did not count. */
export const LeftOut = z.object({
  /** Paths that were refused. */
  refused: z.int().nonnegative(),
  /** Changes of files that are not `editable`: these are the task's own again before grading. */
  notCounted: z.int().nonnegative(),
})
export type LeftOut = z.infer<typeof LeftOut>

/** Calls of an agent that one model answered, as its server names it. */
export const ModelCalls = z.object({ agent: z.string(), model: z.string(), calls: z.int().positive() })
export type ModelCalls = z.infer<typeof ModelCalls>

/** One line of records.jsonl: a trial and its result. Everything that may differ between equal runs is in `wall`. */
export const TrialRecord = z.object({
  schemaVersion: z.literal(schemaVersion),
  trial: z.string(),
  task: z.string(),
  suite: z.string(),
  /** Its label. */
  method: z.string(),
  /** Agent by role, or one name if all roles share it. */
  agents: z.union([z.string(), z.record(z.string(), z.string())]),
  /** Label of the set of agents; absent if the run has one set. */
  agentSet: z.string().optional(),
  epoch: z.int().positive(),
  mode: z.enum(settings.mode.value),
  /** True if any role of the method has a simulated agent. */
  simulated: z.boolean(),
  /** Its replies were recorded earlier, by any agent of the method; absent: none was. */
  recorded: z.literal(true).optional(),
  /** It was read from the results of another harness (bench import); absent: it ran here. */
  imported: z.literal(true).optional(),
  /** By which prices bench computed the cost of an imported trial from its tokens; absent: its cost is what its source states. */
  costSource: z.enum(['file', 'table']).optional(),
  profile: z.string().nullable(),
  outcome: Outcome,
  /** The method's own verdict: done, stuck, halted, exhausted or cancelled; never decides `passed`. */
  claimed: z.string().nullable(),
  detail: z.string().optional(),
  /** Null if not graded (error, cancelled, or a task without a solution to compare with). */
  passed: z.boolean().nullable(),
  /** Mean of the scores. */
  score: z.number().nullable(),
  scores: z.array(Score),
  /** Final answer, if the task asks for one; the name of a blob (`blob:…`) if it is long. */
  answer: z.string().optional(),
  /** SHA-256 of the delivery: the final change set, or the answer. Null if no file changed, or the answer is empty. */
  delivered: z.string().nullable(),
  spent: Spending,
  /** Retries, and the time waited before calls (for retries or a slot), which is outside the clock; ms. */
  retries: z.int().positive().optional(),
  waitMs: z.number().positive().optional(),
  /** Injected faults, as in `--inject`. They affect all numbers of the record. */
  faults: z.string().optional(),
  /** Cost of grading (judges), which is not part of the method's cost. */
  gradingCostUsd: z.number().nullable(),
  /** What the judges used; absent if none was asked. */
  judging: Spending.optional(),
  /** Number of asks of producing roles. */
  iterations: z.int(),
  /** Asks of producing roles that had earlier work before them, and those that changed it; absent if there were none. */
  revisions: z.object({ asks: z.int().positive(), changed: z.int().nonnegative() }).optional(),
  /** The trial's clock at its end; ms. Null with recorded replies, whose time is unknown. */
  durationMs: z.number().nonnegative().nullable(),
  /** The excess of parallel branches over limits of the trial. */
  overshoot: z.record(z.string(), z.number()).optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  /** How often a person changed the method's state or gave it guidance: the result is not only the method's. */
  interventions: z.int().positive().optional(),
  /** What people said; absent if nobody did. */
  people: PeopleCounts.optional(),
  /** Runs of tools in stages that ended, in order; absent if no stage spoke of one. */
  savings: z.array(ToolRun).optional(),
  /** Calls of tools by agents; absent if there were none. */
  tools: ToolCounts.optional(),
  /** Changes by its agents that did not count; absent if there were none, and of tasks that want an answer. */
  leftOut: LeftOut.optional(),
  /** What was repaired in data of its replies without asking again, such as quotes and the case of keys, and in how many; absent if nothing. */
  repairedData: z.record(z.string(), z.int().positive()).optional(),
  /** Requests of agents' programs that the gateway did not let pass; absent if there were none. */
  refusedRequests: z.int().positive().optional(),
  /** What providers may have run for its agents, such as a search, by name (`--allow-provider-tools`); absent if nothing. */
  providerTools: z.array(z.string()).optional(),
  /** Replies that did not end by `stop`, without turns that call tools which the ask has; absent if there were none. */
  finishes: z.partialRecord(Finish, z.int().positive()).optional(),
  /** Calls that another model answered than was asked for, the 20 first by name; a more exact name of the same model is not another. Absent if there were none. */
  otherModels: z.array(ModelCalls).optional(),
  /** The models that answered, as servers name them, the 20 first by name; without calls that several models answered. Absent where none was named, and in older runs. */
  served: z.array(ModelCalls).optional(),
  history: z.array(Phase).optional(),
  /** Graded candidates in the order of the clock; absent if the run does not grade candidates. */
  candidates: z.array(Candidate).optional(),
  /** The candidate from which the delivery came; absent if there is none. */
  deliveredFrom: z.string().optional(),
  /** Whether the asks match the strategy's declaration. */
  fidelity: Fidelity,
  /** The matched method's spending on this task, and the number of attempts. */
  matched: MatchedBudget.optional(),
  /** The agent that chose among candidates including its own: models favour their own work. */
  ownJudge: z.string().optional(),
  /** Unused work of the method: an ask never awaited, a branch whose files were not adopted. */
  unused: z.array(z.string()).optional(),
  /** The weakest sandbox level at which code of this trial ran; absent if none ran. */
  sandbox: SandboxLevel.optional(),
  wall: z.object({
    startedAt: z.string(),
    ms: z.number(),
    /** Where the user's code threw an error, as `./my.ts:12:30`, and its stack. */
    place: z.string().optional(),
    stack: z.string().optional(),
    /** The number of the trial's ledger lines, and the CRC-32 of their concatenated texts; absent before the record is written. */
    steps: z.int().nonnegative().optional(),
    stepsSum: z.string().optional(),
  }),
})
export type TrialRecord = z.infer<typeof TrialRecord>

/** Returns what people did in a trial; undefined if they did nothing. Older records only count states that were set. */
export function peopleOf({
  people,
  interventions: sets,
}: Pick<TrialRecord, 'people' | 'interventions'>): PeopleCounts | undefined {
  return people ?? (sets === undefined ? undefined : { approvals: 0, guidance: 0, sets })
}
