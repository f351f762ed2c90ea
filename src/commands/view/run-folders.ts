import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { foreignFile } from '../../loop/record/find-runs.ts'
import { rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { isInterim } from '../compare/interim-look.ts'
import { planFromManifest } from '../open/create-session.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { openRun } from '../open/open-run.ts'
import { type RunState, stateAfter } from '../runs.ts'
import { openRunIndex, type RunIndex } from './run-index.ts'

/** A run that a page shows. */
export interface ViewedRun {
  /** Its name below the folder of the server. */
  name: string
  folder: string
  manifest: RunManifest
  /** Where the lines of the index stand: its folder, or that of a block whose lines it does not have yet. */
  ledger: string
  index: RunIndex
  /** The methods, with their sets of agents, in the order of the plan. */
  rows: string[]
  state: RunState['state']
  /** Whether results by method must not be seen: a look before the end voids tests, and nobody has asked for one. */
  isShut: boolean
  /** Names the trials of its plan by method and task: of those without a record nothing else tells them. */
  names(): Promise<ReadonlyMap<string, string>>
}

/** A run in the list: its name, and when its run.json was written; ms. */
export interface FoundRun {
  name: string
  writtenAt: number
}

/** The runs of a folder. */
export interface RunFolders {
  /** Lists the runs right in the folder, the newest first. */
  list(): Promise<FoundRun[]>
  /** Opens a run and reads what it has got. Undefined: there is no such run. Throws `UserError` for one that cannot be read. */
  open(name: string): Promise<ViewedRun | undefined>
  /** Opens what must not be seen, from now on. */
  peek(name: string): void
}

/** As many runs as people look at by turns keep their index. */
const mostIndexes = 6

/** No name of a folder: a path, a hidden folder, the end of a text in C, or a text that is too long. */
const noName = /^\.|[/\\\0]|^.{256}/s

/** Opens a folder that holds run folders. */
export function openRunFolders(root: string): RunFolders {
  const indexes = new Map<string, { index: RunIndex; names?: ReturnType<typeof nameTrials> }>()
  const peeked = new Set<string>()
  const keptOf = (name: string, folder: string) => {
    const kept = indexes.get(name) ?? { index: openRunIndex(folder) }
    indexes.delete(name)
    indexes.set(name, kept)
    for (const [oldest] of indexes) if (indexes.size > mostIndexes) indexes.delete(oldest)
    return kept
  }
  return {
    peek: (name) => void peeked.add(name),
    async list() {
      const names = await readdir(root, { withFileTypes: true }).catch(() => [])
      const folders = names.filter((entry) => entry.isDirectory())
      const found = await Promise.all(folders.map(({ name }) => findRun(root, name)))
      const isNewer = (a: FoundRun, b: FoundRun) => b.writtenAt - a.writtenAt || (a.name < b.name ? 1 : -1)
      return found.filter((one) => one !== undefined).sort(isNewer)
    },
    async open(name) {
      if (!(await findRun(root, name))) return undefined
      const foreign = foreignFile(join(root, name))
      if (foreign) throw new UserError(foreign)
      const { folder, manifest } = openRun(join(root, name))
      const kept = keptOf(name, folder)
      const { index } = kept
      await index.refresh()
      const rows = [...new Set([...rowNames(manifest), ...[...index.heads.values()].map(({ row }) => row)])]
      const isShut = rows.length > 1 && isInterim(manifest, index.heads.size) && !peeked.has(name)
      return {
        name,
        folder,
        manifest,
        ledger: folder,
        index,
        rows,
        state: stateAfter(folder, manifest, index.heads.size),
        isShut,
        names() {
          kept.names ??= nameTrials(folder, manifest)
          return kept.names
        },
      }
    },
  }
}

/** Finds the trial of a run whose id begins so, with or without a record, also in blocks of workers; undefined unless there is one. */
export async function findViewedTrial(
  run: ViewedRun,
  beginning: string,
): Promise<{ id: string; run: ViewedRun } | undefined> {
  const own = findTrialId(run.index, beginning)
  if (own !== undefined) return { id: own, run }
  for (const ledger of ledgersOf(run.folder).slice(1)) {
    // A link is not followed.
    if (!(await statOf(ledger))?.isDirectory()) continue
    const index = openRunIndex(ledger)
    await index.refresh()
    const id = findTrialId(index, beginning)
    if (id !== undefined) return { id, run: { ...run, ledger, index } }
  }
  return undefined
}

function findTrialId({ heads, steps }: RunIndex, beginning: string): string | undefined {
  const known = [...new Set([...heads.keys(), ...steps.keys()])]
  if (known.includes(beginning)) return beginning
  const found = beginning.length < 4 ? [] : known.filter((id) => id.startsWith(beginning))
  return found.length === 1 ? found[0] : undefined
}

/** Finds a run folder right in a folder by its name; undefined if it is none, or a link. */
async function findRun(root: string, name: string): Promise<FoundRun | undefined> {
  if (name === '' || noName.test(name)) return undefined
  const folder = join(root, name)
  const [own, manifest] = await Promise.all([statOf(folder), statOf(join(folder, runFiles.manifest))])
  return own?.isDirectory() && manifest?.isFile() ? { name, writtenAt: manifest.mtimeMs } : undefined
}

const statOf = (path: string) => lstat(path).catch(() => undefined)

async function nameTrials(folder: string, manifest: RunManifest): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const plan: Iterable<Trial> = planFromManifest(manifest, await tryReadTasks(folder, manifest))
  for (const { id, epoch, cell } of plan) {
    const name = `${rowName(cell.method.label, cell.agentSet)} on ${cell.task}`
    names.set(id, manifest.epochs > 1 ? `${name}, epoch ${epoch}` : name)
  }
  return names
}

/** Counts the whole lines of a run's records without reading them. */
export async function countRecords(root: string, name: string): Promise<number> {
  const file = await open(join(root, name, runFiles.records)).catch(() => undefined)
  if (!file) return 0
  try {
    const chunk = Buffer.allocUnsafe(256 * 1024)
    let count = 0
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length)
      if (bytesRead === 0) return count
      const read = chunk.subarray(0, bytesRead)
      for (let at = read.indexOf(0x0a); at >= 0; at = read.indexOf(0x0a, at + 1)) count++
    }
  } finally {
    await file.close()
  }
}

/** Returns what a broken run says of itself, a line for each problem. Other errors are thrown again. */
export function problemTexts(error: unknown): string[] {
  if (!(error instanceof UserError)) throw error
  return error.problems.map(({ where, what, fix }) => [`${where}: ${what}.`, fix].filter(Boolean).join(' '))
}
