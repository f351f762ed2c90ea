import { orderSteps } from '../reports/story/story-order.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { AskStep, Step } from '../schema/ledger/step.ts'
import type { ToolStep } from '../schema/ledger/tool-step.ts'
import { turnOf } from '../schema/ledger/turn-key.ts'
import type { Tokens } from '../schema/tokens.ts'
import {
  type ExportedRun,
  type ExportedTrial,
  hasNewPrompt,
  knownCost,
  knownTokens,
  modelOf,
  toolArguments,
} from './exported-trial.ts'

/** A step of a trajectory, without its number. */
interface TrajectoryStep {
  source: 'system' | 'user' | 'agent'
  message: string
  [field: string]: unknown
}

/**
 * Returns the trajectory of a trial in the Agent Trajectory Interchange Format, version 1.7 (RFC 0001 of Harbor). All roles stand in one
 * trajectory, in the order of the trial's clock: of an ask, its prompt is a step of the user, its reply one of the agent, with the calls of tools
 * and their results; checks and grades are steps of the system. What is unknown is absent, never 0.
 */
export function trajectoryOf(trial: ExportedTrial, { manifest }: ExportedRun) {
  const { record, answer } = trial
  const steps = stepsOf(trial, manifest.capture?.prompts !== false)
  if (steps.length === 0)
    steps.push(
      answer === undefined
        ? { source: 'system', message: 'No steps of this trial are known.' }
        : { source: 'agent', message: answer },
    )
  const tokens = knownTokens(record)
  return {
    schema_version: 'ATIF-v1.7',
    session_id: record.trial,
    trajectory_id: record.trial,
    agent: {
      name: rowName(record.method, record.agentSet),
      version: manifest.versions.bench,
      model_name: modelOf(record),
      extra: { agents: record.agents },
    },
    steps: steps.map((step, at) => ({ step_id: at + 1, ...step })),
    final_metrics: {
      total_prompt_tokens: tokens?.input,
      total_completion_tokens: tokens?.output,
      total_cached_tokens: tokens?.cached,
      total_cost_usd: knownCost(record),
      total_steps: steps.length,
    },
    extra: {
      ...{ run: manifest.id, task: record.task, epoch: record.epoch, outcome: record.outcome },
      ...{ passed: record.passed, scores: record.scores, simulated: record.simulated },
    },
  }
}

function stepsOf({ record, steps }: ExportedTrial, showsPrompts: boolean): TrajectoryStep[] {
  const started = Date.parse(record.wall.startedAt)
  const results = new Map<string, ToolStep[]>()
  for (const step of steps)
    if (step.kind === 'tool') {
      const turn = turnOf(step.key)
      results.set(turn, [...(results.get(turn) ?? []), step])
    }
  // Each role has one system prompt, which its later calls repeat.
  const systems = new Map<string, string>()
  return orderSteps(steps).flatMap(({ step }): TrajectoryStep[] => {
    const at = (ms: number) =>
      Number.isNaN(started) ? undefined : new Date(Math.round(started + ms)).toISOString()
    const timestamp = at(step.at)
    if (step.kind !== 'ask') {
      const told = tellStep(step)
      return told ? [{ source: 'system', timestamp, extra: { key: step.key }, ...told }] : []
    }
    // Judges are no part of what the method did.
    if (step.payer !== 'method') return []
    const extra = { role: step.role, key: step.key, attempt: step.attempt }
    const asked: TrajectoryStep[] = [{ source: 'user', timestamp, message: step.prompt, extra }]
    if (step.system !== undefined && systems.get(step.role) !== step.system) {
      systems.set(step.role, step.system)
      asked.unshift({ source: 'system', timestamp, message: step.system, extra })
    }
    return [
      ...(showsPrompts && hasNewPrompt(step) ? asked : []),
      agentStep(step, results.get(step.key) ?? [], {
        imported: record.imported,
        showsPrompts,
        timestamp: at(step.at + step.durationMs),
      }),
    ]
  })
}

function tellStep(step: Step): { message: string; observation?: object } | undefined {
  const observed = (message: string, content: string) => ({
    message,
    observation: { results: [{ content }] },
  })
  if (step.kind === 'check') return observed(`Check: ${step.passed} of ${step.total} passed.`, step.output)
  if (step.kind === 'run') return observed(`Run of ${step.command.join(' ')}`, step.stdout + step.stderr)
  if (step.kind === 'stage') return observed(`Stage ${step.stage} ended.`, step.output)
  if (step.kind === 'grade')
    return {
      message: `Grade: ${step.passed === null ? 'none' : step.passed ? 'passed' : 'failed'}. ${step.scores
        .map(({ name, value, reason }) => `${name} ${value}${reason === '' ? '' : ` (${reason})`}`)
        .join('; ')}`.trim(),
    }
  return undefined
}

function agentStep(
  step: AskStep,
  results: readonly ToolStep[],
  {
    imported,
    showsPrompts,
    timestamp,
  }: Pick<TrialRecord, 'imported'> & { showsPrompts: boolean; timestamp: string | undefined },
) {
  const { reply = '', toolCalls, error, finish, role, key, attempt } = step
  const metrics = metricsOf(step.tokens, step.costUsd)
  return {
    ...{ source: 'agent' as const, timestamp, message: reply },
    model_name: step.model ?? modelOf({ agents: step.agent, imported }),
    tool_calls: toolCalls?.map(({ id, name, arguments: given }) => ({
      ...{ tool_call_id: id, function_name: name },
      ...argumentsOf(given),
    })),
    observation:
      results.length > 0
        ? {
            results: results.map(({ call, result, outcome }) => ({
              source_call_id: call.id,
              content: showsPrompts ? result : undefined,
              ...(outcome !== 'ok' && { extra: { outcome } }),
            })),
          }
        : undefined,
    metrics,
    llm_call_count: step.requests === 0 && metrics ? undefined : (step.requests ?? 1),
    extra: { role, key, attempt, error, finish },
  }
}

/** What is no object stands beside the arguments as the model wrote it. */
function argumentsOf(text: string): { arguments: object; extra?: object } {
  const given = toolArguments(text)
  return given ? { arguments: given } : { arguments: {}, extra: { arguments: text } }
}

function metricsOf({ input, output, cached }: Tokens, costUsd: number | null) {
  if (input === null && output === null && costUsd === null) return undefined
  return {
    prompt_tokens: input ?? undefined,
    completion_tokens: output ?? undefined,
    cached_tokens: cached ?? undefined,
    cost_usd: costUsd ?? undefined,
  }
}
