import { expect } from 'vitest'

/** What a diagram draws. */
export interface Diagram {
  /** The lines of each node's label, by its key. */
  labels: Map<string, string[]>
  edges: [from: string, to: string][]
  /** The title of each box, by its key, with the keys of the nodes and boxes in it. */
  boxes: Map<string, { title: string; content: string[] }>
}

const decoded = (text: string) => text.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

/** Reads a Mermaid flowchart of a plan. Fails at each line that is not of a known form, and at labels that Mermaid may read as code. */
export function readMermaid(text: string): Diagram & { title: string } {
  const [, title = '', body = ''] = /^---\ntitle: ("[^\n]*")\n---\nflowchart TD\n(.*)\n$/s.exec(text) ?? []
  const diagram = emptyDiagram()
  const open: string[] = []
  for (const line of body.split('\n').map((one) => one.trim())) {
    const [, box, boxTitle] = /^subgraph (p\d+)\["([^"]*)"\]$/.exec(line) ?? []
    const [, node, label] =
      /^(s\d+(?:a\d+)?)(?:\["([^"]*)"\]|\{\{"([^"]*)"\}\}|\{"([^"]*)"\}|\[\/"([^"]*)"\/\])$/
        .exec(line)
        ?.filter((part) => part !== undefined) ?? []
    const [, junction] = /^(j\d+)\(\( \)\)$/.exec(line) ?? []
    const [, from, to] = /^([sj]\w+) (?:-->|-\.->) ([sj]\w+)$/.exec(line) ?? []
    const key = box ?? node ?? junction
    if (key !== undefined) diagram.boxes.get(open.at(-1) ?? '')?.content.push(key)
    if (box !== undefined) {
      open.push(box)
      diagram.boxes.set(box, { title: decoded(plainLabel(boxTitle)), content: [] })
    } else if (node !== undefined) diagram.labels.set(node, plainLabel(label).split('<br/>').map(decoded))
    else if (junction !== undefined) diagram.labels.set(junction, [])
    else if (line === 'end') expect(open.pop(), 'the box that ends').toBeDefined()
    else if (from !== undefined && to !== undefined) diagram.edges.push([from, to])
    else expect(line).toMatch(/^style s\w+ stroke-(?:width:3px|dasharray:4 4)$/)
  }
  expect(open).toEqual([])
  expectDeclared(diagram)
  return { ...diagram, title: JSON.parse(title) as string }
}

function plainLabel(label = ''): string {
  expect(label.replaceAll('<br/>', '').replace(/#\d+;/g, '')).toMatch(/^[\p{L}\p{N} .,:@…_-]*$/u)
  return label
}

const token = /\s+|"((?:[^"\\]|\\.)*)"|->|[{}[\]=,]|[A-Za-z_]\w*/gsuy
const keywords = ['graph', 'node', 'edge', 'digraph', 'subgraph', 'strict']

/** Reads a graph in DOT by its grammar, as far as plans use it: graphs, clusters, nodes, edges and quoted attributes. */
export function readDot(text: string): Diagram & { title: string; fonts: string[] } {
  const tokens = tokensOf(text)
  const diagram = emptyDiagram()
  const fonts: string[] = []
  let at = 0
  const peek = () => tokens[at] ?? ''
  const take = (wanted?: string | RegExp) => {
    const one = tokens[at++] ?? 'the end'
    if (wanted !== undefined)
      expect(one).toMatch(typeof wanted === 'string' ? new RegExp(`^${wanted}$`) : wanted)
    return one
  }
  const name = () => {
    const one = take(/^[A-Za-z_]\w*$/)
    expect(keywords).not.toContain(one)
    return one
  }
  const attributes = () => {
    const read = new Map<string, string>()
    if (peek() !== '[') return read
    take()
    while (peek() !== ']') {
      const key = name()
      take('=')
      read.set(key, take(/^"/s))
      if (peek() === ',') take()
    }
    take()
    return read
  }
  const lines = (quoted = '""') => unescaped(quoted.slice(1, -1)).split('\n')
  let title = ''
  const block = (box: string) => {
    take('\\{')
    while (peek() !== '}') {
      const word = peek()
      if (word === 'subgraph') {
        take()
        const key = name()
        diagram.boxes.get(box)?.content.push(key)
        diagram.boxes.set(key, { title: '', content: [] })
        block(key)
      } else if (['graph', 'node', 'edge'].includes(word)) {
        take()
        const read = attributes()
        fonts.push(read.get('fontname') ?? '')
        if (word === 'graph') title = lines(read.get('label')).join('\n')
      } else {
        const key = name()
        if (peek() === '=') {
          take()
          expect(key).toBe('label')
          const known = diagram.boxes.get(box)
          if (known) known.title = lines(take(/^"/s)).join('\n')
        } else if (peek() === '->') {
          take()
          diagram.edges.push([key, name()])
          attributes()
        } else {
          diagram.boxes.get(box)?.content.push(key)
          const label = attributes().get('label')
          diagram.labels.set(key, label === undefined ? [] : lines(label))
        }
      }
    }
    take('\\}')
  }
  take('digraph')
  name()
  block('')
  expect(at).toBe(tokens.length)
  expectDeclared(diagram)
  return { ...diagram, title, fonts }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const from = token.lastIndex
    const [found] = token.exec(text) ?? []
    if (found === undefined) throw new Error(`no DOT at: ${text.slice(from, from + 60)}`)
    if (found.trim() !== '') tokens.push(found)
  }
  return tokens
}

const unescaped = (text: string) =>
  text.replace(/\\(.)/gs, (_, one) => (one === 'n' ? '\n' : one)).replaceAll('&amp;', '&')

const emptyDiagram = (): Diagram => ({ labels: new Map(), edges: [], boxes: new Map() })

function expectDeclared({ labels, edges }: Diagram): void {
  for (const end of edges.flat()) expect([...labels.keys()]).toContain(end)
}
