import { renderCsv } from './formats/csv.ts'
import { renderJson } from './formats/json.ts'
import { renderLatex } from './formats/latex.ts'
import { renderMarkdown } from './formats/markdown.ts'
import { renderText } from './formats/text.ts'
import type { RenderOptions, Report } from './report.ts'

interface Format {
  /** One line for `bench report --help`. */
  summary: string
  /** Whether reports of several runs may follow each other in one text. */
  severalRuns: boolean
  /** Returns the text of a report, or of the parts that the options name. It is pure: no file, no clock. */
  render(report: Report, options?: RenderOptions): string
}

/** All formats by the name that `--format` takes. A new format is a file beside these and a line here. */
export const formats = {
  text: { summary: 'plain columns for terminals and logs', severalRuns: true, render: renderText },
  markdown: { summary: 'a GitHub table with notes', severalRuns: true, render: renderMarkdown },
  csv: { summary: 'raw numbers, one line per method', severalRuns: false, render: renderCsv },
  latex: { summary: 'tables for a paper, with booktabs', severalRuns: true, render: renderLatex },
  json: { summary: 'raw numbers, one object', severalRuns: false, render: renderJson },
} as const satisfies Record<string, Format>

/** A name that `--format` takes. */
export type FormatName = keyof typeof formats

/** Formats that need a run's trials and steps, not its tables alone. Only `bench report` writes them. */
export const runFormats = {
  html: {
    summary: 'one page for a browser with tables, figures and every trial; needs no network',
  },
  svg: { summary: 'the figures, one file each' },
  pdf: { summary: 'the figures for LaTeX, made by rsvg-convert' },
} as const satisfies Record<string, Pick<Format, 'summary'>>

/** A name of `runFormats`. */
export type RunFormatName = keyof typeof runFormats
