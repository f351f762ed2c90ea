import { z } from 'zod'
import { AgentSet } from '../agent/agent-set.ts'
import { AgentSettings, ProviderSetting } from '../agent/agent-settings.ts'
import { Faults } from '../agent/faults.ts'
import { RunPrices } from '../agent/prices.ts'
import { KeepWorkspaces } from '../keep-workspaces.ts'
import { schemaVersion } from '../ledger/record.ts'
import { RecordedFacts } from '../ledger/recorded-replies.ts'
import { Method } from '../ledger/trial.ts'
import { Budget, Budgets, Limits } from '../limits.ts'
import { Rejected } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { settings } from '../settings/settings.ts'
import { ComparisonPlan } from './comparison-plan.ts'
import { ImportedFacts } from './imported.ts'

/** Items of a source of tasks that could not be read and were left out. */
export const SkippedItems = z.object({
  /** The selector, with an absolute path. */
  source: z.string(),
  count: z.int().positive(),
  /** Their places, as `FILE:LINE field`, and what is wrong there: the first thousand. Absent in older runs. */
  items: z.array(z.object({ where: z.string(), what: z.string() })).optional(),
})
export type SkippedItems = z.infer<typeof SkippedItems>

/** Rows of a source that state no grader and are graded alike, by what their answers look like. */
export const GuessedGraders = z.object({
  /** The selector, with an absolute path. */
  source: z.string(),
  grader: z.string(),
  /** What the answers look like. */
  reason: z.string(),
  count: z.int().positive(),
  /** The lines of the rows: `2-6, 9`. */
  lines: z.string(),
})
export type GuessedGraders = z.infer<typeof GuessedGraders>

/** Which of the selected tasks a run has. Its manifest names them; this says why. */
export const TaskFilter = z.object({
  /** A task needs one of these tags. */
  tags: z.array(z.string()).optional(),
  /** Conditions that must all hold, as typed. */
  where: z.array(z.string()).optional(),
  /** The size of the sample. */
  sample: z.int().positive().optional(),
  /** The seed of the sample. */
  seed: z.int().min(0),
})
export type TaskFilter = z.infer<typeof TaskFilter>

/** Returns a filter as it is typed after `--tasks`. */
export const filterText = ({ tags, where, sample, seed }: TaskFilter): string =>
  [
    ...(tags ? [`--tag ${tags.join(',')}`] : []),
    ...(where ? [`--where ${where.join(',')}`] : []),
    ...(sample === undefined ? [] : [`--sample ${sample} of seed ${seed}`]),
  ].join(' ')

/** What artifacts and exports hold; all by default. The ledger always keeps everything: resume, replay and `bench show` need it. */
export const Capture = z.strictObject({
  prompts: z
    .boolean()
    .optional()
    .describe('Prompts and system prompts in the HTML page and in `bench show` without --full.'),
  usage: z.boolean().optional().describe("The provider's usage object in `bench show --tokens --json`."),
  outputs: z.boolean().optional().describe('Outputs of workflows in artifacts/TRIAL/outputs.'),
  summaries: z
    .boolean()
    .optional()
    .describe('Summaries that a workflow generates, in artifacts/TRIAL/outputs.'),
  previews: z
    .boolean()
    .optional()
    .describe(
      'The first words of outputs in summary.md, reports, the HTML page and `bench show` without --full.',
    ),
})
export type Capture = z.infer<typeof Capture>

/** The commit of a checkout, and whether tracked files differ from it. */
const GitState = z.object({ commit: z.string(), dirty: z.boolean() })
export type GitState = z.infer<typeof GitState>

/** The agents of a method that asks several, from cheap to dear, each with the method that asks it alone (`--bracket`). */
export const Bracket = z.object({
  method: z.string(),
  /** How the order was decided. */
  by: z.enum(['prices', 'roles']),
  agents: z.array(z.object({ agent: z.string(), row: z.string() })).min(2),
})
export type Bracket = z.infer<typeof Bracket>

/** A part of a run: of the blocks of the whole run in the order of its plan `index`, `index + of`, and so on. */
const Shard = z.object({
  index: z.int().positive(),
  of: z.int().positive(),
  /** Id of the whole run: a digest of all that its shards have in common. */
  run: z.string(),
})
export type Shard = z.infer<typeof Shard>

/** The number of shards of a run, and those that were joined, each with the bytes of its lines, which follow one another in its order. */
const Joined = z.object({
  of: z.int().positive(),
  shards: z.array(
    z.object({
      index: z.int().positive(),
      steps: z.int().nonnegative(),
      events: z.int().nonnegative(),
      people: z.int().nonnegative(),
    }),
  ),
})

/** run.json: the request of a run. Written once, never changed. */
export const RunManifest = z.object({
  schemaVersion: z.literal(schemaVersion),
  id: z.string(),
  createdAt: z.string(),
  /** What has changed since the last run, as its author says; absent: nothing was said. */
  note: z.string().optional(),
  /** Versions of the harness and of Node. */
  versions: z.object({ bench: z.string(), node: z.string(), platform: z.string() }),
  /** The checkout in which bench was called. */
  git: GitState.nullable(),
  mode: z.enum(settings.mode.value),
  /** True if its numbers are simulated: they describe the profile, not the methods. */
  simulated: z.boolean(),
  /** What is known of the recorded replies of its agents, by agent; absent: all replies are given in the run. */
  recorded: z.record(z.string(), RecordedFacts).optional(),
  /** The results of another harness of which it was made (bench import); absent: it ran here. */
  imported: ImportedFacts.optional(),
  /** The folder in which the run was started. Relative paths in agents' names start here. */
  cwd: z.string(),
  seed: z.int(),
  epochs: z.int().positive(),
  /** Task selectors as given, to find the tasks again. */
  taskSelectors: z.array(z.string()),
  /** Which of the selected tasks it has; absent: all. */
  taskFilter: TaskFilter.optional(),
  tasks: z.array(
    z.object({
      ref: z.string(),
      digest: z.string(),
      /** Properties of the task that are numbers, as it states them. Absent if it states none, and in older runs. */
      properties: z.record(z.string(), z.number()).optional(),
      /** Its cluster: tasks with the same word are alike. Absent if it states none, and in older runs. */
      cluster: z.string().optional(),
      /** The first task of the run whose texts are the same but for numbers and spaces; absent: it is this one, or none is. */
      like: z.string().optional(),
    }),
  ),
  /** `--skip-invalid`: how many items of each selector were left out, since they could not be read. Absent without the flag. */
  skipInvalid: z.array(SkippedItems).optional(),
  /** How rows that state no grader are graded. Absent if there are none, and in older runs. */
  guessedGraders: z.array(GuessedGraders).optional(),
  /** Files with functions that grade, which tables name, by absolute path. Absent if there are none. */
  graderFiles: z.array(z.string()).optional(),
  methods: z.array(Method).min(1),
  /** Agents by role, `*` for all others; if there are several sets, those of the first. */
  agents: z.record(z.string(), z.string()),
  /** SHA-256 of the modules of scripted agents and of the files of recorded ones, by agent. Absent without such agents, and in older runs: then a changed module is not noticed. */
  agentDigests: z.record(z.string(), z.string()).optional(),
  /** All sets of agents; absent if there is one. */
  agentSets: z.array(AgentSet).min(2).optional(),
  /** Who judges the work of tasks with a rubric; absent if no task has one. */
  judges: z.array(z.string()).min(1).optional(),
  /** Settings of agents and providers. */
  agentSettings: AgentSettings.optional(),
  providers: z.record(z.string(), ProviderSetting).optional(),
  /** The config file and its SHA-256. Its options are resolved in the other fields. */
  config: z.object({ file: z.string(), digest: z.string() }).optional(),
  /** Absent: artifacts and exports hold everything. */
  capture: Capture.optional(),
  /** Candidates are graded, too. */
  gradeCandidates: z.literal(true).optional(),
  /** Of which trials workspaces/TRIAL is kept; absent: of none. A session may change it (sessions.jsonl). */
  keepWorkspaces: KeepWorkspaces.optional(),
  /** The file from which verdicts of code are taken, as typed; absent: code is run. */
  verdicts: z.string().optional(),
  /** The complete profile of simulated agents, so that replay needs no other file. */
  profile: z.object({ id: z.string(), digest: z.string(), content: z.unknown() }).nullable(),
  /** Limits of each trial. */
  limits: Limits,
  /** Limits that are defaults: a task's own limits override them. */
  usualLimits: z.array(z.literal('calls')).optional(),
  /** Default limits of each ask. */
  askLimits: Budget.optional(),
  /** Maximum retries of an ask after transient failures; absent in older runs. */
  retries: z.int().min(0).optional(),
  /** Injected faults, as shares of attempts by role. */
  faults: Faults.optional(),
  /** Budgets at the start of the run; each session may change them (sessions.jsonl). Absent if there are none. */
  budgets: Budgets.optional(),
  /** Limits in dollars or tokens may be unable to count some calls: `--allow-unpriced`. */
  allowUnpriced: z.literal(true).optional(),
  /** Agents that are programs may use what their provider runs, such as a search: `--allow-provider-tools`. */
  allowProviderTools: z.literal(true).optional(),
  /** Addresses of real models by agent, without user, password and query. */
  endpoints: z.record(z.string(), z.string()).optional(),
  /** Versions of agent programs by agent, at the start of the run. */
  agentVersions: z.record(z.string(), z.string()).optional(),
  /** Prices of real models. */
  prices: RunPrices.optional(),
  /** SHA-256 of the preamble of producing roles. */
  preamble: z.string(),
  /** What the report places between the agents alone; absent without `--bracket`. */
  bracket: z.array(Bracket).optional(),
  /** The method that the others are compared with. */
  baseline: z.string().nullable(),
  /** How the methods are compared, fixed before the first trial; absent in older runs. */
  comparison: ComparisonPlan.optional(),
  /** SHA-256 of the graders and of the whole harness, and its commit if it is a checkout; null if it runs from sources without a build. */
  harness: z
    .object({ graders: z.string(), code: z.string(), git: GitState.optional() })
    .nullable()
    .optional(),
  /** A free request on the user's folder, which is not graded. */
  request: z
    .object({
      instruction: z.string(),
      workspace: z.string(),
      /** Files that were left out, and why; never their contents; at most 1,000 paths. */
      leftOut: z.array(Rejected).optional(),
      /** Files that were included because the user named them. */
      included: z.array(z.string()).optional(),
    })
    .optional(),
  /** Names of the variables whose values are redacted. */
  secrets: z.array(z.string()).optional(),
  /** Of a shard: its own trials. */
  trials: z.int(),
  /** Which part of a whole run this folder does (`--shard`); absent: all of it. */
  shard: Shard.optional(),
  /** The shards whose lines `bench runs join` copied into this folder; absent: it was not joined. */
  joined: Joined.optional(),
  /** Workers did its blocks (`--queue`); what code runs in and the programs that tasks need, on the machine where it began. Absent: one process did all. */
  queue: z.object({ sandbox: SandboxLevel.nullable(), tools: z.record(z.string(), z.string()) }).optional(),
  /** SHA-256 of all other fields as canonical JSON. */
  sum: z.string().optional(),
})
export type RunManifest = z.infer<typeof RunManifest> & {
  /** Tasks of the plans before amendments, by their names in records; never in run.json. */
  earlierTasks?: z.infer<typeof RunManifest>['tasks']
}
