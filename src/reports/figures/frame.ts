import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { evidenceOf } from '../../analysis/evidence.ts'
import type { Summary } from '../../analysis/summary.ts'
import { profileText } from '../words/evidence-text.ts'
import { isolateWords } from '../words/safe-text.ts'
import { balanceText, escapeXml } from './svg-text.ts'

/** A drawing without a frame: the content of an `<svg>` of this size. */
export interface Drawing {
  width: number
  height: number
  svg: string
}

/** Sizes of text, in pixels. */
export const textSize = { title: 14, text: 11, small: 10 } as const
/** Font names, so that no font file is needed; the last two are on machines without the others. */
const fonts = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** Draws with Observable Plot, without a browser. Equal options give equal text. */
export function drawPlot(options: PlotOptions & { width: number; height: number }): Drawing {
  const { width, height } = options
  const svg: string = plot({ document, ...options }).outerHTML
  return {
    width,
    height,
    svg: svg
      .replace(/^<svg[^>]*>/, `<g text-anchor="middle" font-size="${textSize.text}" fill="currentColor">`)
      .replace(/<\/svg>$/, '</g>')
      // Plot adds a style for web pages, which a figure in a paper does not need.
      .replace(/<style>[\s\S]*?<\/style>/, ''),
  }
}

/** Returns an axis range for positive values, logarithmic if they span more than a factor of eight. */
export function spanOf(values: readonly number[]): { log: boolean; domain: [number, number] } {
  const most = values.reduce((a, b) => Math.max(a, b), 0)
  const least = values.reduce((a, b) => Math.min(a, b), most)
  const log = least > 0 && most / least > 8
  return { log, domain: log ? [least / 1.25, most * 1.25] : [0, most > 0 ? most * 1.08 : 1] }
}

/** Width of every figure, in pixels: the text of a paper's page, with letters of 11 pixels. */
export const figureWidth = 590

interface FigureParts {
  title: string
  /** What is shown, and how it was computed. */
  subtitle: string
  /** Null if the data allow no drawing; the notes say why. */
  drawing: Drawing | null
  /** Definitions that the drawing refers to. */
  definitions?: string
  notes: readonly string[]
  /** In pixels, if it is not that of every figure. */
  width?: number
}

/** What a figure says of its numbers: their kind, and where they come from. */
export interface FigureSource {
  summary: Pick<Summary, 'simulated' | 'recorded' | 'imported' | 'profiles' | 'faults'>
  source: string
}

/** Returns an SVG document: title, subtitle, drawing and notes. Simulated numbers and injected faults are marked. */
export function frameFigure(
  { title, subtitle, drawing, definitions = '', notes, width = figureWidth }: FigureParts,
  { summary, source }: FigureSource,
): string {
  const parts: string[] = []
  let y = 0
  const write = (text: string, size: number, more = '') => {
    for (const line of balanceText(text, width - 8, size)) {
      y += Math.round(size * 1.35)
      parts.push(`<text x="4" y="${y}" font-size="${size}"${more}>${escapeXml(line)}</text>`)
    }
  }
  write(title, textSize.title, ' font-weight="bold"')
  write(subtitle, textSize.text)
  for (const mark of warningsOf(summary)) write(mark, textSize.text, ' font-style="italic"')
  y += 8
  if (drawing) {
    parts.push(`<g transform="translate(0,${y})">${drawing.svg}</g>`)
    y += drawing.height
  }
  for (const note of notes) write(note, textSize.small)
  const height = y + 8
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" color="#111111" fill="currentColor" font-family="${fonts}" style="background:white">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml([subtitle, ...warningsOf(summary), ...notes, source].join(' '))}</desc>`,
    ...(definitions ? [`<defs>${definitions}</defs>`] : []),
    ...parts,
    '</svg>\n',
  ]
    .map((part) => isolateWords(part, '\u2068', '\u2069'))
    .join('\n')
}

function warningsOf(summary: FigureSource['summary']): string[] {
  const about = profileText(summary)
  return [
    ...(about === '' ? [] : [`${evidenceOf(summary).title}: these numbers ${about}s.`]),
    ...(summary.faults === null ? [] : [`Faults were injected on purpose: ${summary.faults}.`]),
  ]
}
