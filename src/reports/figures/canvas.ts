import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** A drawing without a frame: what stands inside an `<svg>` of this size. */
export interface Drawing {
  width: number
  height: number
  svg: string
}

/** Sizes of text, in pixels. */
export const textSize = { title: 14, text: 11, small: 10 } as const
/** By their names, so that no file has to travel along; the last two are on every machine that has none of the others. */
export const fonts = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

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
      // What it styles for web pages, a figure in a paper has none of.
      .replace(/<style>[\s\S]*?<\/style>/, ''),
  }
}
