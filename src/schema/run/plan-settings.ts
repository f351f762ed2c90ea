/** What a value is. A list of words: one of them. */
type SettingValue =
  | 'switch'
  | 'text'
  /** Given once for each text. */
  | 'texts'
  /** One text with commas, or a list. */
  | 'list'
  /** Tasks: a list, or their number. */
  | 'tasks'
  /** An agent, or with a list in a file several that each run every method. */
  | 'agents'
  /** Who answers approvals. */
  | 'policy'
  /** A whole number of at least 1, 0 or 2. */
  | 'count'
  | 'natural'
  | 'turns'
  /** Percentage points between 0 and 100. */
  | 'points'
  /** Seconds, or none. */
  | 'seconds'
  | readonly string[]

/**
 * Where a setting counts, besides `bench run`. `file`: under `run:` of the config file. `api`: as a field of a request. `part`: when a
 * part of a method runs alone. `pilot`: in `bench power`. `fixed`: a resumed run keeps it. `resumed`: only a resumed run has it.
 */
export type SettingPlace = 'file' | 'api' | 'part' | 'pilot' | 'fixed' | 'resumed'

/** An option of `bench run`. */
export interface Setting<
  Flag extends string = string,
  Value extends SettingValue = SettingValue,
  Place extends SettingPlace = SettingPlace,
> {
  /** As in the help: `--margin <points>`. */
  flag: Flag
  value: Value
  in: readonly Place[]
  help: string
  /** What the schema of the config file says of it. */
  file?: string
}

/** By default a flag with a value takes a text, and another flag is a switch. */
type DefaultValue<Flag> = Flag extends `${string} <${string}` ? 'text' : 'switch'

/** Returns an option of `bench run`. */
export function setting<
  const Flag extends string,
  const Value extends SettingValue = DefaultValue<Flag>,
  const Place extends SettingPlace = never,
>(
  flag: Flag,
  row: { value?: Value; in?: readonly Place[]; help: string; file?: string },
): Setting<Flag, Value, Place> {
  const usual = (flag.includes(' <') ? 'text' : 'switch') as Value
  return { flag, value: usual, in: [], ...row }
}

/** What a run plans, and what limits it, in the order of the help. */
export const planSettings = {
  /** A list is an array, or a text with commas. */
  tasks: setting('--tasks <list>', {
    value: 'tasks',
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'tasks to run: all, a number (a seeded sample), names, globs, suites, NAME:PATH[:slice], …',
  }),
  skipInvalid: setting('--skip-invalid', {
    in: ['api', 'fixed'],
    help: 'leave out tasks of NAME:PATH that cannot be read, such as malformed lines; the report counts them',
  }),
  tag: setting('--tag <list>', {
    value: 'list',
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'only tasks with one of these tags, comma-separated',
    file: 'Only tasks with one of these tags.',
  }),
  where: setting('--where <list>', {
    value: 'list',
    in: ['file', 'api', 'fixed', 'pilot'],
    help: "only tasks for which all conditions hold, comma-separated, such as 'difficulty>=0.5' or language=python",
    file: 'Only tasks for which all conditions hold, such as difficulty>=0.5.',
  }),
  sample: setting('--sample <n>', {
    value: 'count',
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'a sample of n tasks, by suite and difficulty; the same seed draws the same tasks',
    file: 'A sample of so many tasks, by suite and difficulty.',
  }),
  methods: setting('--methods <list>', {
    value: 'list',
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'methods to run, comma-separated: name[option=value,…], name:DOCUMENT, LABEL=name[…], or a file',
  }),
  agents: setting('--agents <list>', {
    value: 'agents',
    in: ['file', 'api', 'fixed', 'part'],
    help: 'the agent for all roles, as provider:model (default: simulated in dev mode); with A,B each method runs with A and with B',
    file: 'The agent for all roles, in live mode. With several agents, each runs every method.',
  }),
  agent: setting('--agent <role=name>', {
    value: 'texts',
    in: ['fixed', 'part'],
    help: 'the agent for one role; may be repeated',
  }),
  judges: setting('--judges <list>', {
    value: 'list',
    in: ['file', 'api'],
    help: 'the agents that judge tasks with a rubric: A or A,B (default: simulated in dev mode); their spend is on no method',
    file: 'The agents that judge tasks with a rubric, in live mode.',
  }),
  mode: setting('--mode <mode>', {
    value: ['dev', 'live'],
    in: ['file', 'api', 'fixed', 'part'],
    help: 'dev (no model, no cost, virtual time; rejects paid agents and agent programs) or live (default: dev)',
  }),
  dev: setting('--dev', { in: ['fixed', 'part'], help: 'same as --mode dev' }),
  /** An empty list gives none, as `none` does. */
  tools: setting('--tools <list>', {
    value: 'list',
    in: ['file', 'api', 'fixed', 'part'],
    help: 'tools that agents may call before they answer: read, list, write, check, memory, or names of tools in the config file (default: none); a method can have its own: name[tools=read+write]',
    file: 'Tools of every `produce` role: read, list, write, check, memory, or names of `tools`; or none.',
  }),
  toolTurns: setting('--tool-turns <n>', {
    value: 'turns',
    in: ['file', 'api', 'fixed', 'part'],
    help: 'most turns of one ask with tools, the answer included (default: 20)',
    file: 'Most turns of one ask with tools. Default: 20.',
  }),
  profile: setting('--profile <name|file>', {
    in: ['file', 'api', 'fixed', 'part', 'pilot'],
    help: 'behaviour profile of the simulated agents (default: default)',
  }),
  prices: setting('--prices <file>', {
    in: ['api', 'fixed', 'part'],
    help: 'your own prices, which override the list prices',
  }),
  epochs: setting('--epochs <n>', {
    value: 'count',
    in: ['file', 'api', 'fixed'],
    help: 'how often each method runs each task (default: 1)',
  }),
  seed: setting('--seed <n>', {
    value: 'natural',
    in: ['file', 'api', 'fixed', 'part', 'pilot'],
    help: 'seed of the plan, the task sample and the simulation (default: 1)',
  }),
  parallel: setting('--parallel <n>', {
    value: 'count',
    in: ['file', 'api'],
    help: 'trials that run at the same time (default: number of processors)',
  }),
  limit: setting('--limit <list>', {
    in: ['fixed', 'part'],
    help: 'limits of each trial: calls=N,checks=N,tokens=N,costUsd=X,timeMs=N; N may be none (default: calls=500 in live mode, none in dev mode)',
  }),
  maxCost: setting('--max-cost <usd>', {
    in: ['part'],
    help: 'stop the run (resumable) once it has spent this much; none: no limit',
  }),
  maxTokens: setting('--max-tokens <n>', {
    help: 'stop the run once it has used this many input and output tokens',
  }),
  maxCalls: setting('--max-calls <n>', { help: 'stop the run after this many calls, retries included' }),
  maxTime: setting('--max-time <s>', {
    in: ['part'],
    help: 'stop the run after this many seconds of real time, over all its sessions',
  }),
  methodLimit: setting('--method-limit <list>', {
    help: 'stop each method, or one METHOD, at a limit: calls=N,METHOD.tokens=N,costUsd=X,timeMs=N',
  }),
  allowUnpriced: setting('--allow-unpriced', {
    in: ['file', 'api', 'part'],
    help: 'run although a limit in dollars or tokens cannot count the calls of an agent, since its price or count is unknown',
    file: 'Run although a limit in dollars or tokens cannot count some calls.',
  }),
  retries: setting('--retries <n>', {
    value: 'natural',
    in: ['file', 'api', 'fixed', 'part'],
    help: 'maximum retries of a call after a temporary failure (default: 3); see bench agents',
  }),
  inject: setting('--inject <list>', {
    value: 'texts',
    in: ['file', 'api', 'fixed', 'part'],
    help: 'inject faults into a share of the calls: [ROLE:]KIND=RATE,…; may be repeated; see bench agents',
  }),
  baseline: setting('--baseline <label>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'the method that the others are compared with (default: baseline, else the first)',
  }),
  matchBudget: setting('--match-budget <method[:unit]>', {
    in: ['file', 'api', 'fixed', 'pilot'],
    help: "best-of, retry and self-consistency make as many attempts as METHOD's spending on the task pays for, in tokens (default), dollars or calls",
  }),
  family: setting('--family <pairs>', {
    value: ['all', 'baseline'],
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'pairs to compare: all, or baseline (each method with the baseline) (default: all)',
  }),
  outcome: setting('--outcome <name>', {
    value: ['success', 'score'],
    in: ['file', 'api', 'fixed', 'pilot'],
    help: 'what to compare: success or score (default: success)',
  }),
  margin: setting('--margin <points>', {
    value: 'points',
    in: ['file', 'api', 'fixed'],
    help: 'non-inferiority margin, percentage points',
    file: 'In percentage points.',
  }),
  stopWhen: setting('--stop-when <rule>', {
    in: ['file', 'api', 'fixed'],
    help: 'settled: stop the run once the result of every pair is settled',
  }),
  calibration: setting('--calibration', {
    in: ['api', 'fixed'],
    help: 'test simulated results too, to measure how often the statistical procedures err',
  }),
}
