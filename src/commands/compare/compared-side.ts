import { basename } from 'node:path'
import { boundName } from '../../analysis/row.ts'
import type { Summary } from '../../analysis/summary.ts'
import { findLabel } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { agentSetsOf, rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { latestRun, namesRun } from '../open/named-runs.ts'
import { openRun } from '../open/open-run.ts'

/** One method of one run. */
export interface ComparedSide {
  folder: string
  /** The run's short name, for labels. */
  name: string
  manifest: RunManifest
  method: string
  /** Label of the set of agents, where the run has several. */
  set: string | undefined
  /** The method and its set of agents, as tables name them. */
  label: string
}

/** Reads `[RUN:]METHOD[@AGENTS]`; `@AGENTS` selects one of several sets of agents. The default run is the latest in results/. Throws `UserError` if there is no such run or method. */
export function resolveSide(text: string): ComparedSide {
  const at = endOfRun(text)
  const written = text.slice(at + 1)
  const { folder, manifest } = openRun(at < 1 ? latestRun(text, named(text)) : text.slice(0, at))
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map((set) => ({ method: method.label, set: set.label })),
  )
  const label = findLabel(written, rowNames(manifest)) ?? written
  const row = rows.find(({ method, set }) => rowName(method, set) === label)
  if (!row)
    throw new UserError(
      unknownName(text, `method of ${folder}`, label, rowNames(manifest), `bench show ${folder}`),
    )
  return { folder, name: basename(folder), manifest, ...row, label }
}

const named = (text: string) =>
  `Write RUN:${text}, where RUN is the folder that bench printed at the end of a run.`

/** Returns the place of the colon between run and method. Colons in options and agents are others, and so is one before a document. */
function endOfRun(text: string): number {
  const [head = ''] = text.split(/[[@]/)
  // `self-consistency=sequential:calls` is a label without a run, unless a run has that name.
  const last = head.lastIndexOf(':')
  for (let at = last; at > 0; at = head.lastIndexOf(':', at - 1)) if (namesRun(text.slice(0, at))) return at
  return /=[^:]*:\w+$/.test(head) ? -1 : last
}

/** Says which agents of these rows are reference bounds, and so excluded from comparisons; undefined if there are none. */
export function describeExcludedBounds(rows: Summary['methods']): string | undefined {
  const bounds = new Set(rows.map(({ agents }) => agents).filter((agents) => boundName(agents) !== undefined))
  if (bounds.size === 0) return undefined
  return `${[...bounds].join(' and ')} ${bounds.size === 1 ? 'is a reference bound and is' : 'are reference bounds and are'} excluded from comparisons`
}
