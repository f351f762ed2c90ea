import type { Command } from 'commander'

/** Gathers an option that may be repeated. */
export const collect = (value: string, all: string[]): string[] => [...all, value]

/** Gives a command the options of `bench run`, in the order of its help; `RunOptions` is what they come to. */
export function runFlags(command: Command): Command {
  addPlan(command)
  addLimits(command)
  addComparison(command)
  addFolder(command)
  addResults(command)
  addRequest(command)
  addSafety(command)
  addCall(command)
  return command
}

function addPlan(command: Command): void {
  command
    .option('--tasks <list>', 'all, a number (a seeded sample), names, globs, suites, NAME:PATH[:slice], …')
    .option('--methods <list>', 'name[option=value,…], LABEL=name[…], or a file; comma-separated')
    .option(
      '--agents <list>',
      'the agent for all roles, as provider:model (dev: simulated); of A,B each runs every method',
    )
    .option('--agent <role=name>', 'the agent for one role; may be repeated', collect, [])
    .option(
      '--mode <mode>',
      'dev (no model, no cost, virtual time; refuses agents that are paid or programs) or live (default: dev)',
    )
    .option('--dev', 'same as --mode dev')
    .option('--profile <name|file>', 'behaviour of the simulated agents (default: default)')
    .option('--prices <file>', 'prices of your own, which win over the table of list prices')
    .option('--epochs <n>', 'attempts per task and method (default: 1)')
    .option('--seed <n>', 'seed of plan, sample and simulation (default: 1)')
    .option('--parallel <n>', 'trials at once (default: number of processors)')
}

function addLimits(command: Command): void {
  command
    .option(
      '--limit <list>',
      'limits of each trial: calls=N,checks=N,tokens=N,costUsd=X,timeMs=N (default: calls=500 in live mode, none in dev mode); N may be none',
    )
    .option('--max-cost <usd>', 'stop the run, resumable, when it has spent so much; or none')
    .option('--max-tokens <n>', 'the same by tokens, input and output')
    .option('--max-calls <n>', 'the same by calls, every attempt')
    .option('--max-time <s>', 'the same by real time, in seconds, of all its sessions')
    .option(
      '--method-limit <list>',
      'the same for each method, or one: calls=N,METHOD.tokens=N,costUsd=X,timeMs=N',
    )
    .option('--retries <n>', 'most retries of an ask whose failure may pass (default: 3); see bench agents')
    .option(
      '--inject <list>',
      'faults on purpose, as shares of attempts: [ROLE:]KIND=RATE,…; may be repeated; see bench agents',
      collect,
      [],
    )
}

function addComparison(command: Command): void {
  command
    .option(
      '--baseline <label>',
      'the method that the others are compared with (default: baseline, else the first)',
    )
    .option(
      '--match-budget <method[:unit]>',
      'controls make as many attempts as cost what METHOD spends on the task: tokens (default), dollars or calls',
    )
    .option('--family <pairs>', 'pairs that are compared: all, or each with the baseline (default: all)')
    .option('--outcome <name>', 'what they are compared by: success or score (default: success)')
    .option('--margin <points>', 'the difference that still counts as no worse, in percentage points')
    .option('--stop-when <rule>', 'settled: stop when it is settled, pair by pair, who is better')
    .option('--calibration', 'test simulated numbers too, to see how often the procedures are wrong')
}

function addFolder(command: Command): void {
  command
    .option('--out <dir>', 'the run folder (default: results/<date>-<id>)')
    .option('--resume <run>', 'go on with an interrupted run')
    .option('--retry-errors', 'with --resume: run the trials again that ended in error, or lost steps')
    .option('--take-over', 'with --resume: take the folder from a dead bench of another machine or container')
    .option(
      '--repair',
      'with --resume: mend a folder on which two bench were at work, and say what was dropped',
    )
    .option('--trust-code', 'with --resume: run the code that a run of somebody else names; read it first')
    .option(
      '--keep-going',
      'go on although a method fails alike in its first five trials, or no ask is answered',
    )
    .option(
      '--end-blocked <s>',
      'end the run, resumable, when code of yours has blocked it for so long after that was told (default: 30), or none',
    )
    .option('--approve <policy>', 'answer where a method asks a person: yes or abort (default: yes)')
}

function addResults(command: Command): void {
  command
    .option('--fail-if <list>', 'exit 1 when one holds: METHOD.success<0.8, better(A, B), …; comma-separated')
    .option('--junit <file>', 'write the trials as a JUnit file')
    .option(
      '--step-summary <file>',
      'add the tables to this Markdown file (default: GITHUB_STEP_SUMMARY, where it is set)',
    )
}

function addRequest(command: Command): void {
  command
    .option('--instruction <file>', 'a free request instead of tasks: its text; ungraded')
    .option(
      '--workspace <dir>',
      'for --instruction: the folder to work on; it is only read. Left out: what git ignores, .env, keys',
    )
    .option(
      '--include <path>',
      'take a file or folder of the workspace that is left out; may be repeated',
      collect,
      [],
    )
}

function addSafety(command: Command): void {
  command
    .option(
      '--sandbox <adapter>',
      'what code runs in: auto, bubblewrap, docker, podman or none (default: auto, the best that is here; see bench doctor)',
    )
    .option('--grade-candidates', 'grade what agents made on the way, too: who had it right, and who lost it')
    .option(
      '--allow-unsandboxed',
      'run code of paid agents, and agents that are programs, where the sandbox does not hold every attack',
    )
    .option('--secret <name>', 'a further variable whose value is redacted; may be repeated', collect, [])
}

function addCall(command: Command): void {
  command
    .option('--dry-run', 'estimate calls, tokens and cost, and run nothing')
    .option('--estimate-from <run>', 'estimate by an earlier run (default: by a simulation)')
    .option('--confirm-above <usd>', 'ask before a run with a paid agent that may cost more')
    .option('--yes', 'do not ask, and take a --workspace of more than 200 files or 2 MB')
    .option('--config <file>', 'defaults and named agents (default: bench.config.yaml, where it is there)')
    .option('--no-config', 'without bench.config.yaml')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'no progress')
}
