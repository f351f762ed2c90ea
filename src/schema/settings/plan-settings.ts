/**
 * What a value is. `texts`: given once for each text. `list`: one text with commas, or a list. `tasks`: a list, or their number.
 * `agents`: one, or in a file several that each run every method. `policy`: who answers approvals. `count`, `natural` and `turns`: a
 * whole number of at least 1, 0 and 2. `points`: percentage points between 0 and 100. `seconds`: or none. Words: one of them.
 */
type SettingValue =
  | 'switch'
  | 'text'
  | 'texts'
  | 'list'
  | 'tasks'
  | 'agents'
  | 'policy'
  | NumberValue
  | readonly string[]
type NumberValue = 'count' | 'natural' | 'turns' | 'points' | 'seconds'

/**
 * Where a setting counts, besides `bench run`. `file`: under `run:` of the config file. `api`: as a field of a request. `part`: when a
 * part of a method runs alone. `pilot`: in `bench power`. `fixed`: a resumed run keeps it. `resumed`: only a resumed run has it.
 */
export type SettingPlace = 'file' | 'api' | 'part' | 'pilot' | 'fixed' | 'resumed'

/** An option of `bench run`. */
export interface Setting<Value = SettingValue, Place = SettingPlace> {
  /** As in the help: `--margin <points>`. */
  flag: string
  value: Value
  in: readonly Place[]
  help: string
  /** What the schema of the config file says of it. */
  file?: string
}

/** Returns a function that declares options with a kind of value. */
export const option =
  <const Value extends SettingValue>(value: Value) =>
  <const Place extends SettingPlace = never>(
    flag: string,
    row: { in?: readonly Place[]; help: string; file?: string },
  ): Setting<Value, Place> => ({ flag, value, in: [], ...row })

/** Declares a switch. */
export const toggle = option('switch')
/** Declares an option with a text. */
export const text = option('text')
/** Declares an option that may be repeated. */
export const texts = option('texts')
/** Declares an option with a list. */
export const list = option('list')
const count = option('count')
const natural = option('natural')

/** What a run plans, and what limits it, in the order of the help. */
export const planSettings = {
  /** A list is an array, or a text with commas. */
  tasks: option('tasks')('--tasks <list>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'tasks to run: all, a number (a seeded sample), names, globs, suites, NAME:PATH[:slice], …',
  }),
  skipInvalid: toggle('--skip-invalid', {
    in: ['api', 'fixed'],
    help: 'leave out tasks of NAME:PATH that cannot be read, such as malformed lines; the report counts them',
  }),
  tag: list('--tag <list>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'only tasks with one of these tags, comma-separated',
    file: 'Only tasks with one of these tags.',
  }),
  where: list('--where <list>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: "only tasks for which all conditions hold, comma-separated, such as 'difficulty>=0.5' or language=python",
    file: 'Only tasks for which all conditions hold, such as difficulty>=0.5.',
  }),
  sample: count('--sample <n>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'a sample of n tasks, by suite and difficulty; the same seed draws the same tasks',
    file: 'A sample of so many tasks, by suite and difficulty.',
  }),
  methods: list('--methods <list>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'methods to run, comma-separated: name[option=value,…], name:DOCUMENT, LABEL=name[…], or a file',
  }),
  agents: option('agents')('--agents <list>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'the agent for all roles, as provider:model (default: simulated in dev mode); with A,B each method runs with A and with B; ROLE=A is the agent for one role',
    file: 'The agent for all roles, in live mode. With several agents, each runs every method.',
  }),
  agent: texts('--agent <role=name>', {
    in: ['fixed', 'part'],
    help: 'the agent for one role; may be repeated',
  }),
  judges: list('--judges <list>', {
    in: ['file', 'api'],
    help: 'the agents that judge tasks with a rubric: A or A,B (default: simulated in dev mode); their spending counts for no method',
    file: 'The agents that judge tasks with a rubric, in live mode.',
  }),
  instructions: list('--instructions <list>', {
    in: ['file', 'api', 'fixed'],
    help: 'several wordings, comma-separated: files with further instructions beside each task, or default for none; each method runs with each',
    file: 'Files with further instructions beside each task, or default; each method runs with each.',
  }),
  mode: option(['dev', 'live'])('--mode <mode>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'dev (no model, no cost, virtual time; rejects paid agents and agent programs) or live (default: dev)',
  }),
  dev: toggle('--dev', { in: ['fixed', 'part'], help: 'same as --mode dev' }),
  /** An empty list gives none, as `none` does. */
  tools: list('--tools <list>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'tools that agents may call before they answer: read, list, write, check, memory, or names of tools in the config file (default: none); a method can have its own: name[tools=read+write]',
    file: 'Tools of every `produce` role: read, list, write, check, memory, or names of `tools`; or none.',
  }),
  toolTurns: option('turns')('--tool-turns <n>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'most turns of one ask with tools, the answer included (default: 20)',
    file: 'Most turns of one ask with tools. Default: 20.',
  }),
  profile: text('--profile <name|file>', {
    in: ['file', 'api', 'fixed', 'part', 'pilot'],
    help: 'behaviour profile of the simulated agents (default: default)',
  }),
  prices: text('--prices <file>', {
    in: ['api', 'fixed', 'part'],
    help: 'your own prices, which override the list prices',
  }),
  epochs: count('--epochs <n>', {
    in: ['file', 'api', 'fixed'],
    help: 'how often each method runs each task (default: 1)',
  }),
  seed: natural('--seed <n>', {
    in: ['file', 'api', 'fixed', 'part', 'pilot'],
    help: 'seed of the plan, the task sample and the simulation (default: 1)',
  }),
  parallel: count('--parallel <n>', {
    in: ['file', 'api'],
    help: 'trials that run at the same time (default: number of processors)',
  }),
  limit: text('--limit <list>', {
    in: ['fixed', 'part'],
    help: 'limits of each trial: calls=N,checks=N,tokens=N,costUsd=X,timeMs=N; N may be none (default: calls=500 in live mode, none in dev mode)',
  }),
  maxCost: text('--max-cost <usd>', {
    in: ['part'],
    help: 'stop the run (resumable) once it has spent this much; none: no limit',
  }),
  maxTokens: text('--max-tokens <n>', {
    help: 'stop the run once it has used this many input and output tokens',
  }),
  maxCalls: text('--max-calls <n>', { help: 'stop the run after this many calls, retries included' }),
  maxTime: text('--max-time <s>', {
    in: ['part'],
    help: 'stop the run after this many seconds of real time, over all its sessions',
  }),
  methodLimit: text('--method-limit <list>', {
    help: 'stop each method, or one METHOD, at a limit: calls=N,METHOD.tokens=N,costUsd=X,timeMs=N',
  }),
  allowUnpriced: toggle('--allow-unpriced', {
    in: ['file', 'api', 'part'],
    help: 'run although a limit in dollars or tokens cannot count the calls of an agent, since its price or count is unknown',
    file: 'Run although a limit in dollars or tokens cannot count some calls.',
  }),
  retries: natural('--retries <n>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'maximum retries of a call after a temporary failure (default: 3); see bench agents',
  }),
  inject: texts('--inject <list>', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'inject faults into a share of the calls: [ROLE:]KIND=RATE,…; may be repeated; see bench agents',
  }),
  baseline: text('--baseline <label>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'the method that the others are compared with (default: baseline, else the first)',
  }),
  matchBudget: text('--match-budget <method[:unit]>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: "best-of, retry and self-consistency make as many attempts as METHOD's spending on the task pays for, in tokens (default), dollars or calls",
  }),
  bracket: toggle('--bracket', {
    in: ['file', 'api', 'fixed'],
    help: 'add the baseline on each agent of a method that asks several; the report places the method between them',
  }),
  family: option(['all', 'baseline'])('--family <pairs>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'pairs to compare: all, or baseline (each method with the baseline) (default: all)',
  }),
  outcome: option(['success', 'score'])('--outcome <name>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'what to compare: success or score (default: success)',
  }),
  margin: option('points')('--margin <points>', {
    in: ['file', 'api', 'fixed'],
    help: 'non-inferiority margin, percentage points',
    file: 'In percentage points.',
  }),
  stopWhen: text('--stop-when <rule>', {
    in: ['file', 'api', 'fixed'],
    help: 'settled: stop the run once the result of every pair is settled',
  }),
  calibration: toggle('--calibration', {
    in: ['api', 'fixed'],
    help: 'test simulated results too, to measure how often the statistical procedures err',
  }),
}
