import { expect, it } from 'vitest'
import { machineText as drawnText, machineMermaid } from '../../../src/reports/drawing/machine.ts'
import { machineOf, machineParts, machineText } from '../../helpers/fanout/machines.ts'

/** What a Mermaid state diagram draws. Ends are `[*]`. */
interface StateDiagram {
  title: string
  /** The label of each state, by its key. */
  labels: Map<string, string>
  transitions: [from: string, to: string, label: string][]
  failed: string[]
}

/** Reads a Mermaid state diagram of a machine. Fails at each line that is not of a known form, and at states that are not declared. */
function readStateDiagram(text: string): StateDiagram {
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

it('a state diagram has each state with its agents, each transition with its results, and the ends', () => {
  const { title, labels, transitions, failed } = readStateDiagram(machineMermaid(machineOf()))
  expect(title).toBe('small')
  const name = (key: string) => labels.get(key)?.split(' ')[0] ?? key
  expect([...labels.values()]).toMatchSnapshot()
  expect(transitions.map(([from, to, label]) => `${name(from)} > ${name(to)}: ${label}`)).toMatchSnapshot()
  expect(failed.map(name)).toEqual(['halt'])
})

it('a state diagram is one that Mermaid reads, whatever states and agents are called', () => {
  const rename = (text: string) =>
    text.replaceAll('complete', 'end').replaceAll('ada', 'state').replaceAll('halt', 'note')
  const many = Array.from({ length: 60 }, (_, i) => `agent-number_${i}`)
  const text = rename(
    machineText({
      check: machineParts.check.replace('halt: halt', 'halt: halt'),
      agents: `${machineParts.agents}\n${many.map((one) => `  ${one}: {}`).join('\n')}`,
      draft: machineParts.draft.replace('[ada, ben]', `[ada, ben, ${many.join(', ')}]`),
    }),
  ).replaceAll('note: note', 'halt: note')
  const { labels } = readStateDiagram(machineMermaid(machineOf(text)))
  expect(labels.size).toBe(8)
  expect(Math.max(...[...labels.values()].map(({ length }) => length))).toBeLessThan(160)
})

it('a machine as text has its limits, a row for each state, and each persona with its file and hash', () => {
  const machine = machineOf(
    machineText({
      name: 'name: small\ndescription: "Two write.\\e[31m"',
      rest: 'settings: { retry_count: 2, parallel_fanout: false }\ncircuit_breaker: { rules: [{ rule: cycle }, { rule: state_visits, max: 4 }] }\ndeliver: final/text.md',
    }),
  )
  const text = drawnText(machine)
  expect(text).toContain('Workflow small: 8 states\n\n  Two write.\\x1b[31m\n')
  expect(text).toContain('  Hands in      final/text.md\n')
  expect(text).toContain('  Breaks at     a cycle, visit 4 of a state\n')
  expect(text).toContain('  Ends after    50 transitions, 3600 s, $10.00\n')
  expect(text).toContain('  Each agent    at most 300 s, 2 retries, one after the other\n')
  expect(text).toMatch(
    /^ {2}check +quality gate +gate +drafts\/\*\.md +reviews\/check\.json +proceed: audit; retry: draft; halt: halt$/m,
  )
  expect(text).toMatch(/^ {2}halt +terminal, failed +- +- +- +-$/m)
  const hash = machine.personas.writer?.sha256.slice(0, 12) ?? ''
  expect(text).toMatch(new RegExp(`^ {2}writer +personas/writer\\.md +${hash}$`, 'm'))
})
