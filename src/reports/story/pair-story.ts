import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shellWord } from '../../text/shell-word.ts'
import { alignedTable } from '../words/aligned-table.ts'
import { costText, formatCount, sumText, timeCell } from '../words/numbers.ts'
import { reasonText, safeLine, safeText } from '../words/safe-text.ts'
import { resultOf } from '../words/trial-text.ts'
import { contextDiff, type ExcerptSize, excerptLines, quoteText } from './excerpt.ts'
import { type FilePair, filePairs, type HandedIn } from './handed-in.ts'
import { scoreText } from './story-step.ts'

/** One task under two methods. */
export interface PairStoryInput extends ExcerptSize {
  run: string
  task: string
  title?: string | undefined
  instruction?: string | undefined
  /** What is right, as it is printed below what was handed in. */
  right?: string | undefined
  /** Row names of the methods. */
  names: readonly [a: string, b: string]
  /** Epochs in order; a trial is undefined if it has no record. */
  epochs: readonly EpochPair[]
  /** Returns what a trial handed in. */
  handedInOf(record: TrialRecord): HandedIn
}

/** Renders one task under two methods as text: a table of epochs, and the first epoch that differs with answers, diff and verdicts. */
export function pairStory(input: PairStoryInput): string {
  const { task, title, instruction, names, epochs } = input
  const parts = [
    safeLine(`Task ${task}${title ? `: ${title}` : ''}`),
    ...(instruction ? [`Instruction\n${quoteText(instruction, '  ', input)}`] : []),
    epochTable(epochs).join('\n'),
  ]
  const shown = differingEpoch(epochs)
  if (!shown) return `${[...parts, safeLine(noPairText(names, epochs))].join('\n\n')}\n`
  const { a, b, epoch } = shown.pair
  const [ofA, ofB] = [input.handedInOf(a), input.handedInOf(b)]
  if (epochs.length > 1) parts.push(`Epoch ${epoch}, ${shown.why}`)
  parts.push(verdictText([a, b], input), ...deliveryTexts([ofA, ofB], input))
  if (input.right !== undefined) parts.push(input.right)
  parts.push(
    [a, b]
      .map((record) => safeLine(`bench show ${shellWord(input.run)} ${record.trial.slice(0, 12)}`))
      .join('\n'),
  )
  return `${parts.join('\n\n')}\n`
}

const noPairText = (names: readonly string[], epochs: readonly EpochPair[]) =>
  epochs.every(({ a, b }) => !a && !b)
    ? 'No trial of this task has ended under the two methods.'
    : `No epoch of this task has ended under both ${names.join(' and ')}.`

function epochTable(epochs: readonly EpochPair[]): string[] {
  const rows = epochs.flatMap(({ epoch, a, b }) =>
    [a, b].flatMap((record) => (record ? [{ epoch: String(epoch), ...trialCells(record) }] : [])),
  )
  const headings = {
    ...{ epoch: 'epoch', method: 'method', result: 'result', score: 'score', cost: 'cost' },
    ...{ tokens: 'tokens', time: 'time', ended: 'ended', trial: 'trial' },
  }
  return alignedTable(headings, rows, ['epoch', 'score', 'cost', 'tokens', 'time'])
}

function trialCells(record: TrialRecord) {
  const { spent, outcome } = record
  return {
    method: rowName(record.method, record.agentSet),
    result: resultOf(record),
    score: record.score === null ? '' : record.score.toFixed(2),
    cost: costText(spent.costUsd, spent.unreportedCost),
    tokens: sumText(spent.input + spent.output, spent.unreportedTokens, formatCount),
    time: timeCell(record.durationMs),
    ended: outcome.status === 'completed' ? '' : outcome.status,
    trial: record.trial.slice(0, 12),
  }
}

function verdictText(records: readonly TrialRecord[], size: ExcerptSize): string {
  const lines = records.flatMap((record) => {
    const { outcome, scores } = record
    const texts = [
      ...scores.map((score) => `${scoreText(score)}  ${score.reason}`),
      ...(outcome.reason ? [`${outcome.status}: ${reasonText(record)}`] : []),
    ]
    return [
      safeLine(`  ${rowName(record.method, record.agentSet)}: ${resultOf(record)}`),
      ...(texts.length > 0 ? texts : ['no verdict of a grader']).map((text) => quoteText(text, '    ', size)),
    ]
  })
  return ['Verdicts', ...lines].join('\n')
}

function deliveryTexts([a, b]: readonly [HandedIn, HandedIn], input: PairStoryInput): string[] {
  const legend = safeLine(`- ${input.names[0]}   + ${input.names[1]}`)
  if (a.answer !== null || b.answer !== null) {
    const answers = ([a, b] as const).map((one, i) => answerText(input.names[i] as string, one.answer, input))
    const diff = diffLines(a.answer, b.answer, input)
    if (a.answer === b.answer && a.answer !== undefined)
      return [`Answer, the same of both\n${quoteText(a.answer ?? '', '  ', input)}`]
    return [...answers, ...(diff ? [`Diff of the answers   ${legend}\n${diff}`] : [])]
  }
  const files = filePairs(a, b)
  if (!files)
    return [
      'Files: the journal does not tell which files were handed in at the end. The story of each trial shows its changes:',
    ]
  if (files.length === 0) return ['Files: both handed in nothing, so the files are as the task gave them.']
  return [`Files   ${legend}`, ...files.map((file) => fileText(file, input))]
}

function answerText(name: string, answer: HandedIn['answer'], size: ExcerptSize): string {
  const heading = safeLine(`Answer of ${name}`)
  if (answer === undefined) return `${heading}: the text is not stored`
  return answer === null ? `${heading}: none` : `${heading}\n${quoteText(answer, '  ', size)}`
}

function fileText({ path, a, b, changedBy }: FilePair, input: PairStoryInput): string {
  const who = changedBy === 'both' ? '' : `, changed by ${input.names[changedBy === 'a' ? 0 : 1]} alone`
  const heading = safeLine(`  ${path}${who}`)
  if (a === undefined || b === undefined) return `${heading}: its text is not stored`
  if (a === b) return `${heading}: the same in both`
  if (a === null || b === null)
    return safeLine(`${heading}: ${input.names[a === null ? 0 : 1]} has no such file`).concat(
      `\n${diffLines(a, b, input)}`,
    )
  return `${heading}\n${diffLines(a, b, input)}`
}

function diffLines(a: HandedIn['answer'], b: HandedIn['answer'], size: ExcerptSize): string | undefined {
  if (a === undefined || b === undefined) return undefined
  const lines = contextDiff(a, b).map(({ sign, text }) => `${sign === '~' ? ' ' : sign} ${safeText(text)}`)
  if (lines.length === 0) return '    the same but for the line feed at the end'
  return excerptLines(lines, size)
    .map((line) => `    ${line}`.trimEnd())
    .join('\n')
}

/** The trials of two methods in one epoch of a task; undefined: without a record. */
export interface EpochPair {
  epoch: number
  a: TrialRecord | undefined
  b: TrialRecord | undefined
}

/** An epoch that both methods ended. */
type WholePair = { epoch: number; a: TrialRecord; b: TrialRecord }

/** What tells one epoch from another, the most important first. */
const differences: readonly [why: string, of: (record: TrialRecord) => unknown][] = [
  ['the first in which one passed and the other did not', ({ passed }) => passed],
  ['the first in which the scores differ', ({ score }) => score],
  ['the first in which the trials ended differently', ({ outcome }) => outcome.status],
  ['the first in which they handed in something else', ({ delivered }) => delivered],
]

/**
 * Returns the first epoch in which two methods differ, by result, score, end, then by what they handed in, and why it is this
 * one; the first whole epoch if they differ nowhere; undefined if no epoch has ended under both.
 */
export function differingEpoch(epochs: readonly EpochPair[]): { pair: WholePair; why: string } | undefined {
  const whole = epochs.flatMap(({ epoch, a, b }) => (a && b ? [{ epoch, a, b }] : []))
  for (const [why, of] of differences) {
    const pair = whole.find(({ a, b }) => of(a) !== of(b))
    if (pair) return { pair, why }
  }
  const [pair] = whole
  return pair && { pair, why: 'the first; the two handed in the same in each epoch' }
}
