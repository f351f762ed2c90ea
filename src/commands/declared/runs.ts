import type { Command } from 'commander'
import type { CommandAction } from './command-action.ts'

/** Adds the commands on folders of runs. */
export function addRunsCommands(program: Command, action: CommandAction): void {
  program
    .command('runs')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('list the runs in a folder; `bench runs prune --older-than 30d` removes old ones')
    .option('--json', 'print JSON')
    .action(action(() => import('../runs.ts')))
    .command('prune')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('remove old runs, but none that is published, running or unfinished')
    .option('--older-than <age>', 'remove runs that were last written before: 30d, 12h, 2w')
    .option('--dry-run', 'only list what would be removed')
    .option('--include-unfinished', 'also remove runs that are not finished, such as parked ones')
    .option('--yes', 'remove them without asking')
    .action(action(() => import('../prune.ts')))
}
