import { evidence } from '../../analysis/evidence.ts'
import { withoutFence } from '../../replies/scan-fences.ts'
import { isOtherModel, modelOfAgent, modelsOfCall } from '../../schema/agent/other-model.ts'
import type { Score } from '../../schema/ledger/outcome.ts'
import type { DeedStep, StageStep } from '../../schema/ledger/stage-step.ts'
import type { AskStep, Step } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import { isFirstTurn } from '../../schema/ledger/turn-key.ts'
import type { Change, ChangeSet } from '../../schema/method/change.ts'
import type { Capture, RunManifest } from '../../schema/run/run.ts'
import { counted, timeCell } from '../words/numbers.ts'
import { safeLine, safeText } from '../words/safe-text.ts'
import { finishTexts, toolRunText } from '../words/trial-text.ts'
import { type ExcerptSize, excerptLines, lineDiff, quoteText } from './excerpt.ts'
import type { PlacedStep } from './story-order.ts'

/** How much of a step is shown. */
export interface StoryView extends ExcerptSize {
  /** Returns the text of a file by its SHA-256; undefined if it is not stored. */
  contentOf?: (hash: string) => string | undefined
  /** What the run's `capture` leaves out of exports; `full` shows all. */
  capture?: Capture | undefined
  /** What is known of recorded replies, by agent. */
  sources?: RunManifest['recorded']
}

/** Renders a step as lines of text with control characters visible; the story adds its cost. `untimed`: nobody knows its times. */
export function stepText({ step, voided }: PlacedStep, view: StoryView, untimed = false): string {
  const marks = [
    ...Object.entries(step.iteration ?? {}).map(([name, value]) => `${name} ${value}`),
    ...(step.attempt > 1 ? [`attempt ${step.attempt}`] : []),
    ...(voided ? ['void: later taken back'] : []),
  ]
  // A void has no clock.
  const clock = step.kind === 'void' ? '' : `  ${timeCell(untimed ? null : step.at)}`
  const head = `${step.key}${clock}  ${headline(step, untimed)}${marks.length > 0 ? `  [${marks.join(', ')}]` : ''}`
  return [safeLine(head), ...details(step, view)].join('\n')
}

/** Returns a score such as `tests 0.50 (3 of 6 tests)`. */
export function scoreText({ name, value, tests }: Score): string {
  return `${name} ${value.toFixed(2)}${tests ? ` (${tests.passed} of ${tests.total} tests)` : ''}`
}

function headline(step: Step, untimed: boolean): string {
  switch (step.kind) {
    case 'ask':
      return [
        `${step.role} (${step.work}), agent ${step.agent}`,
        step.simulated && !step.agent.startsWith('simulated') ? `, ${evidence.simulated.name}` : '',
        step.session ? `, session ${step.session}` : '',
        step.repair ? ', repair of a reply that did not parse' : '',
        step.retry ? ', asked again after a failure' : '',
        step.fault ? `, fault injected: ${step.fault}` : '',
      ].join('')
    case 'check':
      return step.status === 'none'
        ? 'check: the task has no visible checks'
        : `check ${step.status}: ${step.passed} of ${step.total} passed`
    case 'grade':
      return `grade: ${step.scores.map(scoreText).join(', ') || 'no scores'}`
    case 'limit':
      return `refused by a limit${step.scope === 'ask' ? ' of the ask' : ''} (${step.limit}): ${step.reason}`
    case 'first':
      return step.winner === null ? 'first to succeed: none' : `first to succeed: ${step.winner}`
    case 'graph-plan':
      return `graph of ${step.steps.length} steps, at most ${step.concurrency} at the same time`
    case 'graph':
      return `step ${step.step} of the graph ended${untimed ? '' : `, after ${timeCell(step.durationMs)}`}`
    case 'stage':
      return stageHeadline(step)
    case 'run':
      return `tool of stage ${step.stage} ${step.reason ?? `ended with exit code ${step.exitCode}`}`
    case 'deed':
      return `${step.role}: ${Object.keys(step.deed)[0]}`
    case 'tool':
      return `tool ${step.call.name}, called by ${step.role}: ${step.outcome}`
    case 'match':
      return `${step.attempts} attempt(s), to match ${step.method}: it spent ${step.spent} ${step.unit} on this task, the baseline ${step.baseline}`
    case 'approval':
      return `approval asked, decision: ${step.decision}, by ${answerers[step.by ?? 'policy']}`
    case 'state':
      return `state${step.guidance ? ': guided by a person' : ''}${step.set ? ': set by a person' : ''}`
    case 'void':
      return `${step.keys.length} recorded steps are void: ${step.reason}`
  }
}

const stageHeadline = ({ stage, cut, exitCode, reason, asks }: StageStep) =>
  `stage ${stage} ${cut ? 'was cut off' : exitCode === null ? 'did not end by itself' : `ended with exit code ${exitCode}`}${reason === undefined ? '' : ` (${reason})`}, after ${asks} ask(s)`

const answerers = {
  person: 'a person',
  file: "the run's file of answers",
  policy: "the run's policy",
} as const

function details(step: Step, view: StoryView): string[] {
  if (step.kind === 'ask') return askDetails(step, view)
  if (step.kind === 'stage') return stageDetails(step, view)
  if (step.kind === 'tool') return toolDetails(step, view)
  if (step.kind === 'run')
    return [
      safeLine(`  command  ${step.command.join(' ')}`),
      ...[step.stdout, step.stderr].filter(Boolean).map((text) => quoteText(text, '    ', view)),
    ]
  if (step.kind === 'deed') return deedDetails(step, view)
  if (step.kind === 'check' && step.output !== '') return [quoteText(step.output, '  ', view)]
  if (step.kind === 'state') {
    const said = (step.guidance ?? []).flatMap(({ state, text }) => [
      safeLine(`  guidance for ${state}`),
      quoteText(text, '    ', view),
    ])
    const set = step.set === undefined ? [] : ['  set', quoteText(JSON.stringify(step.set), '    ', view)]
    return [quoteText(JSON.stringify(step.state), '  ', view), ...said, ...set]
  }
  if (step.kind === 'approval') {
    const answer = step.feedback === '' ? [] : ['  feedback', quoteText(step.feedback, '    ', view)]
    const shown = step.shown ? [safeLine(`  shown    ${step.shown.join(', ')}`)] : []
    return ['  question', quoteText(step.question, '    ', view), ...shown, ...answer]
  }
  return []
}

function stageDetails(step: StageStep, view: StoryView): string[] {
  const { command, output, after, refused, savings = [], log = [] } = step
  return [
    safeLine(`  command  ${command.join(' ')}`),
    ...savings.map((run) => safeLine(`  tool     ${toolRunText(run)}`)),
    ...log.flatMap((deed) => ('changes' in deed ? changeLines(deed.changes, view) : [])),
    ...(after === undefined ? [] : ['  state', quoteText(after, '    ', view)]),
    ...(output === '' ? [] : ['  output', quoteText(output, '    ', view)]),
    ...(refused ? refusedLines(refused) : []),
  ]
}

function deedDetails({ deed }: DeedStep, view: StoryView): string[] {
  if ('changes' in deed) return changeLines(deed.changes, view)
  if (!view.full && view.capture?.prompts === false) return ['  asked    left out: capture.prompts is false']
  const [said] = Object.values(deed)
  return ['  asked', quoteText(typeof said === 'string' ? said : JSON.stringify(said), '    ', view)]
}

function toolDetails({ call, result, changeSet, note, server }: ToolStep, view: StoryView): string[] {
  return [
    ...(server ? [safeLine(`  server   ${server.name} ${server.version}`)] : []),
    ...(call.arguments === '{}' || call.arguments === ''
      ? []
      : ['  arguments', quoteText(call.arguments, '    ', view)]),
    ...(!view.full && view.capture?.prompts === false
      ? ['  result   left out: capture.prompts is false']
      : ['  result', quoteText(result, '    ', view)]),
    ...(note ? [safeLine(`  note     ${note.title}`), quoteText(note.text, '    ', view)] : []),
    ...(changeSet ? changeLines(changeSet, view) : []),
  ]
}

function askDetails(step: AskStep, view: StoryView): string[] {
  const lines: string[] = []
  if (!isFirstTurn(step.key) && !step.repair) lines.push('  prompt   as in turn 1, with the results so far')
  else if (step.sample !== undefined && view.sources?.[step.agent]?.prompts !== 'bench')
    lines.push(safeLine(`  prompt   ${promptOf(step, view)}`))
  else if (!view.full && view.capture?.prompts === false)
    lines.push('  prompt   left out: capture.prompts is false')
  else {
    if (step.system) lines.push('  system', quoteText(step.system, '    ', view))
    lines.push(
      step.sample === undefined ? '  prompt' : '  prompt   as it was sent when the reply was recorded',
      quoteText(step.prompt, '    ', view),
    )
  }
  const verdict = step.reply === undefined ? undefined : dataOf(step.reply)
  if (verdict) lines.push('  verdict', ...verdict.map((field) => quoteText(field, '    ', view)))
  else if (step.reply !== undefined && !(step.toolCalls && step.reply === ''))
    lines.push('  reply', quoteText(step.reply, '    ', view))
  else if (step.replyHash) lines.push(`  reply    not stored, only its hash: ${safeLine(step.replyHash)}`)
  for (const { name } of step.toolCalls ?? []) lines.push(safeLine(`  calls    ${name}`))
  if (step.changeSet) lines.push(...changeLines(step.changeSet, view))
  if (step.finish !== undefined && step.finish !== 'stop' && !(step.finish === 'tool-call' && step.toolCalls))
    lines.push(`  finish   ${finishTexts[step.finish]}`)
  for (const model of modelsOfCall(step))
    if (isOtherModel(modelOfAgent(step.agent), model))
      lines.push(safeLine(`  model    answered by ${model}, which was not asked for`))
  if (step.providerTools) lines.push(safeLine(`  provider may have run ${step.providerTools.join(', ')}`))
  if (step.refused) lines.push(...refusedLines(step.refused))
  if (step.error) lines.push(safeLine(`  error    ${step.error.reason}: ${step.error.message}`))
  if (view.full && step.error?.stack) lines.push('  stack', quoteText(step.error.stack, '    ', view))
  if (step.estimated)
    lines.push(
      `  bill     ${counted(step.estimated.requests, 'request')} estimated: limits count ${step.estimated.tokens} tokens`,
    )
  if (step.maybePaid) lines.push('  maybe paid: the result is unknown')
  if (step.waitMs > 0) lines.push(`  waited   ${timeCell(step.waitMs)}, outside the clock`)
  return lines
}

/** Bench sent nothing: it looked the reply up. */
function promptOf({ agent, sample }: AskStep, { sources }: StoryView): string {
  const { source } = sources?.[agent] ?? {}
  const whose = source === undefined ? "the source's own" : `that of ${source}`
  return `not recorded: ${whose}, not bench's; this is sample ${sample} to the task above`
}

function refusedLines({ total, requests }: NonNullable<AskStep['refused']>): string[] {
  const shown = requests.reduce((sum, { times }) => sum + times, 0)
  return [
    `  refused  ${counted(total, 'request')} of the program to its provider`,
    ...requests.map(({ method, path, reason, times }) =>
      safeLine(`    ${times > 1 ? `${times} x ` : ''}${method} ${path}: it ${reason}`),
    ),
    ...(total > shown ? [`    and ${total - shown} more`] : []),
  ]
}

function dataOf(reply: string): string[] | undefined {
  const text = withoutFence(reply, ['json', ''])
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const data: unknown = JSON.parse(text)
    return Object.entries(data as object).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
  } catch {
    return undefined
  }
}

function changeLines({ source, changes, rejected = [], notes = [] }: ChangeSet, view: StoryView): string[] {
  return [
    `  changes  from its ${source}${changes.length === 0 ? ': none' : ''}`,
    ...changes.flatMap((change) => changeText(change, view)),
    ...rejected.map(({ path, reason }) => safeLine(`    refused: ${path} ${reason}`)),
    ...notes.map((note) => safeLine(`    note: ${note}`)),
  ]
}

function changeText({ path, before, after }: Change, { contentOf, ...extent }: StoryView): string[] {
  const letter = before === null ? 'A' : after === null ? 'D' : 'M'
  const name = safeLine(`    ${letter} ${path}`)
  const old = before === null ? null : contentOf?.(before)
  const now = after === null ? null : contentOf?.(after)
  if (old === undefined || now === undefined) return [name]
  const lines = lineDiff(old, now)
  const added = lines.filter(({ sign }) => sign === '+').length
  const texts = lines.map(({ sign, text }) => `${sign} ${safeText(text)}`)
  return [
    `${name}  +${added} -${lines.length - added}`,
    ...excerptLines(texts, extent).map((line) => `      ${line}`.trimEnd()),
  ]
}
