import { z } from 'zod'
import { AgentSet } from '../agent/agent-set.ts'
import { AgentSettings, ProviderSetting } from '../agent/agent-settings.ts'
import { Faults } from '../agent/faults.ts'
import { RunPrices } from '../agent/prices.ts'
import { BudgetMatch } from '../ledger/budget-match.ts'
import { schemaVersion } from '../ledger/record.ts'
import { Budget, Budgets, Limits } from '../limits.ts'
import { Rejected } from '../method/change.ts'
import { ComparisonPlan } from './comparison-plan.ts'

/** What of each ask is kept in the ledger. Replies are always: resume and replay answer from them. */
export const Capture = z.strictObject({
  /** The texts of prompts and system prompts; their hash is kept anyway. */
  prompts: z.boolean().optional(),
  /** The provider's own usage object. */
  usage: z.boolean().optional(),
})
export type Capture = z.infer<typeof Capture>

const MethodEntry = z.object({
  label: z.string(),
  strategy: z.string(),
  options: z.record(z.string(), z.unknown()),
  digest: z.string(),
  /** Where a strategy of the user's own came from. */
  file: z.string().optional(),
  /** The roles that it declares; absent in runs from before they were kept. */
  roles: z.array(z.string()).optional(),
  /** Agents by role, over those of the run. */
  agents: z.record(z.string(), z.string()).optional(),
  /** Of each of its trials, over those of the run. */
  limits: Limits.optional(),
  /** The method whose spend decides how many attempts it makes. */
  match: BudgetMatch.optional(),
})

/** A checkout's commit, and whether tracked files differ from it. */
const GitState = z.object({ commit: z.string(), dirty: z.boolean() })
export type GitState = z.infer<typeof GitState>

/** run.json: what was asked. Written once, never changed. */
export const RunManifest = z.object({
  schemaVersion: z.literal(schemaVersion),
  id: z.string(),
  createdAt: z.string(),
  /** The harness's own version and Node's. */
  versions: z.object({ bench: z.string(), node: z.string(), platform: z.string() }),
  /** The checkout that bench was called in. */
  git: GitState.nullable(),
  mode: z.enum(['dev', 'live']),
  /** Its numbers are made up: they describe the profile, not the methods. */
  simulated: z.boolean(),
  /** Where the run was begun: relative paths in agents' names start here. */
  cwd: z.string(),
  seed: z.int(),
  epochs: z.int().positive(),
  /** As given, to find the tasks again. */
  taskSelectors: z.array(z.string()),
  tasks: z.array(z.object({ ref: z.string(), digest: z.string() })),
  methods: z.array(MethodEntry).min(1),
  /** By role; where there are several sets of agents, those of the first. */
  agents: z.record(z.string(), z.string()),
  /** Each of them answers for every method; absent where there is one set. */
  agentSets: z.array(AgentSet).min(2).optional(),
  /** What was set of agents and of providers, beside their names. */
  agentSettings: AgentSettings.optional(),
  providers: z.record(z.string(), ProviderSetting).optional(),
  /** The file that options came from, and its SHA-256; all that it said stands resolved in these fields. */
  config: z.object({ file: z.string(), digest: z.string() }).optional(),
  /** Absent: all of it. */
  capture: Capture.optional(),
  /** What producing roles make on the way is graded, too. */
  gradeCandidates: z.literal(true).optional(),
  /** The simulated agents' behaviour, whole, so that replay and a later look need no other file. */
  profile: z.object({ id: z.string(), digest: z.string(), content: z.unknown() }).nullable(),
  /** Of each trial. */
  limits: Limits,
  /** Those of `limits` that nobody set: a task's own win over them. */
  usualLimits: z.array(z.literal('calls')).optional(),
  /** Of each ask, where the strategy says nothing. */
  askLimits: Budget.optional(),
  /** Most retries of an ask whose failure may pass; absent in runs from before there were any. */
  retries: z.int().min(0).optional(),
  /** Faults that are injected on purpose, as shares of attempts by role. */
  faults: Faults.optional(),
  /** Of the run and its methods as it was begun; each session may set them anew (sessions.jsonl). Absent: none. */
  budgets: Budgets.optional(),
  /** Where real models are asked, by agent: without user, password and query. */
  endpoints: z.record(z.string(), z.string()).optional(),
  /** Versions of the programs that answer, by agent, as they were when the run began. */
  agentVersions: z.record(z.string(), z.string()).optional(),
  /** By what real models are billed. */
  prices: RunPrices.optional(),
  /** SHA-256 of the preamble that all producing roles share. */
  preamble: z.string(),
  /** The method that the others are compared with. */
  baseline: z.string().nullable(),
  /** How the methods are compared, fixed before the first trial; absent in runs from before there was one. */
  comparison: ComparisonPlan.optional(),
  /** SHA-256 of what grades, and of the whole harness, and its commit where it is a checkout itself; null: run from sources that were never built. */
  harness: z
    .object({ graders: z.string(), code: z.string(), git: GitState.optional() })
    .nullable()
    .optional(),
  /** A free request: the user's folder, ungraded. */
  request: z
    .object({
      instruction: z.string(),
      workspace: z.string(),
      /** What of the folder nobody got, and why; never a content. */
      leftOut: z.array(Rejected).optional(),
      /** What was taken because the user named it. */
      included: z.array(z.string()).optional(),
    })
    .optional(),
  /** Names of the variables whose values are redacted. */
  secrets: z.array(z.string()).optional(),
  trials: z.int(),
  /** SHA-256 of all other fields as canonical JSON. */
  sum: z.string().optional(),
})
export type RunManifest = z.infer<typeof RunManifest>
