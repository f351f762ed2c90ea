import type { ShownText } from '../../schema/run/people.ts'
import { type TrialState, withheldText } from '../state/trial-state.ts'

const mostLines = 60
const mostCharacters = 6000

/** Returns the texts that a person reads. A long one is cut, and stored whole in a blob. */
export function shownTexts(
  { secret, run: { blobs } }: TrialState,
  show: Readonly<Record<string, string>>,
): ShownText[] {
  return Object.entries(show).map(([path, text]): ShownText => {
    if (secret) return { path, text: withheldText }
    const lines = text.split('\n')
    const excerpt = lines.slice(0, mostLines).join('\n').slice(0, mostCharacters)
    if (excerpt.length === text.length) return { path, text }
    const moreLines = lines.length - excerpt.split('\n').length
    return { path, text: excerpt, blob: blobs.put(text), moreLines }
  })
}
