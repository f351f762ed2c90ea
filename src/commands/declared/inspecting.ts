import type { Command } from 'commander'
import { repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './command-action.ts'
import { addGradeCommand } from './grade.ts'
import { addJudgeCommands } from './judging.ts'
import { addPeopleCommands } from './people.ts'

const showHelp = `
--failed, --method and --task go together: a trial is listed if
all of them fit. They filter the list of a run, so they do not go
with TRIAL or with tables. --methods goes with --task and --full
alone.`

/** Adds the commands that look into a run or into this machine. */
export function addInspecting(program: Command, action: CommandAction): void {
  program
    .command('show')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .argument('[trial]', 'trial id, or its beginning')
    .description('show a run, one trial as a story, or one task under two methods')
    .option('--failed', 'list only trials that did not pass or are missing')
    .option('--method <name>', 'list only trials of this method')
    .option('--task <name>', 'list only trials of this task; with --methods: the task to compare them on')
    .option('--methods <a,b>', 'with --task: answers or files, diff, verdicts and cost of two methods')
    .option('--full', 'print prompts, replies, answers and diffs in full')
    .option('--transitions', 'print the states of workflows: visits, results, agents')
    .option('--breaks', 'print the rules of workflows that broke, and what was decided')
    .option('--tokens', 'print tokens and cost by state, agent and session, and how full contexts were')
    .option('--json', 'with --transitions, --breaks or --tokens: print JSON')
    .addHelpText('after', showHelp)
    .action(action(() => import('../show.ts')))
  program
    .command('replay')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .argument('[trial]', 'trial id, or its beginning (default: all trials)')
    .description('run trials again from the journal alone, without agents, and report where they diverge')
    .option('--regrade', 'grade again, and report which scores differ')
    .option('--trust-code', "run the code that somebody else's run names; read it first")
    .option(
      '--allow-unsandboxed',
      'with --regrade: run code of paid agents even if the sandbox does not stop every attack',
    )
    .option('--times <n>', 'number of replays; all must agree', '1')
    .option('--json', 'print JSON')
    .action(action(() => import('../replay.ts')))
  program
    .command('state')
    .argument(
      '[run]',
      'a run folder, its name in results/ or the beginning of it, or latest; inside a stage: a field of its state',
    )
    .argument('[trial]', 'trial id, or its beginning')
    .description("show the methods' journaled state, or set it while the run is stopped")
    .addOption(repeatableOption('--set <field=json>', 'set a field of the state; may be repeated'))
    .option('--json', 'inside a stage: print a text as JSON')
    .action(action(() => import('../state.ts')))
  addPeopleCommands(program, action)
  addGradeCommand(program, action)
  addJudgeCommands(program, action)
  program
    .command('reprice')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .description("show a run's calls at current prices beside what was billed; changes nothing")
    .option('--prices <file>', 'your own prices, which override the list prices')
    .option('--config <file>', 'file with prices and named agents (default: bench.config.yaml, if present)')
    .option('--no-config', 'ignore bench.config.yaml')
    .option('--json', 'print JSON')
    .action(action(() => import('../reprice.ts')))
  program
    .command('doctor')
    .description('show what is installed, what is missing and how to get it; shows no key')
    .option('--agents', 'show how to get each missing agent')
    .option('--call <agent>', 'ask an agent for one word, at the lowest possible cost')
    .option('--prices <file>', 'with --call: your own prices, which override the list prices')
    .option(
      '--allow-unsandboxed',
      'with --call: start an agent program even if the sandbox does not stop every attack',
    )
    .option('--trust-code', 'check what the config file and its documents name, as your own; read them first')
    .option('--json', 'print JSON')
    .action(action(() => import('../doctor.ts')))
}
