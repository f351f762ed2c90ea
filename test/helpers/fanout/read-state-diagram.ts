import { expect } from 'vitest'

/** What a Mermaid state diagram draws. Ends are `[*]`. */
export interface StateDiagram {
  title: string
  /** The label of each state, by its key. */
  labels: Map<string, string>
  transitions: [from: string, to: string, label: string][]
  failed: string[]
}

/** Reads a Mermaid state diagram of a machine. Fails at each line that is not of a known form, and at states that are not declared. */
export function readStateDiagram(text: string): StateDiagram {
  const [, title = '""', body = ''] =
    /^---\ntitle: ("[^\n]*")\n---\nstateDiagram-v2\n(.*)\n$/s.exec(text) ?? []
  const diagram: StateDiagram = {
    title: JSON.parse(title) as string,
    labels: new Map(),
    transitions: [],
    failed: [],
  }
  for (const line of body.split('\n').map((one) => one.trim())) {
    const [, label, key] = /^state "([\w ,()…-]+)" as (s\d+)$/.exec(line) ?? []
    const [, from, to, text = ''] = /^(s\d+|\[\*\]) --> (s\d+|\[\*\])(?:: ([a-z_, ]+))?$/.exec(line) ?? []
    const [, failed] = /^class (s\d+) failed$/.exec(line) ?? []
    if (key !== undefined && label !== undefined) diagram.labels.set(key, label)
    else if (from !== undefined && to !== undefined) diagram.transitions.push([from, to, text])
    else if (failed !== undefined) diagram.failed.push(failed)
    else expect(line).toMatch(/^classDef failed stroke-dasharray:4 4$/)
  }
  for (const [from, to] of diagram.transitions)
    for (const end of [from, to]) if (end !== '[*]') expect([...diagram.labels.keys()]).toContain(end)
  return diagram
}
