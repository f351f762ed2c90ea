import { adjustmentName } from '../comparison/pair-columns.ts'
import type { Report } from '../report.ts'
import type { Note } from '../tables/table.ts'
import { counted, present } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { latexText, textWidth } from './latex-text.ts'

/** Lines of notes that a paper has room for, in a line of LaTeX's class `article`. */
const mostLines = 6
const line = { width: 345, points: 8 } as const

/**
 * Returns the notes for a paper, as many as fit on six lines: what was run, facts and warnings in their order, where the numbers
 * come from, and the command. The other facts follow as comments in the source. With `all` every note is typeset.
 */
export function latexNotes(
  report: Report,
  { notes, all, command }: { notes: readonly Note[]; all: boolean; command: string },
): string {
  if (all) return render([...notes, madeBy(command)])
  // The notes on runs of a comparison say the same.
  const recorded = report.comparison ? [] : report.origin.map((text): Note => ({ text }))
  const facts = notes.filter(({ kind, text }) => kind !== 'definition' && !report.origin.includes(text))
  const first: Note = { text: designText(report) }
  const end: Note[] = [...recorded, ...sourceNotes(report), madeBy(command, ' All notes: --notes.')]
  const shown: Note[] = []
  let lines = [first, ...end].reduce((sum, note) => sum + linesOf(note), 0)
  for (const note of facts) {
    if (lines + linesOf(note) > mostLines) continue
    lines += linesOf(note)
    shown.push(note)
  }
  const others = facts.filter((note) => !shown.includes(note))
  return [render([first, ...shown, ...end]), ...others.map(comment)].join('\n')
}

const comment = (note: Note) => `% ${plainText(note).replace(/[\r\n]+/g, ' ')}`

const madeBy = (command: string, more = ''): Note => ({
  text: `Made by bench with this command.${more}`,
  commands: [command],
})

function designText({ summary, comparison }: Report): string {
  const epochs = summary.methods.flatMap(({ epochs: { min, max } }) => [min, max])
  const [least, most] = [Math.min(...epochs), Math.max(...epochs)]
  const many = least === most ? counted(most, 'epoch') : `${least} to ${most} epochs`
  const each = epochs.length === 0 ? '' : `, ${many} each`
  const pairs = comparison?.comparison.pairs ?? []
  const tests = pairs.flatMap(({ verdict, outcome: { test } }) => (verdict && test ? [testNames[test]] : []))
  return present([
    `${counted(summary.tasks.length, 'task')}${each}, ${counted(summary.records, 'trial')}`,
    `${confidenceName(summary)} limits`,
    comparison &&
      tests.length > 0 &&
      `p: ${[...new Set(tests)].join(' or ')} (${adjustmentName(comparison.comparison)})`,
  ])
    .join('; ')
    .concat('.')
}

const testNames = {
  'mcnemar-mid-p': "McNemar's mid-p",
  'paired-t': 'paired t test of task means',
  'sign-flip': 'sign-flip test',
} as const

function sourceNotes({ comparison }: Report): Note[] {
  const runs = comparison?.facts.runs ?? []
  return runs.map(({ models, createdAt, prices, bench }) => ({
    text: present([
      `${models.join(', ')}, ${createdAt.slice(0, 10)}`,
      prices !== null && `prices ${prices}`,
      `bench ${bench.replace(/\b([0-9a-f]{12})[0-9a-f]{28}\b/, '$1')}.`,
    ]).join('; '),
  }))
}

const plainText = ({ text, commands = [] }: Note) => [text, ...commands].join(' ')

/** Letters of commands are wider, and lines end ragged. */
function linesOf(note: Note): number {
  const wider = (note.commands ?? []).join(' ').length
  return Math.ceil((textWidth(plainText(note), line.points) + wider) / (0.96 * line.width))
}

function render(notes: readonly Note[]): string {
  const one = ({ text, commands = [] }: Note) =>
    [breakable(text), ...commands.map((command) => `\\texttt{${breakable(command)}}`)].join(' ')
  return [
    '\\begin{flushleft}',
    '  \\footnotesize',
    notes.map((note) => `  ${one(note)}`).join('\\par\n'),
    '\\end{flushleft}',
  ].join('\n')
}

/** Escapes text. Only words that may be longer than a line can be broken. */
const breakable = (text: string): string => text.replace(/\S+/g, breakWord)

const breakWord = (word: string): string =>
  word.length < 60 ? latexText(word) : (word.match(/.{1,40}/gu) ?? []).map(latexText).join('\\allowbreak{}')
