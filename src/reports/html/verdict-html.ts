import type { FirstScreen } from '../screen/first-screen.ts'
import { textHtml } from './html-text.ts'

/** Renders the verdict: three sentences, and what a reader must know before believing them. */
export function verdictHtml({ sentences, warnings, simulated }: FirstScreen): string {
  const lines = sentences.map(({ label, text }) => `<div><dt>${label}</dt><dd>${textHtml(text)}</dd></div>`)
  const all = [...(simulated === null ? [] : [`${simulated}.`]), ...warnings].map(
    (text) => `<li>${textHtml(capital(text))}</li>`,
  )
  return [
    `<dl class="sentences">\n${lines.join('\n')}\n</dl>`,
    ...(all.length > 0 ? [`<ul class="warnings" aria-label="Warnings">\n${all.join('\n')}\n</ul>`] : []),
  ].join('\n')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
