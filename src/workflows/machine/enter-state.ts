import { agreementByCriterion, scoresOf } from '../../analysis/agreement/agreement.ts'
import type { MachineRecord, MachineSpending } from '../../schema/machine/machine-record.ts'
import type { MachineState } from '../../schema/machine/states.ts'
import { trimToTokens } from '../work-context.ts'
import {
  currentVisit,
  deliveredOutput,
  type MachineRun,
  readGuidance,
  waitingGuidance,
} from './machine-run.ts'
import { exists } from './state-prompt.ts'

/** Begins a visit of a state, and journals where the machine is. A person may have given guidance meanwhile. */
export async function enterState(run: MachineRun, name: string, state: MachineState): Promise<void> {
  const { context, record, transitions } = run
  const visit = record.visits.filter((one) => one.state === name).length + 1
  record.visits.push({
    ...{ state: name, type: state.type, visit, at: context.now(), ms: 0 },
    ...{ runs: [], actions: [], result: null, next: null },
  })
  context.label({ state: name, visit })
  const { guidance } = await context.checkpoint({
    machine: { state: name, visit, transitions: transitions.length },
    guidance: waitingGuidance(run),
  })
  readGuidance(run, guidance)
}

/** Does what a state wants on entry, in order, up to the first check that fails. Returns what did not exist. */
export function runActions(run: MachineRun, name: string, state: MachineState): string | undefined {
  const { actions } = currentVisit(run)
  for (const action of state.on_enter) {
    if ('log' in action) {
      actions.push({ action: 'log', text: action.log })
      run.context.note({ type: 'state_log', state: name, text: action.log })
    } else if ('validate' in action) {
      if (!exists(run, action.validate)) return action.validate
      actions.push({ action: 'validate', text: action.validate })
    } else {
      writeSummary(run, name, action.generate)
      actions.push({ action: 'generate', text: action.generate })
    }
  }
  return undefined
}

function writeSummary(run: MachineRun, state: string, path: string): void {
  const delivered = deliveredOutput(run)
  const text = machineSummary({ ...run.record, delivered: delivered?.path ?? null }, delivered?.text)
  const order = run.record.visits.length
  run.outputs.keep({ path, agent: '', state, visit: currentVisit(run).visit, order, text, kind: 'summary' })
}

/** Most estimated tokens of the delivered text that the summary shows. */
const previewTokens = 150

/** Returns what happened in a machine as Markdown that a person reads. `delivered` is the text that is handed in. */
export function machineSummary(record: MachineRecord, delivered?: string): string {
  const parts: [string, string[]][] = [
    ['Path', pathLines(record)],
    ['Tokens', tokenTable(record)],
    ['Outputs', outputTable(record)],
    ['Scores', scoreLines(record)],
    ['Agreement of auditors', agreementLines(record)],
    ['Quality gates', gateLines(record)],
    ['Guidance', guidanceLines(record)],
    [
      'Breaks',
      record.breaks.map(
        ({ rule, hard, fact, from, to }) =>
          `- ${hard ? 'hard limit of ' : ''}${rule}, from ${from} to ${to}: ${fact}`,
      ),
    ],
    ['Decisions of the orchestrator', decisionLines(record)],
    [
      'Answers of people',
      record.approvals.map(
        ({ state, decision, feedback }) => `- ${state}: ${decision}${feedback ? `: ${feedback}` : ''}`,
      ),
    ],
    ['Delivered', deliveredLines(record, delivered)],
  ]
  return [
    `# Workflow ${record.name}`,
    '',
    statusLine(record),
    ...(record.costUnknown ? ['A call did not report its cost, so no rule about cost could break.'] : []),
    ...parts.flatMap(([title, lines]) =>
      lines.length > 0 ? ['', `## ${title}`, '', ...lines.map(inOneLine)] : [],
    ),
    '',
  ].join('\n')
}

/** What agents and people say may have lines and headings of its own. */
const inOneLine = (line: string) => line.replace(/\s*[\r\n]+\s*/g, ' ')

function statusLine({ ended, visits, delivered }: MachineRecord): string {
  const last = visits.at(-1)
  const seconds = last ? Math.round((last.at + last.ms) / 1000) : 0
  const where = ended === null ? `in ${last?.state ?? 'no state'}` : `ended in ${ended}`
  return `**Status:** ${where} after ${visits.length} states and ${seconds} s; ${delivered === null ? 'nothing is handed in' : `hands in ${delivered}`}.`
}

const pathLines = ({ visits }: MachineRecord) =>
  visits.map(({ state, visit, result, next, runs }, i) => {
    const again = visit > 1 ? `, visit ${visit}` : ''
    const lost = runs
      .filter(({ status }) => status !== 'done')
      .map(({ agent, status }) => `${agent} ${status}`)
    const without = lost.length > 0 ? `; ${lost.join(', ')}` : ''
    return `${i + 1}. ${state}${again}${result === null ? '' : `: ${result} → ${next ?? 'end'}`}${without}`
  })

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0)

const count = (value: number | null) => (value === null ? 'unknown' : String(value))
const dollars = (value: number | null) => (value === null ? 'unknown' : `$${value.toFixed(4)}`)

function tokenTable({ visits, decisions }: MachineRecord): string[] {
  const rows = new Map<string, MachineSpending[]>()
  const add = (agent: string, state: string, spent: MachineSpending) => {
    const key = `| ${agent} | ${state} |`
    rows.set(key, [...(rows.get(key) ?? []), spent])
  }
  for (const { state, runs } of visits) for (const { agent, spent } of runs) add(agent, state, spent)
  for (const { trigger, spent } of decisions) if (spent) add('orchestrator', `at ${trigger}`, spent)
  if (rows.size === 0) return []
  const line = (key: string, spent: readonly MachineSpending[]) => {
    const [calls, input, output, cost] = (['calls', 'input', 'output', 'costUsd'] as const).map((part) =>
      sum(spent.map((one) => one[part])),
    )
    return `${key} ${count(calls ?? null)} | ${count(input ?? null)} | ${count(output ?? null)} | ${dollars(cost ?? null)} |`
  }
  return [
    '| agent | state | calls | input | output | cost |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...[...rows].map(([key, spent]) => line(key, spent)),
    line('| **all** | |', [...rows.values()].flat()),
  ]
}

function outputTable({ visits }: MachineRecord): string[] {
  const outputs = new Map(
    visits.flatMap(({ runs }) =>
      runs.flatMap(({ agent, output }) => (output ? [[output.path, { agent, ...output }] as const] : [])),
    ),
  )
  if (outputs.size === 0) return []
  const rows = [...outputs.values()].map(
    ({ agent, path, words, preview }) =>
      `| ${path} | ${agent} | ${words} | ${preview.replaceAll('|', '\\|')} |`,
  )
  return ['| output | agent | words | begins |', '| --- | --- | ---: | --- |', ...rows]
}

function scoreLines({ scores }: MachineRecord): string[] {
  if (scores.length === 0) return []
  return [
    '| target | criterion | auditor | state | score |',
    '| --- | --- | --- | --- | ---: |',
    ...scores.map(
      ({ target, criterion, auditor, state, visit, score }) =>
        `| ${target} | ${criterion} | ${auditor} | ${state}${visit > 1 ? `, visit ${visit}` : ''} | ${score} |`,
    ),
  ]
}

const agreementLines = (record: MachineRecord) =>
  agreementByCriterion(scoresOf(record)).map(({ criterion, mean, spread, alpha, units }) => {
    const apart = spread === null ? 'one auditor each' : `auditors are ${spread.toFixed(1)} apart on average`
    const agreement =
      alpha === null
        ? ''
        : `; Krippendorff's alpha ${alpha.toFixed(2)} over ${units} output${units === 1 ? '' : 's'}`
    return `- ${criterion}: ${mean.toFixed(1)} of 10; ${apart}${agreement}`
  })

const gateLines = ({ gates }: MachineRecord) =>
  gates.flatMap(({ state, visit, agent, decision, quality_score, issues, retry_guidance }) => [
    `- ${state}, visit ${visit}, by ${agent}: ${decision}, ${quality_score} of 10`,
    ...issues.map(({ severity, issue, fix }) => `  - ${severity}: ${issue}${fix ? ` Fix: ${fix}` : ''}`),
    ...(retry_guidance === '' ? [] : [`  - guidance: ${retry_guidance}`]),
  ])

const guidanceLines = ({ guidance }: MachineRecord) =>
  guidance.map(
    ({ state, from, text, visit }) =>
      `- from ${from} for ${state}, ${visit === null ? 'never read' : `read in visit ${visit}`}: ${text}`,
  )

const decisionLines = ({ decisions }: MachineRecord) =>
  decisions.map(({ trigger, state, decision, use_output, goes_to, reasoning }) => {
    const uses = use_output === undefined ? '' : ` with ${use_output}`
    return `- ${trigger} after ${state}: ${decision}${uses}${goes_to === undefined ? '' : ` from ${goes_to}`}. ${reasoning}`
  })

function deliveredLines({ delivered }: MachineRecord, text: string | undefined): string[] {
  if (delivered === null || text === undefined) return []
  const words = text.split(/\s+/).filter((word) => word !== '').length
  const preview = trimToTokens(text, previewTokens).trimEnd().split('\n')
  return [`${delivered}, ${words} words:`, '', ...preview.map((line) => `> ${line}`.trimEnd())]
}
