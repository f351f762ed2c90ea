import { parseHTML } from 'linkedom'
import { widthOf } from '../../../src/reports/figures/svg-text.ts'

/** A text of a figure and where it stands, in pixels. */
interface TextBox {
  text: string
  left: number
  right: number
  top: number
  bottom: number
}

/** An element, as linkedom has it. */
type Element = NonNullable<ReturnType<ReturnType<typeof parseHTML>['document']['querySelector']>>

/** What a text inherits from the elements around it. */
interface Around {
  x: number
  y: number
  size: number
  anchor: string
}

/** Returns where each text of an SVG document stands; a `<tspan>` is a line of its own. Understands what our figures hold. */
export function textBoxes(svg: string): TextBox[] {
  const { document } = parseHTML(`<!doctype html><html><body>${svg}</body></html>`)
  const root = document.querySelector('svg') as Element
  return boxesIn(root, { x: 0, y: 0, size: 11, anchor: 'start' })
}

/** Returns the pairs of texts that overlap, and the texts that leave the figure. */
export function crampedTexts(svg: string): string[] {
  const width = Number(/width="(\d+)"/.exec(svg)?.[1])
  const boxes = textBoxes(svg)
  const outside = boxes.filter(({ left, right }) => left < -0.5 || right > width + 0.5)
  const pairs = boxes.flatMap((one, i) =>
    boxes
      .slice(i + 1)
      .filter((other) => overlap(one, other))
      .map((other) => [one, other] as const),
  )
  return [
    ...outside.map(({ text }) => `outside: ${text}`),
    ...pairs.map(([one, other]) => `${one.text} | ${other.text}`),
  ]
}

const overlap = (a: TextBox, b: TextBox) =>
  Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
  Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top)

function boxesIn(node: Element, around: Around): TextBox[] {
  if (['title', 'desc', 'defs'].includes(node.localName)) return []
  const [, x = 0, y = 0] =
    /translate\(([-\d.e]+),\s*([-\d.e]+)\)/.exec(node.getAttribute('transform') ?? '') ?? []
  const own: Around = {
    x: around.x + Number(x),
    y: around.y + Number(y),
    size: Number.parseFloat(node.getAttribute('font-size') ?? '') || around.size,
    anchor: node.getAttribute('text-anchor') ?? around.anchor,
  }
  if (node.localName !== 'text') return [...node.children].flatMap((child) => boxesIn(child, own))
  if (node.children.length === 0) return boxOf(node, own)
  let { y: line } = own
  return [...node.children].flatMap((span) => {
    const boxes = boxOf(span, { ...own, y: line })
    line += pixelsOf(span, 'y', own.size) + pixelsOf(span, 'dy', own.size)
    return boxes
  })
}

function boxOf(node: Element, { x, y, size, anchor }: Around): TextBox[] {
  const text = (node.textContent ?? '').replace(/[\u2066-\u2069]/g, '')
  if (text.trim() === '') return []
  const width = widthOf(text, size)
  const at = x + pixelsOf(node, 'x', size)
  const left = at - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0)
  const base = y + pixelsOf(node, 'y', size) + pixelsOf(node, 'dy', size)
  return [{ text, left, right: left + width, top: base - 0.72 * size, bottom: base + 0.2 * size }]
}

function pixelsOf(node: Element, name: string, size: number): number {
  const value = node.getAttribute(name) ?? '0'
  return Number.parseFloat(value) * (value.endsWith('em') ? size : 1)
}
