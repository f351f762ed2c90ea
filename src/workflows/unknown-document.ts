import type { Documents } from '../strategy.ts'
import { didYouMean } from '../text/near-word.ts'

/** Returns the remedy for a document's name that nobody knows: the file of that name, the nearest known name, or all of them. */
export const unknownDocumentFix = (name: string, known: readonly string[], { read }: Documents): string =>
  read(name) !== undefined
    ? `Write ./${name} for the file ${name}.`
    : (didYouMean(name, known) ?? `Known: ${known.join(', ')}; name a file by its path.`)
