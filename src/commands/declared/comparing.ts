import type { Command } from 'commander'
import type { CommandAction } from './running.ts'

const flipsHelp =
  'print only the tasks that changed sides between methods, and those that are flaky within one'

const peekHelp =
  'look at a live run that is not whole; if it goes on, its tests for a fixed number of tasks are void'

/** Adds the commands that tell the results of runs. */
export function addComparing(program: Command, action: CommandAction): void {
  addHistory(program, action)
  program
    .command('report')
    .argument('<runs...>', 'run folders, their names in results/ or the beginnings of them, or latest')
    .description('show the results of runs and compare their methods')
    .option('--format <name>', 'one of the formats below', 'text')
    .option('--baseline <label>', 'the method that the others are compared with (default: as in the run)')
    .option('--tasks', 'also print the table by task')
    .option(
      '--section <name>',
      'print only this section: screen, methods, tasks, comparison, coordination, mechanisms, judges, toolSavings, …',
    )
    .option('--pairs', 'print only the comparisons of pairs')
    .option('--columns <keys>', 'print one table with these columns: of methods, with --pairs of pairs')
    .option(
      '--tables <which>',
      'with latex: paper (methods, pairs, spending; with --out FILE.tex the others go to FILE-appendix.tex), or appendix',
    )
    .option('--interactions', 'print only how the difference between methods depends on the agents')
    .option('--properties', 'print only how the difference between methods varies with properties of tasks')
    .option('--flips', `${flipsHelp}; with html and json: add them`)
    .option(
      '--coordination',
      'print only how agents worked together: overhead, messages, contexts, error flow',
    )
    .option('--notes', 'also say what the words mean and how the numbers are computed')
    .option('--out <path>', 'write to this file instead of stdout; for svg and pdf, to this folder')
    .option('--figure <name>', 'with svg or pdf: only this figure: success, ranks, …')
    .option('--junit <file>', 'also write the trials as a JUnit file')
    .option('--peek', peekHelp)
    .action(action(() => import('../report.ts')))
  program
    .command('compare')
    .argument('<a>', '[RUN:]METHOD; RUN as for bench report; without RUN: of the latest run')
    .argument('<b>', 'the other method, written like <a>')
    .description('compare two methods, of one run or of two')
    .option('--format <name>', 'one of the formats below', 'text')
    .option('--flips', `${flipsHelp}; with json: add them`)
    .option('--notes', 'also say what the words mean and how the numbers are computed')
    .option('--peek', peekHelp)
    .option(
      '--fail-if <list>',
      'judge <b> against <a>: success<-5 (points), score(SUITE)<-10%, cost>1.5x, tokens>2x, time>2x; exit code 1 if one is exceeded, 5 without enough evidence',
    )
    .option('--junit <file>', 'with --fail-if: also write the answer as a JUnit file')
    .option('--step-summary <file>', 'with --fail-if: add the answer to this summary of a CI step')
    .action(action(() => import('../compare.ts')))
  addGate(program, action)
  program
    .command('export')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .description('write the trials of a run in the format of other tools, or send them as traces')
    .option('--format <name>', 'one of the formats below')
    .option('-o, --out <path>', 'a new folder, or of otlp a new file instead of stdout')
    .option('--to <url>', 'with otlp: send to this collector, with the headers of OTEL_EXPORTER_OTLP_HEADERS')
    .option('--content', 'with otlp: also prompts, replies, answers and results of tools')
    .option('--peek', peekHelp)
    .action(action(() => import('../exports/export-run.ts')))
  addPower(program, action)
}

function addGate(program: Command, action: CommandAction): void {
  program
    .command('gate')
    .argument('<run>', 'named as for bench report')
    .description(
      'say whether a run keeps the limits of a file: yes, no (exit code 1), or not enough evidence (5)',
    )
    .requiredOption(
      '--policy <file>',
      'YAML with methods, what they are compared with, and limits: bench help ci',
    )
    .option('--json', 'print JSON')
    .option('--junit <file>', 'also write the answers as a JUnit file')
    .option('--step-summary <file>', 'add the answers to this summary of a CI step')
    .option('--peek', peekHelp)
    .action(action(() => import('../gate.ts')))
}

function addPower(program: Command, action: CommandAction): void {
  program
    .command('power')
    .argument(
      '[run]',
      'a pilot or a finished run, named as for bench report; without it, bench simulates a pilot',
    )
    .description('estimate how many tasks are needed to detect a difference between methods')
    .option('--difference <points>', 'difference to detect, in percentage points', '10')
    .option('--power <percent>', 'probability of detecting it, in percent', '80')
    .option('--epochs <n>', 'epochs per task to plan for (default: as in the run; 1 for a simulation)')
    .option('--tasks <list>', 'without RUN: as for bench run')
    .option('--tag <list>', 'without RUN: as for bench run')
    .option('--where <list>', 'without RUN: as for bench run')
    .option('--sample <n>', 'without RUN: as for bench run')
    .option('--methods <list>', 'without RUN: as for bench run')
    .option('--match-budget <method[:unit]>', 'without RUN: as for bench run')
    .option(
      '--profile <name|file>',
      'without RUN: behaviour profile of the simulated agents (default: default)',
    )
    .option('--family <pairs>', 'without RUN: pairs to compare: all, or baseline (default: all)')
    .option('--baseline <label>', 'without RUN: the method that the others are compared with')
    .option('--outcome <name>', 'without RUN: success or score (default: success)')
    .option('--seed <n>', 'without RUN: seed of the simulation (default: 1)')
    .option('--peek', peekHelp)
    .option('--quiet', 'print no progress')
    .option('--json', 'print JSON')
    .action(action(() => import('../power.ts')))
}

const historyHelp = `
Queries: agents (the default), cost (by agent and role), trend and weekly
(by week), runs, task TASK (its runs by time, with the words of bench run
--note), best (agents by role or state), scores (of auditors), export.
Needs the package @duckdb/node-api beside bench, which reads the runs
where they are: nothing is imported. See bench help read-a-result.`

/** Adds the command that asks all runs. */
function addHistory(program: Command, action: CommandAction): void {
  program
    .command('history')
    .argument('[query]', 'what to show (default: agents)')
    .argument('[task]', 'with the query task: the task')
    .description('show the results of all runs by agent, week, role or task')
    .option('--in <folder>', 'folder that holds the run folders', 'results')
    .option('--format <name>', 'text, csv or json (default: text)')
    .option('--json', 'same as --format json')
    .option('-o, --out <file>', 'write to this file')
    .option('--html <file>', 'write one page with charts, which needs no server')
    .option('--sql', 'print the views, and the query if one is named, for your own DuckDB')
    .addHelpText('after', historyHelp)
    .action(action(() => import('../history.ts')))
}
