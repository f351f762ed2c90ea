import { join } from 'node:path'
import type { Summary } from '../../analysis/summary.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import { indexFileContents } from '../../loop/replay/file-contents.ts'
import { figures } from '../../reports/figures/registry.ts'
import { narrowWidth, successAgainstCost } from '../../reports/figures/success-against.ts'
import { pageAssets, renderPage } from '../../reports/html/page.ts'
import { collectHandedIn, type HandedInData, type TrialRow, trialRow } from '../../reports/html/trial-data.ts'
import { handedIn } from '../../reports/story/handed-in.ts'
import { storyParts } from '../../reports/story/story.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { refuseFolder, writeOut } from '../terminal/output-file.ts'
import { readAssets } from './page-assets.ts'
import { readFigureData } from './read-figure-data.ts'
import type { RunReport } from './report-options.ts'

/** Maximum number of characters of stories in a page; browsers open this much quickly. */
const mostCharacters = 32_000_000
/** The same of answers and files that trials handed in. */
const mostHandedIn = 12_000_000
/** Above this number of trials, each story is shortened, so that all of them fit. */
const mostAtLength = 1500

/** Writes a run as one HTML page, to `--out` or to stdout. */
export async function writePage({ folder, manifest, report, options }: RunReport): Promise<void> {
  refuseFolder(options.out, 'run.html')
  const data = readFigureData(folder, manifest, report)
  const drawn = Object.entries(figures).map(([name, draw]) => [name, draw(data)])
  const page = renderPage({
    report,
    figures: Object.fromEntries(drawn),
    narrowFigure: successAgainstCost(data, narrowWidth),
    ...(await trialsOf(folder, manifest, report.summary)),
    ...readAssets(pageAssets),
  })
  writeOut(page, options.out)
}

/** Returns every trial, with its story as in `bench show` until the page is full; null after that. */
async function trialsOf(
  folder: string,
  manifest: RunManifest,
  { records: recorded, methods }: Summary,
): Promise<{ trials: TrialRow[]; stories: (string | null)[]; handedIn: HandedInData }> {
  const tasks = await tryReadTasks(folder, manifest)
  const blobs = openBlobs(join(folder, 'blobs'))
  const index = indexJournal(folder, blobs, () => true)
  const trials: TrialRow[] = []
  const stories: (string | null)[] = []
  const deliveries = collectHandedIn(mostHandedIn)
  let characters = 0
  try {
    for (const record of readRecords(folder)) {
      const row = methods.find(
        ({ method, set }) => method === record.method && set === (record.agentSet ?? null),
      )
      trials.push(trialRow(record, row?.roleAgents))
      if (characters > mostCharacters && deliveries.isFull()) {
        stories.push(null)
        deliveries.add(record, undefined)
        continue
      }
      const steps = [...index.readTrial(record.trial).steps.values()]
      const task = tasks.get(record.task)
      const contentOf = indexFileContents(steps, task, blobs)
      deliveries.add(record, handedIn(record, steps, contentOf))
      if (characters > mostCharacters) {
        stories.push(null)
        continue
      }
      const parts = storyParts({
        record,
        steps,
        brief: recorded > mostAtLength,
        contentOf,
        capture: manifest.capture,
        sources: manifest.recorded,
        ...(task && { title: task.spec.title, instruction: task.instruction }),
      })
      const story = JSON.stringify(parts)
      characters += story.length
      stories.push(story)
    }
  } finally {
    index.close()
  }
  return { trials, stories, handedIn: deliveries.data }
}
