import { join } from 'node:path'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { ShownText, WaitsLine } from '../../schema/run/people.ts'

/** Renders a question with the texts that a person reads, escape sequences shown as text. `folder` is the run folder. */
export function questionText({ show, question }: WaitsLine, folder: string): string {
  return [...show.map((shown) => shownText(shown, folder)), safeText(question)].join('\n\n')
}

/** Names a trial that asks: `74b5d9451926  fanout on essay, epoch 1`. */
export function askingTrial({ trial, method, task, epoch }: WaitsLine): string {
  return safeLine(`${trial.slice(0, 12)}  ${method} on ${task}, epoch ${epoch}`)
}

function shownText({ path, text, blob, moreLines = 0 }: ShownText, folder: string): string {
  const lines = safeText(text.replace(/\n$/, '')).split('\n')
  const rest =
    blob === undefined ? [] : [`… ${restText(moreLines)}; the whole text: ${join(folder, 'blobs', blob)}`]
  return [
    safeLine(path),
    ...lines.map((line) => `  | ${line}`.trimEnd()),
    ...rest.map((line) => `  ${line}`),
  ].join('\n')
}

const restText = (lines: number) => (lines === 0 ? 'more' : `${lines} more ${lines === 1 ? 'line' : 'lines'}`)
