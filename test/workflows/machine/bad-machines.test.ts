import { expect, it } from 'vitest'
import type { Problem } from '../../../src/text/errors.ts'
import { readMachine } from '../../../src/workflows/document/read-machine.ts'
import { badMachines } from '../../helpers/fanout/bad-machines.ts'
import { machineParts, machineText, personaFiles } from '../../helpers/fanout/machines.ts'
import { inShort } from '../../helpers/graph/in-short.ts'

/** Returns what is said of a machine in short, without the name of its file. */
function saysOf(text: string, files: Readonly<Record<string, string>> = personaFiles): string[] {
  const problems: Problem[] = []
  const read = readMachine(text, 'flows/small.yaml', problems, {
    read: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    agentProblem: (name) =>
      name.startsWith('nobody')
        ? { what: 'there is no provider "nobody"', fix: 'Write another.' }
        : undefined,
  })
  expect(read === undefined).toBe(problems.length > 0)
  return problems.map(inShort)
}

it('a machine without mistakes is read', () => {
  expect(saysOf(machineText())).toEqual([])
})

it.each(Object.entries(badMachines))('%s is told with its place and a remedy', (_, { text, files, says }) => {
  expect(saysOf(text, files)).toEqual(says)
})

it('ten mistakes in one file give ten messages, in the order of the file', () => {
  const { draft, check, audit, orchestrator, complete } = machineParts
  const text = machineText({
    orchestrator: orchestrator
      .replace('loop_warning', 'loop_warnin')
      .replace('persona: lead', 'persona: leed'),
    draft: draft.replace('ben]', 'bob]').replace('drafts/{agent}.md', 'drafts/a.md'),
    check: check.replace('retry: draft, ', '').replace('agent: gate', 'agent: gate\n    works: judge'),
    audit: audit.replace('drafts/*.md', 'draft/*.md'),
    complete: complete.replace('summary.md', '../summary.md'),
    rest: '  lost: { type: terminal }\ncircuit_breaker: { hard: { cost_usd: 100 } }',
  })
  const says = saysOf(text)
  expect(says.map((one) => one.split(' ')[1])).toMatchSnapshot()
})

it.each([
  ['', '1:1: is empty'],
  ['- a', '1:1: must be a map of'],
  ['a:\n\t- b', '2:1: is not valid YAML: Tabs'],
  ['a: it is: so', '1:4: is not valid YAML: Nested'],
])('%j is no machine at all', (text, says) => {
  expect(saysOf(text)).toEqual([says])
})

it('a mistake of YAML is told alone, without what would only follow from it', () => {
  const { check, draft } = machineParts
  const tab = saysOf(machineText({ check: check.replace('    type: single', '\ttype: single') }))
  expect(tab).toEqual(['24:1: is not valid YAML: Tabs'])
  const bracket = saysOf(machineText({ draft: draft.replace('ben]', 'ben') }))
  expect(bracket.map((one) => one.slice(0, 25))).toEqual(['20:5: is not valid YAML: '])
  const two = saysOf('a: b: c\nd: e: f\n')
  expect(two.map((one) => one.slice(0, 24))).toEqual(['1:4: is not valid YAML: ', '2:4: is not valid YAML: '])
})

it('a large machine is checked in the time of a test, and one that is too large is refused at once', () => {
  const names = Array.from({ length: 195 }, (_, i) => `s${i}`)
  const state = (name: string, next = 'complete') =>
    `  ${name}: { type: single, agent: ada, persona: writer, output: o/${name}.md, transitions: { success: ${next}, failure: halt } }`
  const text = machineText({
    draft: `${machineParts.draft.replaceAll('check', 's0')}\n${names.map((name, i) => state(name, names[i + 1])).join('\n')}`,
    ...{ personas: 'personas: { lead: personas/lead.md, writer: personas/writer.md }' },
    ...{ agents: 'agents: { ada: {}, ben: {} }', check: '', audit: '', combine: '', approve: '' },
  })
  expect(saysOf(text)).toEqual([])
  const more = Array.from({ length: 10 }, (_, i) => `  t${i}: { type: terminal }`).join('\n')
  expect(saysOf(text.replace('  halt:', `${more}\n  halt:`))).toMatchSnapshot()
})

it('an agent’s own persona is the prompt where its states name none, with all variables', () => {
  const gate = `# Task\n\n{% for one in drafts %}{{ one.text }}{% endfor %}\n\n# Output\nA verdict.\n`
  expect(saysOf(machineText(), { ...personaFiles, 'personas/gate.md': gate })).toEqual([])
  const asSystem = machineParts.check.replace('agent: gate', 'agent: gate\n    persona: auditor')
  expect(
    saysOf(machineText({ check: asSystem }), { ...personaFiles, 'personas/gate.md': gate }),
  ).toMatchSnapshot()
})

it('a text that is there on each way may be named by its place; one that may be missing may not', () => {
  const synthesizer = (place: string) => `# Task\n\n{{ ${place}.text }}\n\n# Output\nA text.\n`
  const files = (place: string) => ({ ...personaFiles, 'personas/synthesizer.md': synthesizer(place) })
  const sure = machineText({ combine: machineParts.combine.replace('drafts/*.md', 'reviews/check.json') })
  expect(saysOf(sure, files('reviews[0]'))).toEqual([])
  expect(saysOf(sure, files('audits.first'))[0]).toContain('audits.first may be missing')
})
