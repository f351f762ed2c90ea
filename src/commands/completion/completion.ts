import type { Command } from 'commander'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { UserError } from '../../text/errors.ts'
import { bashScript, zshStart } from './script.ts'
import { completedWords } from './words.ts'

const shells: Readonly<Record<string, string>> = { bash: '', zsh: zshStart }

/** `bench completion SHELL`: prints a script for the shell, made from the declared commands and the table of settings. */
export async function completionFor(program: Command, shell: string): Promise<number> {
  const start = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (start === undefined)
    throw new UserError(
      unknownName(
        `bench completion ${shell}`,
        'completion for',
        shell,
        Object.keys(shells),
        'bench help completion',
      ),
    )
  process.stdout.write(start + bashScript(program, await completedWords()))
  return 0
}
