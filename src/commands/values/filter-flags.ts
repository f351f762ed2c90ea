import type { Command } from 'commander'

/** The flags of `FilterOptions` with their help. */
export const filterFlags = {
  '--tag <list>': 'only tasks with one of these tags, comma-separated',
  '--where <list>':
    "only tasks for which all conditions hold, comma-separated, such as 'difficulty>=0.5' or language=python",
  '--sample <n>': 'a sample of n tasks, by suite and difficulty; the same seed draws the same tasks',
} as const

/** Adds the flags that select among tasks to a command that has no other seed, and `--skip-invalid`. */
export function addFilterFlags(command: Command): Command {
  for (const [flag, help] of Object.entries(filterFlags)) command.option(flag, help)
  return command
    .option('--seed <n>', 'seed of the sample (default: 1)')
    .option('--skip-invalid', 'leave out tasks of NAME:PATH that cannot be read, and count them')
}
