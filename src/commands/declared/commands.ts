import type { Command } from 'commander'
import { addComparing } from './comparing.ts'
import { addInspecting } from './inspecting.ts'
import { addListing } from './listing.ts'
import { addRunning, type CommandAction } from './running.ts'

/** The headings of `bench --help`, each with its commands, in the order of the help. Every command is under one (a test). */
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'Every day:': ['init', 'run', 'work', 'report', 'compare', 'gate', 'power', 'doctor', 'help'],
  'Look into a run:': [
    'runs',
    'history',
    'show',
    'view',
    'export',
    'replay',
    'reprice',
    'state',
    'approve',
    'guide',
    'pause',
    'judge',
    'mcp',
  ],
  'Tasks, and who answers:': ['tasks', 'grade', 'agents', 'replies', 'import'],
  'Write methods:': ['methods', 'check', 'plan', 'step', 'stage', 'tools'],
  'Inside a stage:': ['ask'],
  'Your shell:': ['completion'],
}

/** Adds all commands of bench, in groups. */
export function addCommands(program: Command, action: CommandAction): void {
  for (const add of [addRunning, addListing, addComparing, addInspecting, addHelping]) add(program, action)
  const order = Object.values(commandGroups).flat()
  // The parser lists commands in the order in which they were added, and their headings, too.
  ;(program.commands as Command[]).sort((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()))
  for (const [heading, names] of Object.entries(commandGroups))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading)
}

/** Adds the commands that tell how to use bench. They read the commands themselves. */
function addHelping(program: Command, action: CommandAction): void {
  program
    .helpCommand(false)
    .command('help')
    .argument(
      '[words...]',
      'a guide, a command, or words to find in all guides; without any: the list of guides',
    )
    .description('print a guide, or find words in all of them: bench help compare, bench help right answer')
    .action(
      action(async () => {
        const { helpOn } = await import('../help.ts')
        return { default: async (words: readonly string[]) => helpOn(program, words) }
      }),
    )
  program
    .command('completion')
    .argument('<kind>', 'of the shell: bash or zsh')
    .description('print the completion script for your shell: source <(bench completion bash)')
    .action(
      action(async () => {
        const { completionFor } = await import('../completion/completion.ts')
        return { default: async (kind: string) => completionFor(program, kind) }
      }),
    )
}
