import {
  list,
  option,
  planSettings,
  type Setting,
  type SettingPlace,
  text,
  texts,
  toggle,
} from './plan-settings.ts'

/** How a session runs, and what it writes. */
const sessionSettings = {
  out: text('--out <dir>', {
    in: ['api', 'fixed'],
    help: 'the run folder (default: results/<date>-<id>)',
  }),
  note: text('--note <text>', {
    in: ['api', 'fixed'],
    help: 'what has changed since the last run, in a few words, for bench history',
  }),
  /** Only settings that do not change its trials may be set too: `parallel`, limits of run and methods, `keepWorkspaces`, `failIf`, `retryErrors` and the like. */
  resume: text('--resume <run>', { in: ['api'], help: 'resume an interrupted run' }),
  shard: text('--shard <k/n>', {
    in: ['api', 'fixed'],
    help: 'do part K of N of the run, or auto/N: the number of a Slurm array or an indexed Job; see bench runs join',
  }),
  queue: text('--queue <url>', {
    help: 'let workers do the blocks of the run, which they take from a PostgreSQL: postgres://USER@HOST/DATABASE; see bench work',
  }),
  share: text('--share <dir>', {
    help: 'with --queue: the folder of runs that this machine and all workers see',
  }),
  /** With more `epochs`, `tasks`, `methods` or `agents`; else as `resume`. */
  extend: text('--extend <run>', {
    in: ['api'],
    help: 'add to a run: --epochs in all, further --tasks, --methods or --agents; old trials stay as they are',
  }),
  acceptChanges: toggle('--accept-changes', {
    in: ['api', 'resumed'],
    help: 'with --resume: go on although tasks, scripted agents or strategy files have changed; tables say so',
  }),
  retryErrors: toggle('--retry-errors', {
    in: ['api', 'resumed'],
    help: 'with --resume: run trials again that ended in error or lost steps',
  }),
  takeOver: toggle('--take-over', {
    in: ['api', 'resumed'],
    help: 'with --resume: take the folder from a bench process that died on another machine or in another container',
  }),
  repair: toggle('--repair', {
    in: ['api', 'resumed'],
    help: 'with --resume: repair a folder that two bench processes wrote to, and report what is dropped',
  }),
  trustCode: toggle('--trust-code', {
    in: ['api', 'part'],
    help: 'allow for this call what documents, the config file or a run of somebody else name: keys, addresses, code, programs, files; read them first',
  }),
  /** See `RunResult.repeatedFailure`. */
  keepGoing: toggle('--keep-going', {
    in: ['file', 'api'],
    help: 'do not stop when a method fails in the same way in its first five trials, or when no ask is answered',
  }),
  /** They count from the warning on stderr, which comes ten seconds after the block began. Default in a request: only the warning. */
  endBlocked: option('seconds')('--end-blocked <s>', {
    in: ['file', 'api'],
    help: 'end the run (resumable) if your code still blocks it this many seconds after the warning (default: 30), or none',
    file: 'In seconds.',
  }),
  /** Default yes, or for `resume` as before. `park`: see `RunResult.waiting`. */
  approve: option('policy')('--approve <policy>', {
    in: ['file', 'api', 'part'],
    help: 'who answers when a method asks a person: ask (at the terminal), yes, abort, park (trials wait for bench approve), or file:PATH (default: ask at a terminal, else yes; with --resume: as before)',
    file: 'Who answers when a method asks a person: ask, yes, abort, park or file:PATH.',
  }),
  /** See `RunResult.held`. */
  failIf: list('--fail-if <list>', {
    in: ['file', 'api'],
    help: 'exit with code 1 if a condition holds: METHOD.success<0.8, better(A, B), …; comma-separated',
  }),
  junit: text('--junit <file>', { help: 'write the trials as a JUnit file' }),
  stepSummary: text('--step-summary <file>', {
    help: 'append the tables to this Markdown file (default: GITHUB_STEP_SUMMARY, if set)',
  }),
  notify: text('--notify <target>', {
    help: 'tell this command or http(s) address how the run ended, as JSON (default: notify of the config file), or none',
  }),
  instruction: text('--instruction <file>', {
    in: ['api', 'fixed'],
    help: 'a file with a free request, to run instead of tasks; not graded',
  }),
  workspace: text('--workspace <dir>', {
    in: ['api', 'fixed'],
    help: 'with --instruction: the folder to work on, which is only read; leaves out what git ignores, .env and keys',
  }),
  include: texts('--include <path>', {
    in: ['api', 'fixed'],
    help: 'include a file or folder of the workspace that would be left out; may be repeated',
  }),
  sandbox: text('--sandbox <adapter>', {
    in: ['file', 'api', 'part'],
    help: 'sandbox for code: auto, bubblewrap, docker, podman or none (default: auto, the best available; see bench doctor)',
  }),
  gradeCandidates: toggle('--grade-candidates', {
    in: ['file', 'api', 'fixed'],
    help: 'also grade intermediate answers, to show which agent had a right answer and which lost it',
  }),
  verdicts: text('--verdicts <file>', {
    in: ['api', 'fixed'],
    help: 'take verdicts of code from this file instead of running it, where it has one of the same task and work',
  }),
  updateVerdicts: toggle('--update-verdicts', {
    in: ['api'],
    help: 'with --verdicts: add the verdicts that the file lacks, or make the file',
  }),
  proveVerdicts: text('--prove-verdicts <part>', {
    in: ['api'],
    help: 'with --verdicts: run a part of them again, such as 1/10 (the first of ten parts) or all; a trial whose verdict differs ends in error',
  }),
  keepWorkspaces: option(['failed', 'all', 'none'])('--keep-workspaces <which>', {
    in: ['file', 'api'],
    help: 'keep the files of trials in workspaces/TRIAL of the run folder, with a git repository of the changes: failed, all or none (default: none)',
    file: 'Of which trials workspaces/TRIAL is kept.',
  }),
  allowUnsandboxed: toggle('--allow-unsandboxed', {
    in: ['file', 'api', 'part'],
    help: 'run code of paid agents, and agent programs, even if the sandbox does not stop every attack',
  }),
  allowProviderTools: toggle('--allow-provider-tools', {
    in: ['file', 'api', 'fixed', 'part'],
    help: 'let agent programs use what their provider runs, such as a web search; recorded as tools of the row (default: refused)',
    file: 'Agent programs may use what their provider runs, such as a web search.',
  }),
  secret: texts('--secret <name>', {
    in: ['part'],
    help: 'another environment variable whose value is redacted; may be repeated',
  }),
  dryRun: toggle('--dry-run', { help: 'estimate calls, tokens and cost; run nothing' }),
  estimateFrom: text('--estimate-from <run>', {
    help: 'base the estimate on an earlier run (default: on a simulation)',
  }),
  confirmAbove: text('--confirm-above <usd>', {
    in: ['part'],
    help: 'ask before a run with a paid agent that may cost more than this',
  }),
  yes: toggle('--yes', {
    in: ['api', 'part'],
    help: 'do not ask, and accept a --workspace of more than 200 files or 2 MB',
  }),
  /** A request overrides it; there is no default. */
  config: text('--config <file>', {
    in: ['api', 'part'],
    help: 'file with defaults and named agents (default: bench.config.yaml, if present)',
  }),
  noConfig: toggle('--no-config', { in: ['part'], help: 'ignore bench.config.yaml' }),
  json: toggle('--json', { in: ['part'], help: 'print the result as JSON' }),
  quiet: toggle('--quiet', { in: ['part'], help: 'print no progress' }),
  view: toggle('--view', { help: 'show the run in the browser while it works, and after it until Ctrl-C' }),
}

/** All options of `bench run`, in the order of the help. Flags, help, config file, requests and the rules of resume come from here. */
export const settings = { ...planSettings, ...sessionSettings }

/** The type of the table. */
export type Settings = typeof settings
/** The name of an option. */
export type SettingName = keyof Settings

/** The settings that count in a place. */
export type SettingIn<Place extends SettingPlace> = {
  [Name in SettingName]: Place extends Settings[Name]['in'][number] ? Name : never
}[SettingName]

/** Every name with its setting. */
export const settingEntries = Object.entries(settings) as [SettingName, Setting][]

/** Returns the settings that count in a place. */
export const settingsIn = <const Place extends SettingPlace>(place: Place): SettingIn<Place>[] =>
  settingEntries.flatMap(([name, row]) => (row.in.includes(place) ? [name as SettingIn<Place>] : []))

/** Returns the flag of an option, without its value: `--match-budget`. */
export const flagOf = (name: SettingName): string => settings[name].flag.replace(/ .*/, '')

/** Returns the setting whose flag a text begins with, and the rest of the text. */
export function leadingSetting(text: string): { name: SettingName; rest: string } | undefined {
  const [, flag, rest = ''] = /^(--[\w-]+)(.*)$/s.exec(text) ?? []
  const [name] = settingEntries.find(([name]) => flagOf(name) === flag) ?? []
  return name && { name, rest }
}

/** The headings of `bench run --help`, each with its options, in the order of the help. Every setting is under one (a test). */
export const settingTopics: Readonly<Record<string, readonly SettingName[]>> = {
  'What to run:': ['tasks', 'skipInvalid', 'tag', 'where', 'sample', 'methods', 'epochs', 'seed', 'parallel'],
  'Who answers:': [
    ...(['agents', 'agent', 'judges', 'mode', 'dev', 'profile', 'tools', 'toolTurns', 'prices'] as const),
    ...(['allowProviderTools', 'approve'] as const),
  ],
  'Before it begins:': ['dryRun', 'estimateFrom', 'confirmAbove', 'yes', 'config', 'noConfig'],
  'Limits:': [
    ...(['maxCost', 'maxTokens', 'maxCalls', 'maxTime', 'methodLimit', 'limit', 'allowUnpriced'] as const),
    ...(['retries', 'keepGoing', 'endBlocked'] as const),
  ],
  'What is compared:': [
    ...(['baseline', 'family', 'outcome', 'margin', 'instructions', 'matchBudget', 'bracket'] as const),
    ...(['stopWhen', 'gradeCandidates', 'calibration', 'inject'] as const),
  ],
  'The run folder, and how to go on:': [
    ...(['out', 'note', 'keepWorkspaces', 'shard', 'queue', 'share', 'resume', 'extend'] as const),
    ...(['retryErrors', 'acceptChanges', 'takeOver', 'repair'] as const),
  ],
  'What it prints and tells:': ['json', 'quiet', 'view', 'failIf', 'junit', 'stepSummary', 'notify'],
  'Code and keys:': ['sandbox', 'allowUnsandboxed', 'trustCode', 'secret'],
  'A free request instead of tasks:': ['instruction', 'workspace', 'include'],
  'Verdicts from a file:': ['verdicts', 'updateVerdicts', 'proveVerdicts'],
}
