import { evidenceOf } from '../analysis/evidence.ts'
import { orderSteps } from '../reports/story/story-order.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { Step } from '../schema/ledger/step.ts'
import { turnOf } from '../schema/ledger/turn-key.ts'
import { digest } from '../text/canonical-json.ts'
import { type ExportedRun, type ExportedTrial, knownCost, knownTokens } from './exported-trial.ts'
import { type Attributes, operations } from './semantic-conventions.ts'
import { type SpanKind, tellStep } from './step-spans.ts'

/** A span of a trace. Times are milliseconds since 1970. */
export interface Span {
  /** 32 and 16 hexadecimal digits. */
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: SpanKind
  startMs: number
  endMs: number
  attributes: Attributes
  events: { name: string; ms: number; attributes: Attributes }[]
  /** What it is about ended in an error. */
  isError: boolean
}

/**
 * Returns the spans of a trial, which are one trace: the trial, then its calls of models, programs and tools, checks, grades, stages and steps
 * of graphs. Ids are hashes of the run's id and of the steps' keys. Steps have the times of the trial's clock, which is virtual in dev mode.
 * A step is below the call that it belongs to, else below the stage or the step of a graph in whose branch it is, else below the trial.
 */
export function trialSpans({ record, steps, answer }: ExportedTrial, run: ExportedRun): Span[] {
  const traceId = digest([run.manifest.id, record.trial]).slice(0, 32)
  const spanId = digest([traceId, 'trial']).slice(0, 16)
  const started = Date.parse(record.wall.startedAt)
  // The time of an imported trial may be unknown.
  const startMs = Number.isNaN(started) ? Date.parse(run.manifest.createdAt) : started
  const below = stepSpans(steps, { traceId, spanId, startMs, imported: record.imported }, run)
  // Of recorded replies the time is unknown.
  const endMs =
    record.durationMs === null
      ? below.reduce((last, { endMs }) => Math.max(last, endMs), startMs)
      : startMs + record.durationMs
  const trial: Span = {
    ...{ traceId, spanId, kind: 'internal', startMs, endMs },
    name: `${operations.trial} ${rowName(record.method, record.agentSet)}`,
    attributes: {
      ...trialAttributes(record, run),
      ...(Number.isNaN(started) && { 'bench.start_unknown': true }),
      ...(run.content && { 'bench.answer': answer, 'bench.reason': record.outcome.reason || undefined }),
    },
    events: evaluationsOf(record, endMs, run.content),
    isError: isBroken(record),
  }
  return [trial, ...below]
}

const isBroken = ({ outcome }: TrialRecord) => outcome.status === 'error' || outcome.status === 'failed'

function stepSpans(
  steps: readonly Step[],
  {
    traceId,
    spanId: rootId,
    startMs,
    imported,
  }: Pick<Span, 'traceId' | 'spanId' | 'startMs'> & Pick<TrialRecord, 'imported'>,
  { content, manifest }: ExportedRun,
): Span[] {
  const idOf = ({ kind, key, attempt }: Step) => digest([traceId, `${kind} ${key}/${attempt}`]).slice(0, 16)
  const shown = { content, prompts: manifest.capture?.prompts !== false, imported }
  const ordered = orderSteps(steps).map(({ step }) => step)
  const containers = containersOf(ordered, idOf)
  const calls = new Map<string, string>()
  return ordered.flatMap((step): Span[] => {
    const told = tellStep(step, shown)
    if (!told) return []
    const spanId = idOf(step)
    if (step.kind === 'ask') calls.set(step.key, spanId)
    const caller = step.kind === 'tool' ? calls.get(turnOf(step.key)) : undefined
    const parentSpanId = caller ?? containerOf(branchOf(step), containers) ?? rootId
    const at = startMs + step.at
    const { name, kind = 'internal', attributes, isError = false } = told
    const place = { 'bench.key': step.key, 'bench.attempt': step.attempt, 'bench.payer': step.payer }
    return [
      {
        ...{ traceId, spanId, parentSpanId, name, kind, startMs: at, endMs: at + step.durationMs },
        ...{ attributes: { ...attributes, ...place }, events: [], isError },
      },
    ]
  })
}

function trialAttributes(record: TrialRecord, { manifest }: ExportedRun): Attributes {
  const { outcome, spent } = record
  const tokens = knownTokens(record)
  return {
    'gen_ai.operation.name': operations.trial,
    'gen_ai.agent.name': rowName(record.method, record.agentSet),
    'gen_ai.usage.input_tokens': tokens?.input,
    'gen_ai.usage.output_tokens': tokens?.output,
    'error.type': isBroken(record) ? outcome.status : undefined,
    'bench.run.id': manifest.id,
    'bench.trial.id': record.trial,
    'bench.task': record.task,
    'bench.suite': record.suite,
    'bench.method': record.method,
    'bench.agent_set': record.agentSet,
    'bench.epoch': record.epoch,
    'bench.evidence': evidenceOf(record).name,
    'bench.outcome': outcome.status,
    'bench.claimed': record.claimed,
    'bench.passed': record.passed,
    'bench.score': record.score,
    'bench.calls': record.imported && spent.calls === 0 ? undefined : spent.calls,
    'bench.cost_usd': knownCost(record),
    'bench.grading_cost_usd': record.gradingCostUsd,
    'bench.duration_unknown': record.durationMs === null ? true : undefined,
  }
}

function evaluationsOf({ scores }: TrialRecord, ms: number, content: boolean): Span['events'] {
  return scores.map(({ name, value, reason }) => ({
    ...{ name: 'gen_ai.evaluation.result', ms },
    attributes: {
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.value': value,
      ...(content && { 'gen_ai.evaluation.explanation': reason || undefined }),
    },
  }))
}

const branchOf = ({ key }: Step) => key.slice(0, Math.max(key.lastIndexOf('#'), 0))

/** Returns the spans in which others happen, by branch: stages, and steps of graphs. The second stage of a name has a branch `name~2`. */
function containersOf(steps: readonly Step[], idOf: (step: Step) => string): Map<string, string> {
  const containers = new Map<string, string>()
  for (const step of steps) {
    const branch = branchOf(step)
    const path = (name: string) => (branch === '' ? name : `${branch}/${name}`)
    if (step.kind === 'graph') containers.set(path(step.step), idOf(step))
    if (step.kind !== 'stage') continue
    let name = path(step.stage)
    for (let number = 2; containers.has(name); number++) name = path(`${step.stage}~${number}`)
    containers.set(name, idOf(step))
  }
  return containers
}

function containerOf(branch: string, containers: ReadonlyMap<string, string>): string | undefined {
  for (let path = branch; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0))) {
    const found = containers.get(path)
    if (found !== undefined) return found
  }
  return undefined
}
