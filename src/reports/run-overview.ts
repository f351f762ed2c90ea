import { addReplies, emptyReplyCounts } from '../analysis/conduct.ts'
import { dollarMark, evidence, evidenceOf } from '../analysis/evidence.ts'
import { agentSetsOf, rowName } from '../schema/agent/agent-set.ts'
import { settingsText } from '../schema/agent/agent-settings.ts'
import { faultsText } from '../schema/agent/faults.ts'
import { peopleOf, type TrialRecord } from '../schema/ledger/record.ts'
import type { PastSession } from '../schema/ledger/session.ts'
import type { Amendment } from '../schema/run/amendment.ts'
import { filterText, type RunManifest } from '../schema/run/run.ts'
import { shellWord } from '../text/shell-word.ts'
import { wholeAgentsText } from './words/agents-text.ts'
import { amendmentsText } from './words/amendments-text.ts'
import { listPriceText, pricesText } from './words/bill-text.ts'
import { profileText } from './words/evidence-text.ts'
import { budgetsText, limitsText, limitText } from './words/limit-text.ts'
import {
  counted,
  formatCount,
  formatMs,
  formatUsd,
  present,
  sumText,
  timeText,
  unknown,
} from './words/numbers.ts'
import { originTexts } from './words/origin-text.ts'
import { reasonText, safeLine } from './words/safe-text.ts'
import { finishesText, otherModelText, resultOf } from './words/trial-text.ts'

/** Renders the settings of a run and the result of each trial, one line per trial, by task. `run` is the run folder, `resume` the command that goes on, `inBlocks` how many of the records stand in blocks of workers. */
export function runOverview({
  manifest,
  records,
  sessions,
  run,
  resume,
  inBlocks,
  amendments = [],
  filter,
}: {
  manifest: RunManifest
  records: Iterable<TrialRecord>
  sessions: readonly PastSession[]
  run: string
  resume: string
  inBlocks: number
  amendments?: readonly Amendment[]
  /** Lists only some trials, without the settings of the run. Its text names them. */
  filter?: { text: string; isShown(record: TrialRecord): boolean }
}): string {
  const byTask = new Map<string, string[]>()
  const results = new Map<string, number>()
  const replies = emptyReplyCounts()
  let recorded = 0
  let listed = 0
  for (const record of records) {
    recorded++
    addReplies(replies, record)
    if (filter && !filter.isShown(record)) continue
    listed++
    const result = resultOf(record)
    results.set(result, (results.get(result) ?? 0) + 1)
    const lines = byTask.get(record.task)
    if (lines) lines.push(trialLine(record))
    else byTask.set(record.task, [trialLine(record)])
  }
  const counts = [...results].map(([result, count]) => `${count} ${result}`).join(', ')
  const open = manifest.trials - recorded
  if (filter) {
    const lists = [...byTask].map(([task, lines]) => [safeLine(task), ...lines].join('\n'))
    const sum =
      listed === 0
        ? `None of ${counted(recorded, 'recorded trial')} is one of the ${filter.text}.`
        : `${formatCount(listed)} of ${counted(recorded, 'recorded trial')}, the ${filter.text}: ${counts}.`
    const story = listed > 0 ? [safeLine(`One trial as a story: bench show ${shellWord(run)} TRIAL`)] : []
    return `${[...lists, [safeLine(sum), ...story].join('\n')].join('\n\n')}\n`
  }
  return `${[
    factLines(manifest, sessions, amendments),
    ...[...byTask].map(([task, lines]) => [safeLine(task), ...lines].join('\n')),
    present([
      `${counted(recorded, 'trial')} of ${formatCount(manifest.trials)} recorded${counts ? `: ${counts}` : ''}.`,
      ...replies.otherModels.map(otherModelText),
      inBlocks > 0 && `${formatCount(inBlocks)} of them in blocks of workers, to be joined: ${resume}`,
      open > 0 && `${formatCount(open)} not run yet: ${resume}`,
      recorded > 0 && `One trial as a story: bench show ${shellWord(run)} TRIAL`,
    ])
      .map(safeLine)
      .join('\n'),
  ].join('\n\n')}\n`
}

function factLines(
  manifest: RunManifest,
  sessions: readonly PastSession[],
  amendments: readonly Amendment[],
): string {
  const amended = amendmentsText(amendments)
  const { versions, git, mode, simulated, profile } = manifest
  const about = profileText({ simulated, profiles: profile ? [profile.id] : [] })
  const lines: [string, string][] = present([
    [
      'created',
      `${manifest.createdAt}, bench ${versions.bench}, Node ${versions.node}, ${versions.platform}`,
    ],
    [
      'code',
      git
        ? `commit ${git.commit}${git.dirty ? ', with changes that are not committed' : ''}`
        : 'not under git',
    ],
    ['mode', about === '' ? mode : `${mode}, ${evidence.simulated.name}: numbers ${about}s`],
    ...originTexts(manifest).map((text): [string, string] => [evidenceOf(manifest).name, text]),
    ['tasks', `${formatCount(manifest.tasks.length)}${manifest.imported ? '' : ` (${tasksText(manifest)})`}`],
    ...manifest.methods.map(({ label, strategy, options }): [string, string] => [
      'method',
      `${label}${label === strategy || manifest.imported ? '' : ` = ${strategy}`}${label === manifest.baseline ? ' (baseline)' : ''} ${optionsText(options)}`,
    ]),
    ...toolLines(manifest).map((text): [string, string] => ['tools', text]),
    ...agentLines(manifest).map((text): [string, string] => ['agents', text]),
    ...settingLines(manifest).map((text): [string, string] => ['settings', text]),
    manifest.prices && (['prices', pricesText(manifest.prices)] as [string, string]),
    ['limits', limitsText({ ...manifest, budgets: undefined }) || 'each trial: none'],
    ['retries', manifest.retries ? `at most ${manifest.retries} of an ask` : 'none'],
    manifest.faults &&
      (['faults', `injected on purpose: ${faultsText(manifest.faults)}`] as [string, string]),
    ...(manifest.queue
      ? [workerLine(sessions)]
      : sessions.flatMap((session) => sessionFacts(session, dollarMark(manifest)))),
    [
      'plan',
      `${counted(manifest.trials, 'trial')}, ${counted(manifest.epochs, 'epoch')}, seed ${manifest.seed}`,
    ],
    manifest.shard &&
      ([
        'part',
        `shard ${manifest.shard.index} of ${manifest.shard.of}; bench runs join puts them together`,
      ] as [string, string]),
    amended !== null && (['changed', amended] as [string, string]),
    manifest.request &&
      ([
        'request',
        `a free request${manifest.request.workspace === '' ? '' : ` on ${manifest.request.workspace}`}, ungraded`,
      ] as [string, string]),
  ])
  return [`Run ${manifest.id}`, ...lines.map(([name, text]) => `  ${name.padEnd(8)} ${text}`)]
    .map(safeLine)
    .join('\n')
}

function agentLines(manifest: RunManifest): string[] {
  const line = (name: string | undefined, agents: Readonly<Record<string, string>>, more = '') =>
    Object.keys(agents).length === 0
      ? []
      : [`${name === undefined ? '' : `${name}: `}${wholeAgentsText(agents)}${more}`]
  return [
    ...agentSetsOf(manifest).flatMap(({ label, agents, instructions }) =>
      line(label, agents, instructions && `, with the instructions of ${instructions.file}`),
    ),
    ...manifest.methods.flatMap(({ label, agents = {} }) => line(`of ${label}`, agents)),
  ]
}

function settingLines({ agentSettings = {} }: RunManifest): string[] {
  return Object.entries(agentSettings).flatMap(([agent, setting]) => {
    const text = settingsText(setting)
    return text === '' ? [] : [`${agent}: ${text}`]
  })
}

function toolLines({ methods }: RunManifest): string[] {
  return methods.flatMap(({ label, tools }) => {
    if (!tools) return []
    const all = Object.entries(tools.known).map(([id, tool]) => {
      const what = tool.kind === 'workspace' ? tool.allow.join(', ') : id
      const version = tool.kind === 'mcp' ? ` (${tool.server.name} ${tool.server.version})` : ''
      return `${what}${version}${tools.given.includes(id) ? '' : ' (for steps of its document)'}`
    })
    if (all.length === 0) return [`${label}: none, although its documents have tools`]
    return [`${label}: ${all.join(', ')}; at most ${tools.turns} turns of an ask`]
  })
}

/** Returns options as JSON. An option read from a file is shown by its digest, because its text may be long. */
function optionsText(options: unknown): string {
  const brief = (_: string, value: unknown) =>
    isFileOption(value) && /^[0-9a-f]{64}$/.test(value.digest) ? `sha256 ${value.digest.slice(0, 12)}` : value
  return JSON.stringify(options, brief)
}

const isFileOption = (value: unknown): value is { digest: string } =>
  typeof value === 'object' && value !== null && 'digest' in value && typeof value.digest === 'string'

/** Returns the lines of a session: its time, how it ended, its limits. */
function sessionFacts({ startedAt, budgets, end }: PastSession, mark: string): [string, string][] {
  const ended = end
    ? `${formatMs(end.ms)}, ${end.why ? `stopped: ${end.why}` : endings[end.reason]}`
    : 'not ended, or killed'
  const limits = budgetsText(budgets, mark)
  return [
    ['session', `${startedAt}, ${ended}${limits ? `; limits: ${limits}` : ''}`],
    ...(end?.limits ?? []).map((use): [string, string] => ['', limitText(use, mark)]),
  ]
}

/** A run that workers did has a session or more for each block. */
function workerLine(sessions: readonly PastSession[]): [string, string] {
  const machines = new Set(sessions.flatMap(({ machine }) => machine ?? []))
  const unfinished = sessions.filter(({ end }) => end?.reason !== 'whole').length
  const parts = present([
    `${counted(sessions.length, 'session')} of workers`,
    unfinished > 0 && `${unfinished} of them not finished`,
    machines.size > 0 && `on ${[...machines].join('; ')}`,
  ])
  return ['sessions', parts.join(', ')]
}

const endings = {
  whole: 'finished',
  limit: 'stopped by a limit',
  interrupted: 'interrupted',
  parked: 'trials wait for a person',
  paused: 'paused',
  killed: 'killed',
} as const

function trialLine(record: TrialRecord): string {
  const { outcome, spent } = record
  const cost = spent.costUsd === null ? unknown : sumText(spent.costUsd, spent.unreportedCost, formatUsd)
  const parts = present([
    record.trial.slice(0, 12),
    `${rowName(record.method, record.agentSet)}, epoch ${record.epoch}`,
    resultOf(record),
    record.score !== null && `score ${record.score.toFixed(2)}`,
    `${sumText(spent.input + spent.output, spent.unreportedTokens, formatCount)} tokens`,
    `cost ${cost}${listPriceText(spent)}`,
    timeText(record.durationMs),
    record.finishes && finishesText(record.finishes, spent.calls),
    ...(record.otherModels ?? []).map(otherModelText),
    record.retries !== undefined && record.retries > 0 && counted(record.retries, 'retry', 'retries'),
    peopleOf(record) && 'people took part',
    record.simulated && evidence.simulated.name,
    record.recorded && evidence.recorded.name,
    outcome.status !== 'completed' && `${outcome.status}${outcome.reason ? `: ${reasonText(record)}` : ''}`,
  ])
  return `  ${safeLine(parts.join('  '))}`
}

const tasksText = ({ taskSelectors, taskFilter }: RunManifest) =>
  present([taskSelectors.join(', '), taskFilter && filterText(taskFilter)]).join(' ')
