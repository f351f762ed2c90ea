import { countRejected } from '../../replies/files.ts'
import { isOtherModel, modelOfAgent, modelsOfCall } from '../../schema/agent/other-model.ts'
import type { LeftOut, ModelCalls, Phase, ToolCounts, TrialRecord } from '../../schema/ledger/record.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { comparePlaces, effectKey } from '../../schema/ledger/turn-key.ts'
import { editableIn } from '../../suites/editable.ts'
import { type TrialState, withheldText } from '../branch/trial-state.ts'
import type { TrialJournal } from '../journal/ledger-index.ts'

type Asked = Pick<TrialJournal, 'asked'>

/** Names of models beyond these are left out: a server may name another one in each reply. */
const mostModels = 20
const longestName = 200

/** Returns how many asks of producing roles were answered; a repair is no ask of its own. */
export const countProduced = ({ asked }: Asked): number =>
  asked.filter(({ step }) => step.work === 'produce' && !step.error && !step.toolCalls && !step.repair).length

/**
 * Returns how many replies that the method pays ended in each way, apart from a `stop`, and from calls of tools in an ask that has
 * tools. Undefined if all ended so.
 */
export function countFinishes({ asked }: Asked): TrialRecord['finishes'] {
  const counts: NonNullable<TrialRecord['finishes']> = {}
  for (const { step } of asked) {
    const { finish, payer } = step
    if (payer !== 'method' || finish === undefined || finish === 'stop') continue
    if (finish === 'tool-call' && hasTools(step)) continue
    counts[finish] = (counts[finish] ?? 0) + 1
  }
  const sorted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.length === 0 ? undefined : Object.fromEntries(sorted)
}

/** An ask with tools has turns in its key, or the calls themselves. */
const hasTools = ({ key, toolCalls }: AskStep) => toolCalls !== undefined || effectKey(key) !== key

/** Returns the calls that the method pays which other models answered than those asked for; undefined without such calls. */
export const countOtherModels = (journal: Asked): TrialRecord['otherModels'] =>
  countModels(journal, (step) =>
    modelsOf(step).filter((model) => isOtherModel(modelOfAgent(step.agent), model)),
  )

/**
 * Returns which models answered the calls that the method pays, as servers name them; undefined where none was named. Calls that several
 * models answered, such as those of an agent CLI, are left out: which ones it asks is its own affair.
 */
export const countServed = (journal: Asked): TrialRecord['served'] =>
  countModels(journal, (step) => {
    const models = modelsOf(step)
    return models.length === 1 ? models : []
  })

const modelsOf = (step: AskStep) => modelsOfCall(step).map((model) => model.slice(0, longestName))

function countModels({ asked }: Asked, namesOf: (step: AskStep) => string[]): ModelCalls[] | undefined {
  const counts = new Map<string, ModelCalls>()
  for (const { step } of asked) {
    const { agent, payer } = step
    if (payer !== 'method') continue
    for (const model of namesOf(step)) {
      const name = `${agent} ${model}`
      counts.set(name, { agent, model, calls: (counts.get(name)?.calls ?? 0) + 1 })
    }
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return sorted.length === 0 ? undefined : sorted.slice(0, mostModels)
}

/** Returns what the gateway did not let pass, and what it let providers run, in the asks of the method and of judges. */
export function gatewayFields({
  asked,
  refusedRequests,
}: Asked & Partial<Pick<TrialJournal, 'refusedRequests'>>): Pick<
  TrialRecord,
  'refusedRequests' | 'providerTools'
> {
  const refused = asked.reduce((sum, { step }) => sum + (step.refused?.total ?? 0), refusedRequests ?? 0)
  const tools = [...new Set(asked.flatMap(({ step }) => step.providerTools ?? []))].sort()
  return {
    ...(refused > 0 && { refusedRequests: refused }),
    ...(tools.length > 0 && { providerTools: tools }),
  }
}

/**
 * Returns what the record says of changes that did not count: refused paths, and changes of files that the task does not take from the
 * work. Undefined without any.
 */
export function countLeftOut({
  journal: { asked, toolSteps },
  plan: { task },
}: TrialState): LeftOut | undefined {
  if (task.spec.output === 'answer') return undefined
  const isEditable = editableIn(task.spec)
  const changeSets = [...asked.map(({ step }) => step), ...toolSteps].flatMap(
    ({ changeSet }) => changeSet ?? [],
  )
  const refused = changeSets.reduce((sum, { rejected = [] }) => sum + countRejected(rejected), 0)
  const notCounted = changeSets
    .flatMap(({ changes }) => changes)
    .filter(({ path }) => !isEditable(path)).length
  return refused + notCounted === 0 ? undefined : { refused, notCounted }
}

/** Returns what the record says of repairs in the data of replies; undefined without any. Parallel branches make them in any order. */
export const countRepairs = ({ repairedData }: TrialState): TrialRecord['repairedData'] =>
  repairedData.size === 0 ? undefined : sorted(Object.fromEntries(repairedData))

/** Returns what the record says of the calls of tools; undefined without any. Parallel branches make them in any order. */
export function countTools({ toolSteps, asked }: TrialJournal): ToolCounts | undefined {
  if (toolSteps.length === 0) return undefined
  const asks = new Set(toolSteps.map(({ key }) => effectKey(key)))
  const turns = new Set(asked.map(({ step }) => step.key).filter((key) => asks.has(effectKey(key))))
  const byName = new Map<string, { calls: number; failed: number }>()
  const failed: NonNullable<ToolCounts['failed']> = {}
  const servers = new Map<string, NonNullable<ToolCounts['servers']>[number]>()
  for (const { call, outcome, tool, server } of toolSteps) {
    if (outcome !== 'ok') failed[outcome] = (failed[outcome] ?? 0) + 1
    if (tool !== undefined) {
      const { calls = 0, failed: before = 0 } = byName.get(call.name) ?? {}
      byName.set(call.name, { calls: calls + 1, failed: before + (outcome === 'ok' ? 0 : 1) })
    }
    if (server && tool !== undefined)
      servers.set(`${tool} ${server.name} ${server.version}`, { id: tool, ...server })
  }
  return {
    calls: toolSteps.length,
    turns: turns.size,
    asks: asks.size,
    ...(Object.keys(failed).length > 0 && { failed: sorted(failed) }),
    byName: sorted(Object.fromEntries(byName)),
    ...(servers.size > 0 && { servers: Object.values(sorted(Object.fromEntries(servers))) }),
  }
}

const sorted = <Value extends object>(fields: Value): Value =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) as Value

type PhasedAsk = TrialJournal['asked'][number]

/** Returns the phase history of a trial: its attempts in order. All turns of an ask with tools are one phase. */
export function phasesOf(journal: TrialJournal): Phase[] {
  const phases = new Map<string, Phase>()
  for (const asked of [...journal.asked].sort(byClock)) {
    const { key, attempt } = asked.step
    const isTurn = effectKey(key) !== key
    const name = isTurn ? effectKey(key) : `${key}/${attempt}`
    const before = phases.get(name)
    const phase = phaseOf(journal, asked)
    phases.set(name, before ? joined(before, phase) : phase)
  }
  return [...phases.values()]
}

/** Sorts by clock and key, since parallel branches end in any order. */
function byClock(a: PhasedAsk, b: PhasedAsk): number {
  if (a.step.at !== b.step.at) return a.step.at - b.step.at
  if (a.branch !== b.branch) return a.branch < b.branch ? -1 : 1
  return comparePlaces(a.step.key, b.step.key) || a.step.attempt - b.step.attempt
}

/** Adds a turn to the phase of its ask, calls of tools between them included. */
const joined = (before: Phase, turn: Phase): Phase => ({
  ...before,
  durationMs: turn.durationMs === null ? null : turn.at + turn.durationMs - before.at,
  tokens: before.tokens === null && turn.tokens === null ? null : (before.tokens ?? 0) + (turn.tokens ?? 0),
  summary: turn.summary,
})

function phaseOf({ secret }: TrialJournal, { step, branch, text }: PhasedAsk): Phase {
  return {
    role: step.role,
    agent: step.agent,
    branch,
    at: step.at,
    durationMs: step.sample === undefined ? step.durationMs : null,
    tokens:
      step.tokens.input === null && step.tokens.output === null
        ? null
        : (step.tokens.input ?? 0) + (step.tokens.output ?? 0),
    iteration: step.iteration ?? {},
    summary: secret ? withheldText : firstLine(text),
  }
}

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
