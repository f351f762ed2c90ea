import { evidenceOf } from '../../analysis/evidence.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import type { MachineSums } from '../../analysis/workflow/sums.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { Finish } from '../../schema/ledger/step.ts'
import { pricesText } from '../words/bill-text.ts'
import { formatMs, formatUsd, unknown } from '../words/numbers.ts'
import { type ColumnOf, dataColumn, textColumn } from './table.ts'

const visitsPerTrial = ({ states, trials }: MachineSums) =>
  states.reduce((sum, { visits }) => sum + visits, 0) / trials

/** Returns the columns of raw values for programs. Unknown ones are empty. */
export function dataColumns(summary: Summary, prices: RunPrices | null): ColumnOf<MethodSummary>[] {
  return [
    data('agents_by_role', '', (row) => row.agents),
    data('profile', '', () => summary.profiles.join(' ') || null),
    data('baseline', '', () => summary.baseline),
    data('tasks', '', (row) => row.tasks),
    data('epochs_min', 'trials per task', (row) => row.epochs.min),
    data('epochs_max', 'trials per task', (row) => row.epochs.max),
    data('planned', 'trials', (row) => row.trials.planned),
    data('run', 'trials', (row) => row.trials.run),
    data('not_run', 'trials', (row) => row.trials.notRun),
    data('completed', 'trials', (row) => row.outcomes.completed),
    data('limited', 'trials', (row) => row.outcomes.limited),
    data('failed', 'trials', (row) => row.outcomes.failed),
    data('deviates', 'trials', (row) => row.fidelity.deviates),
    data('undeclared', 'trials', (row) => row.fidelity.undeclared),
    data('done_delivered_nothing', 'trials', (row) => row.doneWithNothing.trials),
    data('workflow_iterations', 'per trial', (row) => row.workflow?.iterations ?? null),
    data('conversions_read', 'share', (row) => row.workflow?.conversions.rate ?? null),
    data('needs_met', 'share', (row) => row.workflow?.satisfaction ?? null),
    data('workflow_efficiency', 'share', (row) => row.workflow?.efficiency ?? null),
    data('state_visits', 'per trial', ({ machine }) => machine && visitsPerTrial(machine)),
    data('circuit_breaks', 'count', ({ machine }) => machine && total(machine.breaks)),
    data('orchestrator_decisions', 'count', ({ machine }) => machine && total(machine.decisions)),
    data('partial_failures', 'visits', ({ machine }) => machine?.partialFailures ?? null),
    data('tool_runs', 'runs in stages', ({ savings }) => savings?.runs ?? null),
    data('tool_output', 'estimated tokens', ({ savings }) => savings?.rawTokens ?? null),
    data('tool_reports', 'estimated tokens', ({ savings }) => savings?.compactTokens ?? null),
    data('tool_saved', 'percent', ({ savings }) => (savings?.share == null ? null : 100 * savings.share)),
    ...rareColumns(summary),
    data('error', 'trials', (row) => row.trials.error),
    data('cancelled', 'trials', (row) => row.trials.cancelled),
    data('ungraded', 'trials', (row) => row.trials.ungraded),
    data('graded', 'trials', (row) => row.trials.graded),
    data('passed', 'trials', (row) => row.trials.passed),
    data('success', 'share', (row) => row.success.estimate),
    data('success_lower', 'share', (row) => row.success.lower),
    data('success_upper', 'share', (row) => row.success.upper),
    data('success_interval', '', (row) => row.success.interval),
    data('success_tasks', '', (row) => row.success.tasks),
    data('confidence', 'share', () => summary.confidence),
    data('score', 'share', (row) => row.score),
    data('tokens', 'tokens per trial', (row) => row.tokens.total.value),
    data('tokens_input', 'tokens per trial', (row) => row.tokens.input.value),
    data('tokens_output', 'tokens per trial', (row) => row.tokens.output.value),
    data('tokens_cached', 'tokens per trial', (row) => row.tokens.cached.value),
    data('tokens_lower_bound', '', (row) => row.tokens.total.lowerBound),
    data('tokens_unreported', 'calls', (row) => row.unreported.tokenCalls),
    data('cost', 'USD per trial', (row) => row.cost.perTrial.value),
    data('cost_p95', 'USD of a trial', (row) => row.p95.costUsd),
    data('cost_total', 'USD', (row) => row.cost.total.value),
    data('cost_lower_bound', '', (row) => row.cost.perTrial.lowerBound),
    data('cost_total_lower_bound', '', (row) => row.cost.total.lowerBound),
    data('cost_unreported', 'calls', (row) => row.unreported.costCalls),
    data('list_cost', 'USD per trial, uncached', (row) => row.listCost.perTrial.value),
    data('list_cost_total', 'USD, uncached', (row) => row.listCost.total.value),
    data('list_cost_lower_bound', '', (row) => row.listCost.perTrial.lowerBound),
    data('list_cost_total_lower_bound', '', (row) => row.listCost.total.lowerBound),
    data('list_cost_unknown', 'calls', (row) => row.unreported.listCalls),
    data('reported_cost', 'USD, by the agents themselves', (row) => row.reported?.costUsd ?? null),
    data('reported_cost_computed', 'USD, the same calls', (row) => row.reported?.computedUsd ?? null),
    data('reported_cost_calls', 'calls', (row) => row.reported?.calls ?? null),
    data('prices', '', () => prices && pricesText(prices)),
    data('grading_cost', 'USD', (row) => row.gradingCostUsd),
    data('cost_per_success', 'USD', (row) => row.costPerSuccess.estimate),
    data('cost_per_success_lower', 'USD', (row) => row.costPerSuccess.lower),
    data('cost_per_success_upper', 'USD', (row) => row.costPerSuccess.upper),
    data('cost_per_success_kind', '', (row) => row.costPerSuccess.kind),
    data('tokens_saved', 'percent', (row) => row.againstBaseline?.tokens.percent ?? null),
    data('tokens_saved_tasks', '', (row) => row.againstBaseline?.tokens.tasks ?? null),
    data('cost_saved', 'percent', (row) => row.againstBaseline?.cost.percent ?? null),
    data('cost_saved_tasks', '', (row) => row.againstBaseline?.cost.tasks ?? null),
    data('success_difference', 'points', (row) => row.againstBaseline?.success.points ?? null),
    data('success_difference_worst', 'points', (row) => row.againstBaseline?.success.bounds?.low ?? null),
    data('success_difference_best', 'points', (row) => row.againstBaseline?.success.bounds?.high ?? null),
    data('success_difference_tasks', '', (row) => row.againstBaseline?.success.tasks ?? null),
    data('iterations', 'median over tasks', (row) => row.iterations),
    ...timeColumns(summary),
    data('calls', 'calls per trial', (row) => row.calls),
    data('checks', 'checks per trial', (row) => row.checks),
  ]
}

const data = dataColumn<MethodSummary>

/** Returns the columns, for people, of what 95% of the trials stayed within. */
export function tailColumns(summary: Summary): ColumnOf<MethodSummary>[] {
  const within = (name: string, heading: string, text: (row: MethodSummary) => string) =>
    textColumn(`${name}_p95_text`, [heading, '95% within'], 'effort', text)
  const time = within('clock', 'time', ({ p95 }) =>
    p95.durationMs === null ? unknown : formatMs(p95.durationMs),
  )
  return [
    ...(evidenceOf(summary).time === null ? [] : [time]),
    within('cost', 'cost', ({ p95 }) => (p95.costUsd === null ? unknown : formatUsd(p95.costUsd))),
  ]
}

/** The time of a recorded reply is unknown. */
const timeColumns = ({ recorded }: Summary): ColumnOf<MethodSummary>[] =>
  recorded
    ? []
    : [
        data('clock', 'ms, median over tasks', (row) => row.clockMs),
        data('clock_p95', 'ms of a trial', (row) => row.p95.durationMs),
      ]

const total = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Returns the columns of what most methods do not have, such as calls of tools; none where no method has it. */
function rareColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  const where = (isThere: (row: MethodSummary) => unknown, columns: ColumnOf<MethodSummary>[]) =>
    methods.some(isThere) ? columns : []
  return [
    ...where(
      ({ tools, toolUse }) => tools !== undefined || toolUse,
      [
        data('agent_tools', '', ({ tools }) => tools ?? null),
        data('agent_tool_calls', 'calls', ({ toolUse }) => toolUse?.calls ?? 0),
        data('agent_tool_calls_failed', 'calls', ({ toolUse }) => total(toolUse?.failed ?? {})),
        data('agent_tool_turns', 'turns per ask that called tools', ({ toolUse }) =>
          toolUse ? toolUse.turns / toolUse.asks : null,
        ),
      ],
    ),
    ...where(
      ({ leftOut }) => leftOut,
      [
        data('refused_paths', 'paths', ({ leftOut }) => leftOut?.refused ?? 0),
        data('changes_not_counted', 'changes', ({ leftOut }) => leftOut?.notCounted ?? 0),
      ],
    ),
    ...Finish.options.flatMap((kind) =>
      where(
        ({ replies }) => replies?.finishes[kind],
        [data(`finish_${kind.replace('-', '_')}`, 'calls', ({ replies }) => replies?.finishes[kind] ?? 0)],
      ),
    ),
    ...where(
      ({ replies }) => replies?.otherModels.length,
      [
        data('other_model_calls', 'calls', ({ replies }) =>
          (replies?.otherModels ?? []).reduce((sum, { calls }) => sum + calls, 0),
        ),
        data('other_models', '', ({ replies }) => {
          const texts = (replies?.otherModels ?? []).map(({ agent, model }) => `${agent} -> ${model}`)
          return texts.join('; ') || null
        }),
      ],
    ),
    ...where(
      ({ errors = [] }) => errors.some(({ first }) => first !== ''),
      [
        data(
          'error_reasons',
          '',
          ({ errors = [] }) => errors.map(({ reason, trials }) => `${reason} ${trials}`).join('; ') || null,
        ),
      ],
    ),
    ...where(
      ({ unsandboxed }) => unsandboxed !== undefined,
      [data('unsandboxed', 'trials', ({ unsandboxed }) => unsandboxed ?? 0)],
    ),
    ...where(
      ({ gateway }) => gateway !== undefined,
      [
        data('refused_requests', 'requests', ({ gateway }) => gateway?.refused ?? 0),
        data('provider_tools', '', ({ gateway }) => gateway?.tools.join('; ') || null),
      ],
    ),
    ...where(
      ({ agentLegend }) => agentLegend !== undefined,
      [data('agent_settings', '', ({ agentLegend }) => agentLegend?.join('; ') ?? null)],
    ),
  ]
}
