import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { Finish } from '../../schema/ledger/finish.ts'
import type { Cell, ColumnOf } from './table.ts'

/** Creates a column of raw values. */
export const data = (
  key: string,
  unit: string,
  value: (row: MethodSummary) => Cell['value'],
): ColumnOf<MethodSummary> => ({
  ...{ key, heading: key, unit, align: 'right', audience: 'data', group: 'data' },
  cell: (row) => ({ text: String(value(row) ?? ''), value: value(row) }),
})

/** Returns the sum of counts. */
export const total = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Returns the columns of what most methods do not have, such as calls of tools; none where no method has it. */
export function rareColumns(summary: Summary): ColumnOf<MethodSummary>[] {
  return [
    ...toolColumns(summary),
    ...leftOutColumns(summary),
    ...replyColumns(summary),
    ...errorColumns(summary),
    ...settingColumns(summary),
  ]
}

/** Returns the columns of tools that agents call; none where no method had tools. */
function toolColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  if (methods.every(({ tools, toolUse }) => tools === undefined && !toolUse)) return []
  return [
    data('agent_tools', '', ({ tools }) => tools ?? null),
    data('agent_tool_calls', 'calls', ({ toolUse }) => toolUse?.calls ?? 0),
    data('agent_tool_calls_failed', 'calls', ({ toolUse }) => total(toolUse?.failed ?? {})),
    data('agent_tool_turns', 'turns per ask that called tools', ({ toolUse }) =>
      toolUse ? toolUse.turns / toolUse.asks : null,
    ),
  ]
}

/** Returns the columns of changes that did not count; none where all counted. */
function leftOutColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  if (methods.every(({ leftOut }) => !leftOut)) return []
  return [
    data('refused_paths', 'paths', ({ leftOut }) => leftOut?.refused ?? 0),
    data('changes_not_counted', 'changes', ({ leftOut }) => leftOut?.notCounted ?? 0),
  ]
}

/** Returns the columns of replies that did not end by themselves, and of models that were not asked for; none without any. */
function replyColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  const kinds = Finish.options.filter((kind) => methods.some(({ replies }) => replies?.finishes[kind]))
  return [
    ...kinds.map((kind) =>
      data(`finish_${kind.replace('-', '_')}`, 'calls', ({ replies }) => replies?.finishes[kind] ?? 0),
    ),
    ...(methods.every(({ replies }) => !replies?.otherModels.length)
      ? []
      : [
          data('other_model_calls', 'calls', ({ replies }) =>
            (replies?.otherModels ?? []).reduce((sum, { calls }) => sum + calls, 0),
          ),
          data('other_models', '', ({ replies }) => {
            const texts = (replies?.otherModels ?? []).map(({ agent, model }) => `${agent} -> ${model}`)
            return texts.join('; ') || null
          }),
        ]),
  ]
}

/** Returns the columns of trials in error by reason, of those without a sandbox, and of what the gateway refused or let pass; none without any. */
function errorColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  return [
    ...(methods.every(({ errors = [] }) => errors.every(({ first }) => first === ''))
      ? []
      : [
          data(
            'error_reasons',
            '',
            ({ errors = [] }) => errors.map(({ reason, trials }) => `${reason} ${trials}`).join('; ') || null,
          ),
        ]),
    ...(methods.every(({ unsandboxed }) => unsandboxed === undefined)
      ? []
      : [data('unsandboxed', 'trials', ({ unsandboxed }) => unsandboxed ?? 0)]),
    ...(methods.every(({ gateway }) => gateway === undefined)
      ? []
      : [
          data('refused_requests', 'requests', ({ gateway }) => gateway?.refused ?? 0),
          data('provider_tools', '', ({ gateway }) => gateway?.tools.join('; ') || null),
        ]),
  ]
}

/** Returns the column of labels and settings of agents; none without any. */
function settingColumns({ methods }: Summary): ColumnOf<MethodSummary>[] {
  if (methods.every(({ agentLegend }) => agentLegend === undefined)) return []
  return [data('agent_settings', '', ({ agentLegend }) => agentLegend?.join('; ') ?? null)]
}
