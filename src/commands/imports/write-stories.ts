import type { StoryPart } from '../../imports/foreign-trial.ts'
import { tooDeep } from '../../imports/read-document.ts'
import { storySteps } from '../../imports/story.ts'
import { emptyLedgerChecksum, type LedgerChecksum } from '../../loop/journal/checksum.ts'
import type { Journal } from '../../loop/journal/journal.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import { UserError } from '../../text/errors.ts'

/** Characters of all transcripts that are kept. */
const mostStories = 256 * 1024 * 1024
/** Transcripts that were left out and are named. */
const mostNamed = 20

/** The transcripts of an import. */
export interface Stories {
  /** Writes a trial's transcript as its steps. One that cannot be read, or is too long, is left out: it decides over no number. */
  add(
    trial: { id: string; where: string; agent: string },
    tell: () => StoryPart[] | Promise<StoryPart[]>,
  ): Promise<void>
  /** Returns the checksum of a trial's steps; undefined if it has none. */
  checksumOf(id: string): LedgerChecksum | undefined
  facts(): Pick<ImportedFacts, 'stories'>
}

/** Opens the ledger of an import for transcripts. `clean` redacts them. */
export function openStories(journal: Pick<Journal, 'step'>, clean: <Value>(value: Value) => Value): Stories {
  const sums = new Map<string, LedgerChecksum>()
  const items: NonNullable<ImportedFacts['stories']>['items'] = []
  let [leftOut, characters] = [0, 0]
  const leave = ({ where, what }: { where: string; what: string }) => {
    leftOut++
    if (items.length < mostNamed) items.push({ where, what })
  }
  return {
    async add({ id, where, agent }, tell) {
      try {
        const parts = await tell()
        characters += parts.reduce((sum, { text }) => sum + text.length, 0)
        if (characters > mostStories)
          return leave({
            where,
            what: `with those before it there are more than ${mostStories / 1024 / 1024} MiB`,
          })
        if (parts.length === 0) return
        const sum = emptyLedgerChecksum()
        for (const step of storySteps(clean(parts), { trial: id, agent })) journal.step(step, sum)
        sums.set(id, sum)
      } catch (thrown) {
        const error = thrown instanceof RangeError ? tooDeep(where) : thrown
        if (!(error instanceof UserError)) throw error
        for (const problem of error.problems.slice(0, 1)) leave(problem)
      }
    },
    checksumOf: (id) => sums.get(id),
    facts: () => (sums.size + leftOut > 0 ? { stories: { told: sums.size, leftOut, items } } : {}),
  }
}
