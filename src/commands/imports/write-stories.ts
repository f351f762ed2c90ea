import type { Importer } from '../../imports/foreign-trial.ts'
import { type Format, formats } from '../../imports/formats.ts'
import { trialIdOf } from '../../imports/make-record.ts'
import { type Story, storySteps } from '../../imports/story.ts'
import { emptyLedgerChecksum, type LedgerChecksum } from '../../loop/journal/checksum.ts'
import type { Journal } from '../../loop/journal/journal.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import { UserError } from '../../text/errors.ts'
import { createVersions, type LabelledSource, type ReadResults } from './read-sources.ts'

/** Characters of all transcripts that are kept. */
const mostStories = 256 * 1024 * 1024
/** Transcripts that were left out and are named. */
const mostNamed = 20

interface Told {
  /** The checksum of each trial's steps, by trial. */
  sums: Map<string, LedgerChecksum>
  versions: string[]
  facts: Pick<ImportedFacts, 'stories'>
}

/** Writes the transcripts of the files as steps of their trials. One that cannot be read is left out: it decides over no number. */
export async function writeStories(
  journal: Journal,
  { collected, facts }: ReadResults,
  sources: readonly LabelledSource[],
  clean: (story: Story) => Story,
): Promise<Told> {
  const trials = new Map(
    collected.trials.map((placed) => [
      placed.trial.where,
      {
        trial: trialIdOf(placed, facts.format),
        agent: placed.trial.model ?? 'unknown model',
        isRun: placed.trial.state !== 'not run',
      },
    ]),
  )
  const { stories }: Importer = formats[facts.format as Format]
  const sums: Told['sums'] = new Map()
  const versions = createVersions()
  const items: NonNullable<ImportedFacts['stories']>['items'] = []
  let [leftOut, characters] = [0, 0]
  const leave = (problem: { where: string; what: string }) => {
    leftOut++
    if (items.length < mostNamed) items.push({ where: problem.where, what: problem.what })
  }
  for (const { path } of stories ? sources : [])
    try {
      for await (const found of stories?.(path, { noteVersion: versions.note }) ?? []) {
        if ('problem' in found) {
          leave(found.problem)
          continue
        }
        const story = clean(found)
        const own = trials.get(story.where)
        // A trial that was found twice is told once.
        if (!own?.isRun || sums.has(own.trial) || story.parts.length === 0) continue
        characters += story.parts.reduce((sum, { text }) => sum + text.length, 0)
        if (characters > mostStories) {
          leave({ where: story.where, what: `all before it have ${mostStories / 1024 / 1024} MiB` })
          continue
        }
        const sum = emptyLedgerChecksum()
        for (const step of storySteps(story.parts, own)) journal.step(step, sum)
        sums.set(own.trial, sum)
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      for (const problem of error.problems.slice(0, 1)) leave(problem)
    }
  const isTold = sums.size + leftOut > 0
  return {
    ...{ sums, versions: versions.all() },
    facts: isTold ? { stories: { told: sums.size, leftOut, items } } : {},
  }
}
