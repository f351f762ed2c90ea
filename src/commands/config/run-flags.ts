import { type Command, Option } from 'commander'
import { filterFlags } from '../values/filter-flags.ts'

/** The options of `bench run` with their help texts, in the order of the help. */
const flags = {
  '--tasks <list>':
    'tasks to run: all, a number (a seeded sample), names, globs, suites, NAME:PATH[:slice], …',
  '--skip-invalid':
    'leave out tasks of NAME:PATH that cannot be read, such as malformed lines; the report counts them',
  ...filterFlags,
  '--methods <list>':
    'methods to run, comma-separated: name[option=value,…], name:DOCUMENT, LABEL=name[…], or a file',
  '--agents <list>':
    'the agent for all roles, as provider:model (default: simulated in dev mode); with A,B each method runs with A and with B',
  '--agent <role=name>': 'the agent for one role; may be repeated',
  '--judges <list>':
    'the agents that judge tasks with a rubric: A or A,B (default: simulated in dev mode); their spend is on no method',
  '--mode <mode>':
    'dev (no model, no cost, virtual time; rejects paid agents and agent programs) or live (default: dev)',
  '--dev': 'same as --mode dev',
  '--tools <list>':
    'tools that agents may call before they answer: read, list, write, check, memory, or names of tools in the config file (default: none); a method can have its own: name[tools=read+write]',
  '--tool-turns <n>': 'most turns of one ask with tools, the answer included (default: 20)',
  '--profile <name|file>': 'behaviour profile of the simulated agents (default: default)',
  '--prices <file>': 'your own prices, which override the list prices',
  '--epochs <n>': 'how often each method runs each task (default: 1)',
  '--seed <n>': 'seed of the plan, the task sample and the simulation (default: 1)',
  '--parallel <n>': 'trials that run at the same time (default: number of processors)',
  '--limit <list>':
    'limits of each trial: calls=N,checks=N,tokens=N,costUsd=X,timeMs=N; N may be none (default: calls=500 in live mode, none in dev mode)',
  '--max-cost <usd>': 'stop the run (resumable) once it has spent this much; none: no limit',
  '--max-tokens <n>': 'stop the run once it has used this many input and output tokens',
  '--max-calls <n>': 'stop the run after this many calls, retries included',
  '--max-time <s>': 'stop the run after this many seconds of real time, over all its sessions',
  '--method-limit <list>':
    'stop each method, or one METHOD, at a limit: calls=N,METHOD.tokens=N,costUsd=X,timeMs=N',
  '--allow-unpriced':
    'run although a limit in dollars or tokens cannot count the calls of an agent, since its price or count is unknown',
  '--retries <n>': 'maximum retries of a call after a temporary failure (default: 3); see bench agents',
  '--inject <list>':
    'inject faults into a share of the calls: [ROLE:]KIND=RATE,…; may be repeated; see bench agents',
  '--baseline <label>': 'the method that the others are compared with (default: baseline, else the first)',
  '--match-budget <method[:unit]>':
    "best-of, retry and self-consistency make as many attempts as METHOD's spending on the task pays for, in tokens (default), dollars or calls",
  '--family <pairs>': 'pairs to compare: all, or baseline (each method with the baseline) (default: all)',
  '--outcome <name>': 'what to compare: success or score (default: success)',
  '--margin <points>': 'non-inferiority margin, percentage points',
  '--stop-when <rule>': 'settled: stop the run once the result of every pair is settled',
  '--calibration': 'test simulated results too, to measure how often the statistical procedures err',
  '--out <dir>': 'the run folder (default: results/<date>-<id>)',
  '--resume <run>': 'resume an interrupted run',
  '--accept-changes':
    'with --resume: go on although tasks, scripted agents or strategy files have changed; tables say so',
  '--retry-errors': 'with --resume: run trials again that ended in error or lost steps',
  '--take-over':
    'with --resume: take the folder from a bench process that died on another machine or in another container',
  '--repair': 'with --resume: repair a folder that two bench processes wrote to, and report what is dropped',
  '--trust-code':
    'allow for this call what documents, the config file or a run of somebody else name: keys, addresses, code, programs, files; read them first',
  '--keep-going':
    'do not stop when a method fails in the same way in its first five trials, or when no ask is answered',
  '--end-blocked <s>':
    'end the run (resumable) if your code still blocks it this many seconds after the warning (default: 30), or none',
  '--approve <policy>':
    'who answers when a method asks a person: ask (at the terminal), yes, abort, park (trials wait for bench approve), or file:PATH (default: ask at a terminal, else yes; with --resume: as before)',
  '--fail-if <list>':
    'exit with code 1 if a condition holds: METHOD.success<0.8, better(A, B), …; comma-separated',
  '--junit <file>': 'write the trials as a JUnit file',
  '--step-summary <file>': 'append the tables to this Markdown file (default: GITHUB_STEP_SUMMARY, if set)',
  '--notify <target>':
    'tell this command or http(s) address how the run ended, as JSON (default: notify of the config file), or none',
  '--instruction <file>': 'a file with a free request, to run instead of tasks; not graded',
  '--workspace <dir>':
    'with --instruction: the folder to work on, which is only read; leaves out what git ignores, .env and keys',
  '--include <path>': 'include a file or folder of the workspace that would be left out; may be repeated',
  '--sandbox <adapter>':
    'sandbox for code: auto, bubblewrap, docker, podman or none (default: auto, the best available; see bench doctor)',
  '--grade-candidates':
    'also grade intermediate answers, to show which agent had a right answer and which lost it',
  '--keep-workspaces <which>':
    'keep the files of trials in workspaces/TRIAL of the run folder, with a git repository of the changes: failed, all or none (default: none)',
  '--allow-unsandboxed':
    'run code of paid agents, and agent programs, even if the sandbox does not stop every attack',
  '--allow-provider-tools':
    'let agent programs use what their provider runs, such as a web search; recorded as tools of the row (default: refused)',
  '--secret <name>': 'another environment variable whose value is redacted; may be repeated',
  '--dry-run': 'estimate calls, tokens and cost; run nothing',
  '--estimate-from <run>': 'base the estimate on an earlier run (default: on a simulation)',
  '--confirm-above <usd>': 'ask before a run with a paid agent that may cost more than this',
  '--yes': 'do not ask, and accept a --workspace of more than 200 files or 2 MB',
  '--config <file>': 'file with defaults and named agents (default: bench.config.yaml, if present)',
  '--no-config': 'ignore bench.config.yaml',
  '--json': 'print the result as JSON',
  '--quiet': 'print no progress',
} as const

export type RunFlag = keyof typeof flags

const repeated = ['--agent <role=name>', '--inject <list>', '--include <path>', '--secret <name>'] as const
export type RepeatedFlag = (typeof repeated)[number]

/** An option that may be repeated; its value is the list of all values. */
export function repeatableOption(flag: string, help: string): Option {
  const collect = (value: string, all: string[]): string[] => [...all, value]
  return new Option(flag, help).argParser(collect).default([], 'none')
}

/** Adds options of `bench run` to a command, all by default. They parse to `RunOptions`. */
export function addRunFlags(command: Command, only?: readonly RunFlag[]): Command {
  for (const [flag, help] of Object.entries(flags))
    if (only && !only.some((one) => one === flag)) continue
    else if (repeated.some((one) => one === flag)) command.addOption(repeatableOption(flag, help))
    else command.option(flag, help)
  return command
}

/** The options of `bench run` that a part of a method has, too, if it runs alone. */
const partFlags = [
  ...(['--agents <list>', '--agent <role=name>', '--mode <mode>', '--dev', '--profile <name|file>'] as const),
  ...(['--tools <list>', '--tool-turns <n>'] as const),
  ...(['--prices <file>', '--seed <n>', '--limit <list>', '--max-cost <usd>', '--max-time <s>'] as const),
  '--allow-unpriced',
  ...(['--retries <n>', '--inject <list>', '--approve <policy>', '--sandbox <adapter>'] as const),
  ...(['--allow-unsandboxed', '--allow-provider-tools', '--secret <name>'] as const),
  ...(['--confirm-above <usd>', '--yes', '--trust-code'] as const),
  ...(['--config <file>', '--no-config', '--json', '--quiet'] as const),
] satisfies RunFlag[]

/** Adds the options of `bench step` to a command. */
export function addStepFlags(command: Command): Command {
  const input = 'the text of an output that the state reads; may be repeated'
  const own = command
    .addOption(repeatableOption('--input <path=file>', input))
    .option('--task <name>', 'the task to work on')
    .option('--request <text>', 'a free request to work on, instead of a task; not graded')
    .option('-o, --out <dir>', 'the run folder (default: results/<date>-<id>)')
  return addRunFlags(own, partFlags)
}

/** Adds the options of `bench stage` to a command. */
export function addStageFlags(command: Command): Command {
  const own = command
    .option('--request <text>', 'the task of a new workflow, if ISSUE is an id')
    .option('-o, --out <dir>', 'the run folder (default: results/<date>-<id>)')
    .option('--resume <run>', 'go on with an interrupted run of the same stage')
  return addRunFlags(own, [...partFlags, '--include <path>', '--retry-errors', '--accept-changes'])
}
