import { renderCsv } from './formats/csv.ts'
import { renderJson } from './formats/json.ts'
import { renderLatex } from './formats/latex.ts'
import { renderMarkdown } from './formats/markdown.ts'
import { renderText } from './formats/text.ts'
import type { RenderOptions, Report } from './report.ts'

/** A way to write a report down. */
interface Format {
  /** One line for `bench report --help`. */
  summary: string
  /** Of a file that holds it, with the dot. */
  extension: string
  render(report: Report, shown?: RenderOptions): string
}

/** All formats by the name that `--format` takes. A new one is a file beside these and a line here. */
export const formats = {
  text: { summary: 'plain columns for terminals and logs', extension: '.txt', render: renderText },
  markdown: { summary: 'a GitHub table with notes', extension: '.md', render: renderMarkdown },
  csv: { summary: 'raw numbers, one line per method', extension: '.csv', render: renderCsv },
  latex: { summary: 'tables for a paper, with booktabs and siunitx', extension: '.tex', render: renderLatex },
  json: { summary: 'raw numbers, one object', extension: '.json', render: renderJson },
} as const satisfies Record<string, Format>

/** The names that `--format` takes. */
export type FormatName = keyof typeof formats

/** Formats that are made of a run's trials and steps too, not of its tables alone; `bench report` writes them. */
export const runFormats = {
  html: {
    summary: 'one page with everything, for a browser: tables, figures, every trial; needs no network',
    extension: '.html',
  },
  svg: { summary: 'the figures, a file each', extension: '.svg' },
  pdf: { summary: 'the same for LaTeX, by rsvg-convert', extension: '.pdf' },
} as const satisfies Record<string, Omit<Format, 'render'>>

/** The names of these. */
export type RunFormatName = keyof typeof runFormats
