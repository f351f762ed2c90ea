import { z } from 'zod'
import { Fidelity } from '../method/declaration.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { Spending } from '../tokens.ts'
import { MatchedBudget } from './budget-match.ts'
import { Outcome, Score } from './outcome.ts'

/** The version of every file in a run folder. */
export const schemaVersion = 1

/** One call of a phase history: who, when on the branch's clock, for how many tokens, in which iteration, in short. */
export const Phase = z.object({
  role: z.string(),
  agent: z.string(),
  branch: z.string(),
  at: z.number(),
  durationMs: z.number(),
  tokens: z.number().nullable(),
  iteration: z.record(z.string(), z.union([z.number(), z.string()])),
  summary: z.string(),
})
export type Phase = z.infer<typeof Phase>

/** What a producing role had made when its ask was answered, or what the strategy noted, and what the graders say of it. */
export const Candidate = z.object({
  /** The ask's key; that of the note (with `!`) where the method put it together itself. */
  key: z.string(),
  /** Whose reply it was; `the method`: nobody's. */
  role: z.string(),
  /** The trial's clock then; ms. */
  at: z.number(),
  /** The candidate that its files and answer came from; absent: it began with the task's own. */
  from: z.string().optional(),
  /** As of the record; equal where the same thing was made. */
  delivered: z.string().nullable(),
  /** Null: its grading broke. */
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
})
export type Candidate = z.infer<typeof Candidate>

/** One line of records.jsonl: a trial and what became of it. All that may differ between two equal runs is in `wall`. */
export const TrialRecord = z.object({
  schemaVersion: z.literal(schemaVersion),
  trial: z.string(),
  task: z.string(),
  suite: z.string(),
  method: z.string(),
  /** Agent by role, or one name where all roles share it. */
  agents: z.union([z.string(), z.record(z.string(), z.string())]),
  /** Which set of agents that is; absent where the run has one only. */
  agentSet: z.string().optional(),
  epoch: z.int().positive(),
  mode: z.enum(['dev', 'live']),
  /** True when a simulated agent stands for some role of the method, whoever else answers. */
  simulated: z.boolean(),
  profile: z.string().nullable(),
  outcome: Outcome,
  /** The method's own verdict; never decides `passed`. */
  claimed: z.string().nullable(),
  detail: z.string().optional(),
  /** Null: not graded (error, cancelled, or a task without a solution to compare with). */
  passed: z.boolean().nullable(),
  /** Mean of the scores. */
  score: z.number().nullable(),
  scores: z.array(Score),
  /** Final answer where the task wants one; a blob's name (`blob:…`) when it is long. */
  answer: z.string().optional(),
  /** SHA-256 of what was delivered: the final change set, or the answer. Null: nothing was left. */
  delivered: z.string().nullable(),
  spent: Spending,
  /** Attempts made because the one before failed; time waited before calls (for these, or for a slot), outside the clock; ms. */
  retries: z.int().positive().optional(),
  waitMs: z.number().positive().optional(),
  /** Faults injected on purpose, as written after `--inject`: the numbers describe them as well. */
  faults: z.string().optional(),
  /** What grading spent (judges); the method's row never counts it. */
  gradingCostUsd: z.number().nullable(),
  /** Asks of producing roles. */
  iterations: z.int(),
  /** The trial's clock at its end; ms. */
  durationMs: z.number().nonnegative(),
  /** By how much parallel branches overshot a limit of the trial. */
  overshoot: z.record(z.string(), z.number()).optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  /** How often a person set the method's state: the trial is not the method's alone. */
  interventions: z.int().positive().optional(),
  history: z.array(Phase).optional(),
  /** All that producing roles made on the way, in the order of the clock; absent where the run does not grade them. */
  candidates: z.array(Candidate).optional(),
  /** The candidate that what was delivered came from; absent with `candidates`: none. */
  deliveredFrom: z.string().optional(),
  /** Whether what was asked is what the strategy declares. */
  fidelity: Fidelity,
  /** Whose spend on this task it was to match, and in how many attempts. */
  matched: MatchedBudget.optional(),
  /** The agent that chose among what others made, where it had made some of that itself: models favour their own. */
  ownJudge: z.string().optional(),
  /** What the method began and made nothing of: an ask never awaited, a branch whose files nobody adopted. */
  unused: z.array(z.string()).optional(),
  /** The weakest level at which code of this trial was checked or graded; absent where none ran. */
  sandbox: SandboxLevel.optional(),
  wall: z.object({
    startedAt: z.string(),
    ms: z.number(),
    /** Where code of the user's threw, as `./my.ts:12:30`, and its stack. */
    place: z.string().optional(),
    stack: z.string().optional(),
    /** The trial's lines in the ledger, and the CRC-32 of their texts, one after the other; absent before it is written. */
    steps: z.int().nonnegative().optional(),
    stepsSum: z.string().optional(),
  }),
})
export type TrialRecord = z.infer<typeof TrialRecord>
