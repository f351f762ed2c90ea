import { cleanText, documentName, type Element, element, type Node } from './tree.ts'

/** Reads plain text as a document with a single text. */
export function readPlain(text: string): Element {
  const clean = cleanText(text)
  return element(documentName, clean === '' ? [] : [{ kind: 'text', text: clean }])
}

/** Writes the names and texts of a document with indentation, without markup. It cannot be read back. */
export function writePlain(root: Element): string {
  const isPlain = root.name === documentName && Object.keys(root.attributes).length === 0
  return (isPlain ? linesOf(root.children, 0) : linesOf([root], 0)).join('\n')
}

function linesOf(nodes: readonly Node[], depth: number): string[] {
  const indent = '  '.repeat(depth)
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return node.text.split('\n').map((line) => `${indent}${line}`)
    const said = Object.entries(node.attributes).map(([name, value]) => `${name} ${value}`)
    const head = `${indent}${node.name}${said.length > 0 ? ` (${said.join(', ')})` : ''}`
    const [only] = node.children
    if (node.children.length === 1 && only?.kind === 'text' && !only.text.includes('\n'))
      return [`${head}: ${only.text}`]
    return node.children.length === 0 ? [head] : [`${head}:`, ...linesOf(node.children, depth + 1)]
  })
}
