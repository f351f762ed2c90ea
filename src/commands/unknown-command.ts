import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'

/** Refuses a word that is no command, with the one that was meant. */
export default function unknownCommand(word: string, commands: readonly string[]): never {
  throw new UserError(unknownName(`bench ${word}`, 'command', word, commands, 'bench --help'))
}
