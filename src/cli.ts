#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { packageVersion } from './base/package-root.ts'
import { addRunFlags, addStepFlags, repeatableOption } from './commands/config/run-flags.ts'
import { addPeopleCommands } from './commands/people/people-commands.ts'
import { addRunsCommands } from './commands/runs-commands.ts'
import { escapeOutput } from './commands/terminal/escape-output.ts'
import { guardOutput } from './commands/terminal/guard-output.ts'
import { redactOutput } from './commands/terminal/redact-output.ts'
import { checkRepeatedOptions } from './commands/terminal/repeated-options.ts'
import { reportError } from './commands/terminal/report-error.ts'
import { watchCompletion } from './commands/terminal/watch-completion.ts'
import welcome from './commands/welcome.ts'

guardOutput()
const completed = watchCompletion()
void main(process.argv.slice(2)).finally(completed)

async function main(argv: readonly string[]): Promise<void> {
  try {
    escapeOutput()
    redactOutput(argv, process.env)
    if (argv.length === 0) process.stdout.write(welcome())
    else await call(createProgram(), argv)
  } catch (error) {
    // Commander has printed its own errors already. It also ends --help with an error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = reportError(error as Error)
  }
}

async function call(program: Command, argv: readonly string[]): Promise<void> {
  const [first = ''] = argv
  const names = program.commands.map((command) => command.name())
  if (!first.startsWith('-') && ![...names, 'help'].includes(first)) {
    const { default: rejectUnknownCommand } = await import('./commands/terminal/unknown-command.ts')
    rejectUnknownCommand(first, names)
  }
  if (argv.some((word) => ['--help', '-h', 'help'].includes(word))) await addFormatHelp(program, argv)
  await program.parseAsync(argv, { from: 'user' })
}

/** Adds the list of formats to the help of the commands that write reports. The formats are loaded for that help alone. */
async function addFormatHelp(program: Command, argv: readonly string[]): Promise<void> {
  for (const name of ['report', 'compare'] as const) {
    if (!argv.includes(name)) continue
    const { formatHelp } = await import('./commands/report/format-help.ts')
    program.commands.find((command) => command.name() === name)?.addHelpText('after', formatHelp(name))
  }
}

function createProgram(): Command {
  const program = new Command('bench')
    .description(
      'Runs ways of organising agents (methods) on tasks, and reports which one is worth its cost.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
  addRunning(program)
  addListing(program)
  addComparing(program)
  addInspecting(program)
  for (const command of program.commands)
    for (const one of [command, ...command.commands]) {
      checkRepeatedOptions(one)
      one.showHelpAfterError(`See bench ${one === command ? '' : `${command.name()} `}${one.name()} --help.`)
    }
  return program
}

function addRunning(program: Command): void {
  addRunFlags(
    program
      .command('run', { isDefault: true })
      .description('run methods on tasks, or resume a run (the default command)'),
  ).action(action(() => import('./commands/run.ts')))
  addStepFlags(
    program
      .command('step')
      .argument('<file>', 'a workflow of method fanout: a file, or a shipped name')
      .argument('<state>', 'the state to run')
      .description('run one state of a workflow alone, on the texts that it would read'),
  ).action(action(() => import('./commands/step.ts')))
  program
    .command('init')
    .description('write a commented bench.config.yaml and its JSON Schema for editors')
    .action(action(() => import('./commands/init.ts')))
}

function addListing(program: Command): void {
  program
    .command('tasks')
    .argument('[selection]', 'tasks, as for bench run --tasks; a single task is shown in detail')
    .description(
      'list tasks; `bench tasks check [selection]` proves that the reference solution passes and an empty answer fails',
    )
    .argument('[more]', 'the selection for `check`')
    .option('--json', 'print JSON')
    .option('--parallel <n>', 'with check: tasks to prove at the same time (default: number of processors)')
    .action(action(() => import('./commands/tasks.ts')))
  program
    .command('methods')
    .argument('[name]', 'a method, or a strategy file; NAME:DOCUMENT shows it with that document')
    .description('list the methods, or show one with its flow, roles, options and documents')
    .option('--format <name>', 'text or json (default: text)')
    .option('--json', 'same as --format json')
    .action(action(() => import('./commands/methods.ts')))
  program
    .command('plan')
    .argument(
      '[file]',
      'a graph document, as after dag: in --methods: FILE, FILE#WORKFLOW, or a shipped name',
    )
    .description('check a graph document, and show the plan that it comes to')
    .option('--format <name>', 'text, json, mermaid or dot (default: text)')
    .option('--json', 'same as --format json')
    .option('--schema', 'print the JSON Schema of graph documents instead')
    .action(action(() => import('./commands/plan.ts')))
  program
    .command('check')
    .argument(
      '[files...]',
      'workflows of states, graph documents or workflows of stages, or their shipped names',
    )
    .description('report all mistakes of documents at once, with line and remedy')
    .option('--schema', 'print the JSON Schema of workflows of states instead')
    .action(action(() => import('./commands/check.ts')))
  program
    .command('agents')
    .description('list the agent providers, the reasons for failed calls, and the faults for --inject')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/agents.ts')))
  addRunsCommands(program, {
    list: action(() => import('./commands/runs.ts')),
    prune: action(() => import('./commands/prune.ts')),
  })
}

function addComparing(program: Command): void {
  program
    .command('report')
    .argument('<runs...>', 'run folders, or their names in results/')
    .description('show the results of runs and compare their methods')
    .option('--format <name>', 'one of the formats below', 'text')
    .option('--baseline <label>', 'the method that the others are compared with (default: as in the run)')
    .option('--tasks', 'also print the table by task')
    .option('--pairs', 'print only the comparisons of pairs')
    .option('--interactions', 'print only how the difference between methods depends on the agents')
    .option(
      '--coordination',
      'print only how agents worked together: overhead, messages, contexts, error flow',
    )
    .option('--out <path>', 'write to this file instead of stdout; for svg and pdf, to this folder')
    .option('--figure <name>', 'with svg or pdf: only this figure: success, ranks, …')
    .option('--junit <file>', 'also write the trials as a JUnit file')
    .action(action(() => import('./commands/report.ts')))
  program
    .command('compare')
    .argument('<a>', '[RUN:]METHOD; without RUN: of the latest run')
    .argument('<b>', 'the other method, written like <a>')
    .description('compare two methods, of one run or of two')
    .option('--format <name>', 'one of the formats below', 'text')
    .action(action(() => import('./commands/compare.ts')))
  program
    .command('power')
    .argument('[run]', 'a pilot or a finished run; without it, bench simulates a pilot')
    .description('estimate how many tasks are needed to detect a difference between methods')
    .option('--difference <points>', 'difference to detect, in percentage points', '10')
    .option('--power <percent>', 'probability of detecting it, in percent', '80')
    .option('--epochs <n>', 'epochs per task to plan for (default: as in the run; 1 for a simulation)')
    .option('--tasks <list>', 'without RUN: as for bench run')
    .option('--methods <list>', 'without RUN: as for bench run')
    .option(
      '--profile <name|file>',
      'without RUN: behaviour profile of the simulated agents (default: default)',
    )
    .option('--family <pairs>', 'without RUN: pairs to compare: all, or baseline (default: all)')
    .option('--baseline <label>', 'without RUN: the method that the others are compared with')
    .option('--outcome <name>', 'without RUN: success or score (default: success)')
    .option('--seed <n>', 'without RUN: seed of the simulation (default: 1)')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/power.ts')))
}

function addInspecting(program: Command): void {
  program
    .command('show')
    .argument('<run>', 'a run folder, or its name in results/')
    .argument('[trial]', 'trial id, or its beginning')
    .description('show a run, or one trial as a story')
    .option('--full', 'print prompts and replies in full')
    .option('--transitions', 'print the states of workflows: visits, results, agents')
    .option('--breaks', 'print the rules of workflows that broke, and what was decided')
    .option('--tokens', 'print tokens and cost by state, agent and session, and how full contexts were')
    .option('--json', 'with --transitions, --breaks or --tokens: print JSON')
    .action(action(() => import('./commands/show.ts')))
  program
    .command('replay')
    .argument('<run>', 'a run folder, or its name in results/')
    .argument('[trial]', 'trial id, or its beginning (default: all trials)')
    .description('run trials again from the journal alone, without agents, and report where they diverge')
    .option('--regrade', 'grade again, and report which scores differ')
    .option('--trust-code', "run the code that someone else's run names; read it first")
    .option(
      '--allow-unsandboxed',
      'with --regrade: run code of paid agents even if the sandbox does not stop every attack',
    )
    .option('--times <n>', 'number of replays; all must agree', '1')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/replay.ts')))
  program
    .command('state')
    .argument('<run>', 'a run folder, or its name in results/')
    .argument('[trial]', 'trial id, or its beginning')
    .description("show the methods' journaled state, or set it while the run is stopped")
    .addOption(repeatableOption('--set <field=json>', 'set a field of the state; may be repeated'))
    .action(action(() => import('./commands/state.ts')))
  addPeopleCommands(program, action)
  program
    .command('reprice')
    .argument('<run>', 'a run folder, or its name in results/')
    .description("show a run's calls at current prices beside what was billed; changes nothing")
    .option('--prices <file>', 'your own prices, which override the list prices')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/reprice.ts')))
  program
    .command('doctor')
    .description('show what is installed, what is missing and how to get it; shows no key')
    .option('--agents', 'show how to get each missing agent')
    .option('--call <agent>', 'ask an agent for one word, at the lowest possible cost')
    .option(
      '--allow-unsandboxed',
      'with --call: start an agent program even if the sandbox does not stop every attack',
    )
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/doctor.ts')))
}

type Action<Result> = (...args: unknown[]) => Promise<Result>

/** Loads a command's module when the command is called. The command returns the exit code. */
function action(load: () => Promise<{ default: (...args: never[]) => Promise<number> }>): Action<void> {
  return async (...args) => {
    const { default: command } = await load()
    // Commander passes the Command object last; no command needs it.
    process.exitCode = await (command as Action<number>)(...args.slice(0, -1))
    // An agent that ignores the abort of its call must not keep the process alive.
    if (process.exitCode === 130) process.exit()
  }
}
