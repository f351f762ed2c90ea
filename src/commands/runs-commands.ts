import type { Command } from 'commander'

type Action = (...args: unknown[]) => Promise<void>

/** Adds the commands on folders of runs. */
export function addRunsCommands(program: Command, actions: { list: Action; prune: Action }): void {
  program
    .command('runs')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('list the runs in a folder; `bench runs prune --older-than 30d` removes old ones')
    .option('--json', 'print JSON')
    .action(actions.list)
    .command('prune')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('remove old runs, but none that is published, running or unfinished')
    .option('--older-than <age>', 'remove runs that were last written before: 30d, 12h, 2w')
    .option('--dry-run', 'only list what would be removed')
    .option('--include-unfinished', 'also remove runs that are not finished, such as parked ones')
    .option('--yes', 'remove them without asking')
    .action(actions.prune)
}
