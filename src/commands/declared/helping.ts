import type { Command } from 'commander'
import type { CommandAction } from './running.ts'

/** Adds the commands that tell how to use bench. They read the commands themselves. */
export function addHelping(program: Command, action: CommandAction): void {
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
    .argument('<shell>', 'bash or zsh')
    .description('print what completes the words of bench in your shell: source <(bench completion bash)')
    .action(
      action(async () => {
        const { completionFor } = await import('../completion/completion.ts')
        return { default: async (shell: string) => completionFor(program, shell) }
      }),
    )
}
