import { markHtml, markOf } from '../../reports/html/grid.ts'
import { escapeHtml, textHtml } from '../../reports/html/html-text.ts'
import { verdictText } from '../../reports/html/trial-data.ts'
import { contextDiff } from '../../reports/story/excerpt.ts'
import type { HandedIn } from '../../reports/story/handed-in.ts'
import { costText, timeText } from '../../reports/words/numbers.ts'
import { reasonText } from '../../reports/words/safe-text.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shellWord } from '../../text/shell-word.ts'
import { choiceQuery, hrefOfRun, type neighboursOf, type TrialChoice } from './choose-trials.ts'
import type { readTrial } from './read-trial.ts'
import type { ViewedRun } from './run-folders.ts'

type ReadTrial = Awaited<ReturnType<typeof readTrial>>

/** Returns the address of a trial, with the choice that it was opened from. */
export const hrefOfTrial = (run: string, trial: string, choice: TrialChoice): string =>
  `${hrefOfRun(run)}/trials/${encodeURIComponent(trial)}${choiceQuery(choice)}`

/** Renders a trial: what is right beside what was handed in, the verdicts, and the story of its calls. */
export function trialHtml(
  { name, folder }: ViewedRun,
  { record, heading, right, rightIs, given, parts }: ReadTrial,
  { choice, full, ...near }: { choice: TrialChoice; full: boolean } & ReturnType<typeof neighboursOf>,
): string {
  const step = (id: string | undefined, rel: string, text: string) =>
    id === undefined
      ? `<span>${text}</span>`
      : `<a rel="${rel}" href="${escapeHtml(hrefOfTrial(name, id, choice))}">${text}</a>`
  const more = `${hrefOfTrial(name, heading.trial, choice)}${choiceQuery(choice) === '' ? '?' : '&'}full=1`
  const title = `${heading.task}, ${rowName(heading.method, heading.agentSet)}, epoch ${heading.epoch}`
  return [
    `<article id="trial-view" data-trial="${escapeHtml(heading.trial)}">`,
    `<div class="bar"><h2>${textHtml(title)}</h2>`,
    `<nav aria-label="Trials">${step(near.previous, 'prev', '← Previous')} ${near.at === undefined ? '' : `${near.at} of ${near.of}`} ${step(near.next, 'next', 'Next →')}</nav></div>`,
    resultHtml(record),
    `<div class="both"><section class="right"><h3>Right</h3>${rightHtml(right, rightIs)}</section>`,
    `<section class="given"><h3>Handed in</h3>${given ? givenHtml(given) : '<p>The trial has not ended.</p>'}</section></div>`,
    record ? verdictsHtml(record) : '',
    `<h3>What happened</h3>${parts.map((part, at) => partHtml(part, at === parts.length - 1)).join('\n')}`,
    `<p class="commands">${full ? '' : `<a href="${escapeHtml(more)}">All texts in full</a> `}<code>bench show ${escapeHtml(shellWord(folder))} ${escapeHtml(heading.trial.slice(0, 12))}</code></p>`,
    '</article>',
  ].join('\n')
}

function resultHtml(record: TrialRecord | undefined): string {
  if (!record) return `<p>${markHtml('waiting')} not ended yet</p>`
  const { outcome, passed, spent, durationMs } = record
  const result = passed === null ? 'not graded' : passed ? 'passed' : 'not passed'
  const mark = markOf({ outcome: outcome.status, passed: result })
  const why = outcome.reason === '' ? '' : `: ${reasonText(record)}`
  const bill = [costText(spent.costUsd, spent.unreportedCost), timeText(durationMs)].join(', ')
  return `<p>${markHtml(mark)} ${mark}; ${textHtml(`${outcome.status}${why}`)}; ${textHtml(bill)}</p>`
}

function rightHtml(right: string | null, rightIs: ReadTrial['rightIs']): string {
  if (rightIs === 'gone') return '<p>Not shown: the task cannot be read any more.</p>'
  if (right === null) return '<p>Not shown: the task has changed since this run.</p>'
  const [first = '', ...lines] = right.split('\n')
  const about = `<small>${textHtml(first.replace(/^Right answer:? */, ''))}</small>`
  return lines.length === 0 ? about : `${about}<pre>${textHtml(lines.map(unquoted).join('\n'))}</pre>`
}

/** A quoted line without the bar that a terminal needs. */
const unquoted = (line: string) => line.replace(/^ {2,}\| ?/, '')

function givenHtml({ answer, files }: HandedIn): string {
  if (answer === undefined) return '<p>Its text is not stored.</p>'
  if (answer !== null) return `<pre>${textHtml(answer)}</pre>`
  if (files === undefined) return '<p>Files, which the story below tells.</p>'
  if (files.length === 0) return '<p>Nothing.</p>'
  return files
    .map(({ path, before, after }) => {
      const body =
        before === undefined || after === undefined
          ? '<p>Its text is not stored.</p>'
          : diffHtml(before, after)
      const deed = after === null ? ', deleted' : before === null ? ', new' : ''
      return `<details open><summary>${textHtml(path)}${deed}</summary>${body}</details>`
    })
    .join('\n')
}

function diffHtml(before: string | null, after: string | null): string {
  const names = { '+': 'added', '-': 'removed', ' ': 'same', '~': 'far' } as const
  const lines = contextDiff(before, after).map(
    ({ sign, text }) =>
      `<span class="${names[sign]}">${sign === '~' ? ' ' : sign} ${textHtml(text)}\n</span>`,
  )
  return lines.length === 0 ? '<p>No change.</p>' : `<pre class="diff">${lines.join('')}</pre>`
}

function verdictsHtml({ scores }: TrialRecord): string {
  if (scores.length === 0) return ''
  const items = scores.map((score) => {
    const [head = '', ...lines] = verdictText(score).split('\n')
    const rest = lines.length === 0 ? '' : `<pre>${textHtml(lines.join('\n'))}</pre>`
    return `<li>${textHtml(head)}${rest}</li>`
  })
  return `<h3>How it was read and graded</h3><ul class="verdicts">${items.join('\n')}</ul>`
}

/** A part of a story: its first line, which opens the others. */
function partHtml(part: string, isOpen: boolean): string {
  const [first = '', ...rest] = part.split('\n')
  if (rest.length === 0) return `<p class="part">${textHtml(first)}</p>`
  const spent = rest.find((line) => /^ *spent {4}/.test(line))
  const lines = rest.map((line) => {
    const sign = /^ {6,}([+-])(?: |$)/.exec(line)?.[1]
    return sign
      ? `<span class="${sign === '+' ? 'added' : 'removed'}">${textHtml(line)}\n</span>`
      : `${textHtml(line)}\n`
  })
  const small = spent === undefined ? '' : `<small>${textHtml(spent.trim())}</small>`
  return `<details${isOpen ? ' open' : ''}><summary>${textHtml(first.trim())}${small}</summary><pre>${lines.join('')}</pre></details>`
}
