import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** A drawing without a frame: the content of an `<svg>` of this size. */
export interface Drawing {
  width: number
  height: number
  svg: string
}

/** Sizes of text, in pixels. */
export const textSize = { title: 14, text: 11, small: 10 } as const
/** Font names, so that no font file is needed; the last two are on machines without the others. */
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
      // Plot adds a style for web pages, which a figure in a paper does not need.
      .replace(/<style>[\s\S]*?<\/style>/, ''),
  }
}
