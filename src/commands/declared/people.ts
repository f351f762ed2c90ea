import type { Command } from 'commander'
import type { CommandAction } from './command-action.ts'

/** Adds the commands by which people take part in a run. */
export function addPeopleCommands(program: Command, action: CommandAction): void {
  const run = ['<run>', 'a run folder, its name in results/ or the beginning of it, or latest'] as const
  program
    .command('approve')
    .argument(...run)
    .argument('[trial]', 'trial id, or its beginning')
    .argument('[answer]', "yes, abort, or what should change: 'Shorten the ending.'")
    .description('show what trials ask a person, or answer one; the run takes the answer when it is resumed')
    .action(action(() => import('../people/approve.ts')))
  program
    .command('guide')
    .argument(...run)
    .argument('<trial>', 'trial id, or its beginning')
    .argument('<state>', 'a state of its method')
    .argument('<text>', 'what to do differently')
    .description('tell a trial something about one state of its method, once, at its next checkpoint')
    .action(action(() => import('../people/guide.ts')))
  program
    .command('pause')
    .argument(...run)
    .description('stop a run in progress at the next checkpoint of each trial, so that it can be resumed')
    .action(action(() => import('../people/pause.ts')))
}
