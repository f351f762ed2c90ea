import type { Command } from 'commander'
import type { CommandAction } from './command-action.ts'

/** Adds the commands that compare methods. */
export function addComparing(program: Command, action: CommandAction): void {
  program
    .command('report')
    .argument('<runs...>', 'run folders, or their names in results/')
    .description('show the results of runs and compare their methods')
    .option('--format <name>', 'one of the formats below', 'text')
    .option('--baseline <label>', 'the method that the others are compared with (default: as in the run)')
    .option('--tasks', 'also print the table by task')
    .option('--pairs', 'print only the comparisons of pairs')
    .option('--columns <keys>', 'print one table with these columns: of methods, with --pairs of pairs')
    .option('--interactions', 'print only how the difference between methods depends on the agents')
    .option(
      '--coordination',
      'print only how agents worked together: overhead, messages, contexts, error flow',
    )
    .option('--notes', 'also say what the words mean and how the numbers are computed')
    .option('--out <path>', 'write to this file instead of stdout; for svg and pdf, to this folder')
    .option('--figure <name>', 'with svg or pdf: only this figure: success, ranks, …')
    .option('--junit <file>', 'also write the trials as a JUnit file')
    .action(action(() => import('../report.ts')))
  program
    .command('compare')
    .argument('<a>', '[RUN:]METHOD; without RUN: of the latest run')
    .argument('<b>', 'the other method, written like <a>')
    .description('compare two methods, of one run or of two')
    .option('--format <name>', 'one of the formats below', 'text')
    .option('--notes', 'also say what the words mean and how the numbers are computed')
    .action(action(() => import('../compare.ts')))
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
    .action(action(() => import('../power.ts')))
}
