import { unknownName } from '../../loop/plan/method-spec.ts'
import { UserError } from '../../text/errors.ts'

/** Refuses a word that is no command, with the one that was meant. */
export default function rejectUnknownCommand(word: string, commands: readonly string[]): never {
  throw new UserError(unknownName(`bench ${word}`, 'command', word, commands, 'bench --help'))
}
