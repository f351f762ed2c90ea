import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { readChoice, seenMark } from './choose-trials.ts'
import { progressOf } from './progress.ts'
import { problemTexts, type RunFolders, type ViewedRun } from './run-folders.ts'
import type { TrialHead } from './run-index.ts'
import { placeNamer } from './run-page.ts'
import { hrefOfTrial } from './trial-page.ts'

/** How often the files of a run are looked at while it works, and while nobody works on it; ms. */
const [workingMs, restingMs] = [250, 1000]

/** A version of the index of a run: `ID.VERSION`. */
export const versionOf = ({ index }: ViewedRun): string => `${index.id}.${index.version}`

/**
 * Streams what becomes of a run: each trial that came, changed or went since the version that the page has, how far the run is, and when
 * its state changes. It goes on after the end of a session, since the run may be resumed.
 */
export function streamRun(c: Context, folders: RunFolders, name: string): Response {
  const choice = readChoice(c.req.query())
  return streamSSE(c, async (stream) => {
    let seen = c.req.header('last-event-id') ?? c.req.query('since') ?? ''
    let told = ''
    while (!stream.aborted && !stream.closed) {
      let run: ViewedRun | undefined
      try {
        run = await folders.open(name)
      } catch (error) {
        await say(stream, 'broken', problemTexts(error))
        return
      }
      if (!run) return void (await say(stream, 'broken', ['The run folder is gone.']))
      const shown = run
      for (const trial of changesSince(shown, seen))
        await say(
          stream,
          'trial',
          trialData(shown, trial, (id) => hrefOfTrial(name, id, choice)),
        )
      seen = versionOf(shown)
      const progress = { ...(await progressOf(shown)), isShut: shown.isShut }
      const data = JSON.stringify(progress)
      if (data !== told) await stream.writeSSE({ event: 'progress', id: seen, data })
      told = data
      await stream.sleep(shown.state === 'running' ? workingMs : restingMs)
    }
  })
}

/** A line feed in a text is escaped in JSON, so no text can end an event. */
const say = (stream: SSEStreamingApi, event: string, data: unknown) =>
  stream.writeSSE({ event, data: JSON.stringify(data) })

/** Returns the trials that came, changed or went after a version; all of them for a version of another index. */
function changesSince({ index }: ViewedRun, version: string): (TrialHead & { isGone: boolean })[] {
  const [id, number] = version.split('.')
  const since = id === index.id ? Number(number) : 0
  const of = (heads: Iterable<TrialHead>, isGone: boolean) =>
    [...heads].filter((head) => head.version > since).map((head) => ({ ...head, isGone }))
  return [...of(index.gone.values(), true), ...of(index.heads.values(), false)]
}

function trialData(
  run: ViewedRun,
  { id, task, row, epoch, mark, isGone }: TrialHead & { isGone: boolean },
  hrefOf: (id: string) => string,
) {
  const place = placeNamer(run)(task, row, epoch)
  if (isGone) return { place, mark: 'waiting', text: `epoch ${epoch}: no record`, href: null }
  const seen = seenMark(run, mark)
  return { place, mark: seen, text: `epoch ${epoch}: ${seen}`, href: hrefOf(id) }
}
