import { taskId } from '../suites/make-task.ts'
import { digest } from '../text/canonical-json.ts'
import type { ForeignTrial } from './foreign-trial.ts'

/** A trial of a file, with the label that the user gave to its trials. */
export interface Labelled {
  /** The file. */
  source: string
  label: string | undefined
  trial: Omit<ForeignTrial, 'content'>
  content: string | undefined
}

/** A trial with its place in the table: its row, its task and its repetition. */
export interface PlacedTrial {
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
 * Gives each trial its task and repetition. Two contents under one name are two tasks, and so are two names that look alike once they are
 * written as names of tasks. A trial of which the content is not known is of the first one. What repeats a repetition is a further one.
 */
export function placeTrials(found: readonly Labelled[], nameOf: ReturnType<typeof nameRows>) {
  const baseOf = ({ trial }: Labelled) => `${taskId(trial.suite) || 'imported'}/${taskId(trial.task)}`
  const rawOf = ({ trial }: Labelled) => JSON.stringify([trial.suite, trial.task])
  const raws = new Map<string, Set<string>>()
  const contents = new Map<string, string[]>()
  for (const one of found) {
    raws.set(baseOf(one), (raws.get(baseOf(one)) ?? new Set()).add(rawOf(one)))
    const known = contents.get(rawOf(one)) ?? []
    if (one.content !== undefined && !known.includes(one.content)) known.push(one.content)
    contents.set(rawOf(one), known)
  }
  const epochs = new Map<string, Set<number>>()
  const next = new Map<string, number>()
  return found.map((one) => {
    const { source, trial, label } = one
    const known = contents.get(rawOf(one)) ?? []
    const content = one.content ?? known[0]
    const base = baseOf(one)
    const isAlike = (raws.get(base)?.size ?? 0) > 1 || base.endsWith('/')
    const marks = [
      isAlike && digest(rawOf(one)).slice(0, 8),
      known.length > 1 && content !== undefined && content.slice(0, 8),
    ].filter((mark) => mark !== false)
    const ref = marks.reduce((name, mark) => `${name}${name.endsWith('/') ? '' : '.'}${mark}`, base)
    const row = nameOf(label, trial.agent, trial.model)
    const cell = JSON.stringify([ref, row])
    const taken = epochs.get(cell) ?? new Set<number>()
    epochs.set(cell, taken)
    let epoch = trial.epoch ?? next.get(cell) ?? 1
    while (taken.has(epoch)) epoch++
    taken.add(epoch)
    next.set(cell, epoch + 1)
    return {
      ...{ source, row, ref, epoch, trial },
      digest: digest([trial.suite, trial.version ?? null, trial.task, content ?? null]),
    }
  })
}
