import { withoutLabel } from '../agents/agent.ts'
import { unknownModel } from '../imports/place-trials.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { AskStep, Step } from '../schema/ledger/step.ts'
import { isFirstTurn } from '../schema/ledger/turn-key.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { digest } from '../text/canonical-json.ts'
import { isObject } from '../text/is-object.ts'

/** A trial that is exported: its record, its steps that count, and what it was asked and handed in, if these are texts that are known. */
export interface ExportedTrial {
  record: TrialRecord
  steps: readonly Step[]
  instruction?: string | undefined
  answer?: string | undefined
}

/** A run that is exported. */
export interface ExportedRun {
  manifest: RunManifest
  /** Whether spans hold texts. Other formats always do. */
  content: boolean
  /** Removes secrets from a text that leaves bench. */
  clean(text: string): string
}

/** A part of a file: parts of one file follow each other. `path` is relative to `--out`; it is empty where that is a file. */
export interface FilePart {
  path: string
  text: string
}

/** An export under way: it takes trials one at a time, and keeps none. */
export interface Export {
  add(trial: ExportedTrial): Iterable<FilePart>
  end(): Iterable<FilePart>
  /** Trials that the format cannot hold, by reason. */
  leftOut?: ReadonlyMap<string, number>
}

/** A field of a trial that a format holds, and that `bench import` reads from it again. */
type SharedField = (record: TrialRecord) => unknown

/** Writes trials in the format of other tools. */
export interface Exporter {
  /** One line for `bench export --help`. */
  summary: string
  /** What `--out` names. */
  out: 'file' | 'folder'
  /** It wants the instructions of the tasks. */
  readsTasks?: true
  /** What an export keeps when it is imported, by name; empty for a format that bench does not import. */
  shared: Readonly<Record<string, SharedField>>
  /** Begins an export of a run. Equal runs give equal parts. */
  begin(run: ExportedRun): Export
}

/** Returns the models of a trial as `provider/model`, several joined by `+`; undefined if they are unknown. */
export function modelOf({ agents, imported }: Pick<TrialRecord, 'agents' | 'imported'>): string | undefined {
  const names = typeof agents === 'string' ? [agents] : Object.values(agents)
  if (imported) return names[0] === unknownModel ? undefined : names[0]
  const models = names.map((name) => withoutLabel(name).replace(':', '/'))
  return [...new Set(models)].toSorted().join('+') || undefined
}

/** Returns a text with `-` for the signs that the label of a row cannot hold, as an import writes it. */
const labelOf = (text: string) => text.replace(/[\s,[\]=]+/g, '-')

/** Returns the row of a trial: its method, with its set of agents. That of an imported trial may end with the model, which is left out. */
export function rowOf(record: TrialRecord): string {
  const row = rowName(record.method, record.agentSet)
  const end = record.imported && `@${labelOf(modelOf(record) ?? '')}`
  return end && row.endsWith(end) ? row.slice(0, -end.length) : row
}

/** Returns the tokens of a trial; undefined if a call did not report them. `cached` is absent if it is unknown. */
export function knownTokens({
  spent,
}: TrialRecord): { input: number; output: number; cached?: number } | undefined {
  const { input, output, cached, unreportedTokens, unreportedCached } = spent
  if (unreportedTokens > 0) return undefined
  return { input, output, ...(unreportedCached === undefined && { cached }) }
}

/** Returns the cost of a trial in US dollars; undefined if that of a call is unknown. */
export const knownCost = ({ spent }: TrialRecord): number | undefined =>
  spent.unreportedCost === 0 ? (spent.costUsd ?? undefined) : undefined

/** What trials keep in each format that is imported again. Of labels, signs that they cannot hold are `-`. */
export const commonFields: Readonly<Record<string, SharedField>> = {
  task: ({ task }) => task,
  method: (record) => labelOf(rowOf(record)),
  model: modelOf,
  epoch: ({ epoch }) => epoch,
  verdict: ({ passed }) => passed,
  score: ({ score }) => score,
  tokens: knownTokens,
  cost: knownCost,
  calls: ({ spent }) => spent.calls,
  time: ({ durationMs }) => durationMs,
  limit: ({ outcome }) => (outcome.status === 'limited' ? outcome.reason : undefined),
}

/** Returns a UUID of version 4 that is a function of a text. */
export function uuidOf(text: string): string {
  const hex = digest(text)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the arguments of a call of a tool, which are JSON of a model; undefined if they are no object. */
export function toolArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether the prompt of a call is new: later turns and retries repeat it, with what came since. */
export const hasNewPrompt = ({ key, retry, repair }: AskStep): boolean =>
  repair === true || (isFirstTurn(key) && retry !== true)
