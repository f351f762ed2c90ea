import type { Command } from 'commander'

/** The flags of `bench run` with their help, in its order. */
const flags = {
  '--tasks <list>': 'all, a number (a seeded sample), names, globs, suites, NAME:PATH[:slice], …',
  '--methods <list>': 'name[option=value,…], LABEL=name[…], or a file; comma-separated',
  '--agents <list>':
    'the agent for all roles, as provider:model (dev: simulated); of A,B each runs every method',
  '--agent <role=name>': 'the agent for one role; may be repeated',
  '--mode <mode>':
    'dev (no model, no cost, virtual time; refuses agents that are paid or programs) or live (default: dev)',
  '--dev': 'same as --mode dev',
  '--profile <name|file>': 'behaviour of the simulated agents (default: default)',
  '--prices <file>': 'prices of your own, which win over the table of list prices',
  '--epochs <n>': 'attempts per task and method (default: 1)',
  '--seed <n>': 'seed of plan, sample and simulation (default: 1)',
  '--parallel <n>': 'trials at once (default: number of processors)',
  '--limit <list>':
    'limits of each trial: calls=N,checks=N,tokens=N,costUsd=X,timeMs=N (default: calls=500 in live mode, none in dev mode); N may be none',
  '--max-cost <usd>': 'stop the run, resumable, when it has spent so much; or none',
  '--max-tokens <n>': 'the same by tokens, input and output',
  '--max-calls <n>': 'the same by calls, every attempt',
  '--max-time <s>': 'the same by real time, in seconds, of all its sessions',
  '--method-limit <list>': 'the same for each method, or one: calls=N,METHOD.tokens=N,costUsd=X,timeMs=N',
  '--retries <n>': 'most retries of an ask whose failure may pass (default: 3); see bench agents',
  '--inject <list>':
    'faults on purpose, as shares of attempts: [ROLE:]KIND=RATE,…; may be repeated; see bench agents',
  '--baseline <label>': 'the method that the others are compared with (default: baseline, else the first)',
  '--match-budget <method[:unit]>':
    'controls make as many attempts as cost what METHOD spends on the task: tokens (default), dollars or calls',
  '--family <pairs>': 'pairs that are compared: all, or each with the baseline (default: all)',
  '--outcome <name>': 'what they are compared by: success or score (default: success)',
  '--margin <points>': 'the difference that still counts as no worse, in percentage points',
  '--stop-when <rule>': 'settled: stop when it is settled, pair by pair, who is better',
  '--calibration': 'test simulated numbers too, to see how often the procedures are wrong',
  '--out <dir>': 'the run folder (default: results/<date>-<id>)',
  '--resume <run>': 'go on with an interrupted run',
  '--retry-errors': 'with --resume: run the trials again that ended in error, or lost steps',
  '--take-over': 'with --resume: take the folder from a dead bench of another machine or container',
  '--repair': 'with --resume: mend a folder on which two bench were at work, and say what was dropped',
  '--trust-code': 'with --resume: run the code that a run of somebody else names; read it first',
  '--keep-going': 'go on although a method fails alike in its first five trials, or no ask is answered',
  '--end-blocked <s>':
    'end the run, resumable, when code of yours has blocked it for so long after that was told (default: 30), or none',
  '--approve <policy>': 'answer where a method asks a person: yes or abort (default: yes)',
  '--fail-if <list>': 'exit 1 when one holds: METHOD.success<0.8, better(A, B), …; comma-separated',
  '--junit <file>': 'write the trials as a JUnit file',
  '--step-summary <file>':
    'add the tables to this Markdown file (default: GITHUB_STEP_SUMMARY, where it is set)',
  '--instruction <file>': 'a free request instead of tasks: its text; ungraded',
  '--workspace <dir>':
    'for --instruction: the folder to work on; it is only read. Left out: what git ignores, .env, keys',
  '--include <path>': 'take a file or folder of the workspace that is left out; may be repeated',
  '--sandbox <adapter>':
    'what code runs in: auto, bubblewrap, docker, podman or none (default: auto, the best that is here; see bench doctor)',
  '--grade-candidates': 'grade what agents made on the way, too: who had it right, and who lost it',
  '--allow-unsandboxed':
    'run code of paid agents, and agents that are programs, where the sandbox does not hold every attack',
  '--secret <name>': 'a further variable whose value is redacted; may be repeated',
  '--dry-run': 'estimate calls, tokens and cost, and run nothing',
  '--estimate-from <run>': 'estimate by an earlier run (default: by a simulation)',
  '--confirm-above <usd>': 'ask before a run with a paid agent that may cost more',
  '--yes': 'do not ask, and take a --workspace of more than 200 files or 2 MB',
  '--config <file>': 'defaults and named agents (default: bench.config.yaml, where it is there)',
  '--no-config': 'without bench.config.yaml',
  '--json': 'print the result as JSON',
  '--quiet': 'no progress',
} as const

export type RunFlag = keyof typeof flags

const repeated = ['--agent <role=name>', '--inject <list>', '--include <path>', '--secret <name>'] as const
export type RepeatedFlag = (typeof repeated)[number]

/** Gathers an option that may be repeated. */
export const collectValues = (value: string, all: string[]): string[] => [...all, value]

/** Gives a command the options of `bench run`; `RunOptions` is what they come to. */
export function addRunFlags(command: Command): Command {
  for (const [flag, help] of Object.entries(flags))
    if (repeated.some((one) => one === flag)) command.option(flag, help, collectValues, [])
    else command.option(flag, help)
  return command
}
