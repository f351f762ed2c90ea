import { valueAt } from '../base/grouping.ts'
import { schemaVersion, type TrialRecord } from '../schema/ledger/record.ts'
import { taskId } from '../suites/make-task.ts'
import { digest, sha256 } from '../text/canonical-json.ts'
import type { ForeignTrial } from './foreign-trial.ts'

/** A trial of a file, with the label that the user gave to its trials. */
export interface Labelled {
  /** The file. */
  source: string
  label: string | undefined
  trial: Omit<ForeignTrial, 'content'>
  content: string | undefined
}

/** A trial with its place in the table: its row, its task and its repetition. `label` is the user's for its file. */
export interface PlacedTrial {
  label: string | undefined
  row: string
  ref: string
  epoch: number
  trial: ForeignTrial
}

/**
 * A row is named by the user's label, or by what differs: the agent, the model, or both. A label for several of them stands before these, and
 * names that look alike once they are written as labels are numbered.
 */
export function nameRows(found: readonly Labelled[]) {
  const agents = new Set(found.map(({ trial }) => trial.agent))
  const models = new Set(found.map(({ trial }) => trial.model))
  const ofLabel = new Map<string | undefined, Set<string>>()
  const keyOf = (agent: string | null, model: string | null) => JSON.stringify([agent, model])
  for (const { label, trial } of found)
    ofLabel.set(label, (ofLabel.get(label) ?? new Set()).add(keyOf(trial.agent, trial.model)))
  const named = new Map<string, string>()
  const taken = new Set<string>()
  return (label: string | undefined, agent: string | null, model: string | null): string => {
    const isOne = label !== undefined && (ofLabel.get(label)?.size ?? 0) <= 1
    const key = JSON.stringify(isOne ? [label] : [label, agent, model])
    const known = named.get(key)
    if (known !== undefined) return known
    const parts = [agents.size > 1 || models.size === 1 ? agent : null, models.size > 1 ? model : null]
    const own = parts.filter((part) => part !== null).join('@') || agent || model || 'imported'
    const written = isOne ? label : [...(label === undefined ? [] : [label]), own].join('-')
    const name = freeName(written.replace(/[\s,[\]=]+/g, '-'), taken)
    taken.add(name)
    named.set(key, name)
    return name
  }
}

/** Returns a name, with a number behind it if it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const next = number === 1 ? name : `${name}-${number}`
    if (!taken.has(next)) return next
  }
}

/**
 * Gives each trial its task and repetition. Two contents or two versions under one name are two tasks, and so are two names that look alike once
 * they are written as names of tasks. A trial of which the content or the version is not known is of the first one. What repeats a repetition is a further one.
 */
export function placeTrials(found: readonly Labelled[], nameOf: ReturnType<typeof nameRows>) {
  const tasks = createTasks()
  for (const one of found) tasks.add(one)
  const cells = new Map<string, Map<string, { taken: Set<number>; next: number }>>()
  return found.map((one) => {
    const { source, trial, label } = one
    const { ref, digest } = tasks.nameOf(one)
    const row = nameOf(label, trial.agent, trial.model)
    const ofTask = valueAt(cells, ref, () => new Map())
    const cell = valueAt(ofTask, row, () => ({ taken: new Set<number>(), next: 1 }))
    let epoch = trial.epoch ?? cell.next
    while (cell.taken.has(epoch)) epoch++
    cell.taken.add(epoch)
    cell.next = epoch + 1
    return { source, label, row, ref, epoch, trial, digest }
  })
}

/** A name of a task in the sources, and what they state of it. */
interface RawTask {
  suite: string
  task: string
  /** Its name here, if nothing else had it. */
  base: string
  contents: Set<string>
  versions: Set<string>
  /** The names of its variants, by version and content. */
  named: Map<string, { ref: string; digest: string }>
}

function createTasks() {
  const suites = new Map<string, Map<string, RawTask>>()
  const alike = new Map<string, number>()
  const rawOf = ({ trial: { suite, task } }: Labelled) => {
    const ofSuite = valueAt(suites, suite, () => new Map<string, RawTask>())
    return valueAt(ofSuite, task, (): RawTask => {
      const base = `${taskId(suite) || 'imported'}/${taskId(task)}`
      alike.set(base, (alike.get(base) ?? 0) + 1)
      return { suite, task, base, contents: new Set<string>(), versions: new Set(), named: new Map() }
    })
  }
  return {
    add(one: Labelled): void {
      const raw = rawOf(one)
      if (one.trial.version !== undefined) raw.versions.add(one.trial.version)
      if (one.content !== undefined) raw.contents.add(one.content)
    },
    nameOf(one: Labelled): { ref: string; digest: string } {
      const raw = rawOf(one)
      const [firstVersion] = raw.versions
      const version = one.trial.version ?? firstVersion
      const [first] = raw.contents
      const content = one.content ?? first
      return valueAt(raw.named, `${version} ${content}`, () => {
        const isAlike = (alike.get(raw.base) ?? 0) > 1 || raw.base.endsWith('/')
        const marks = [
          isAlike && digest(JSON.stringify([raw.suite, raw.task])).slice(0, 8),
          raw.contents.size > 1 && content !== undefined && content.slice(0, 8),
          raw.versions.size > 1 && version !== undefined && `v${taskId(version)}`,
        ].filter((mark) => mark !== false)
        return {
          ref: marks.reduce((name, mark) => `${name}${name.endsWith('/') ? '' : '.'}${mark}`, raw.base),
          digest: digest([raw.suite, version ?? null, raw.task, content ?? null]),
        }
      })
    },
  }
}

/** What stands for a model that a source does not name. */
export const unknownModel = 'unknown model'

/** Returns the id of an imported trial, by what its source says: it is needed before rows and tasks have their names. */
export const importedTrialId = (
  format: string,
  label: string | undefined,
  { where, suite, task, epoch }: Pick<ForeignTrial, 'where' | 'suite' | 'task' | 'epoch'>,
): string => sha256(JSON.stringify([format, label, where, suite, task, epoch])).slice(0, 16)

/** Returns the record of an imported trial; undefined for one that was not run. `answer` packs a text. */
export function makeRecord(
  { row, ref, epoch, label, trial }: PlacedTrial,
  format: string,
  answer: (text: string) => string,
): TrialRecord | undefined {
  if (trial.state === 'not run') return undefined
  const { state, reason, limit, score, tokens, model } = trial
  const priced = trial.priced && 'costUsd' in trial.priced ? trial.priced : undefined
  const costUsd = priced?.costUsd ?? trial.costUsd
  const isGraded = state === 'passed' || state === 'failed'
  const value = score ?? (state === 'passed' ? 1 : 0)
  return {
    schemaVersion,
    trial: importedTrialId(format, label, trial),
    ...{ task: ref, suite: ref.slice(0, ref.indexOf('/')), method: row },
    ...{ agents: model ?? unknownModel, epoch, mode: 'live', simulated: false, imported: true },
    ...(priced && { costSource: priced.costSource === 'file' ? ('file' as const) : ('table' as const) }),
    profile: null,
    outcome: outcomeOf(state, reason, limit),
    claimed: null,
    ...(reason !== '' && { detail: reason }),
    passed: isGraded ? state === 'passed' : null,
    score: isGraded ? value : null,
    scores: isGraded ? [{ name: 'source', value, reason }] : [],
    ...(trial.answer !== undefined && { answer: answer(trial.answer) }),
    delivered: null,
    spent: {
      ...{ input: tokens.input ?? 0, output: tokens.output ?? 0, cached: tokens.cached ?? 0 },
      ...{ costUsd, calls: trial.calls ?? 0, checks: 0 },
      // A trial whose calls nobody counted counts as one of which nothing is known.
      unreportedTokens: tokens.input === null || tokens.output === null ? 1 : 0,
      unreportedCost: costUsd === null ? 1 : 0,
      ...(tokens.cached === null && { unreportedCached: 1 }),
      ...(priced?.listCostUsd !== undefined && { listCostUsd: priced.listCostUsd, unknownListCost: 0 }),
    },
    ...{ gradingCostUsd: null, iterations: 0, durationMs: trial.durationMs },
    fidelity: { status: 'undeclared' },
    wall: { startedAt: trial.startedAt ?? '', ms: trial.durationMs ?? 0 },
  }
}

function outcomeOf(
  state: PlacedTrial['trial']['state'],
  reason: string,
  limit: string | undefined,
): TrialRecord['outcome'] {
  if (state === 'error') return { status: 'error', reason }
  return limit === undefined ? { status: 'completed', reason: '' } : { status: 'limited', reason: limit }
}
