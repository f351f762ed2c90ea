import type { Machine } from '../../../src/schema/machine/machine-file.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readMachine } from '../../../src/workflows/document/read-machine.ts'

/** A persona with its two sections; `rest` stands in the task's section. */
export const persona = (rest = 'Do it well.'): string => `# Task

${rest}

# Output

Reply with the text alone.
`

/** The personas of `machineText`, by path. */
export const personaFiles: Readonly<Record<string, string>> = {
  'personas/lead.md': persona('You lead {{ agent }}.'),
  'personas/writer.md': persona('Write it: {{ task }}{% if guidance %} Mind: {{ guidance }}{% endif %}'),
  'personas/auditor.md': persona(
    'Audit {% for draft in drafts %}{{ draft.agent }}: {{ draft.text }} {% endfor %}',
  ),
  'personas/gate.md': persona('Say whether the drafts are good enough.'),
  'personas/synthesizer.md': persona(
    'Combine the drafts of {{ agent_list }}.{% for one in inputs %} {{ one.path }}: {{ one.text }}{% endfor %}',
  ),
}

/** The parts of the text of a small machine that is right, in its order. Exchange one to make a mistake. */
export const machineParts = {
  name: 'name: small',
  orchestrator: `orchestrator:
  persona: lead
  checkpoints: [loop_warning]`,
  agents: `agents:
  ada: {}
  ben: {}
  gate: { persona: gate }`,
  personas: `personas:
  lead: personas/lead.md
  writer: personas/writer.md
  auditor: personas/auditor.md
  gate: personas/gate.md
  synthesizer: personas/synthesizer.md`,
  states: 'states:',
  start: `  start: { type: initial, on_enter: [{ log: Begin. }, { validate: task }], next: draft }`,
  draft: `  draft:
    type: fan-out
    agents: [ada, ben]
    persona: writer
    output: drafts/{agent}.md
    transitions: { all_success: check, partial_success: check, all_failure: halt }`,
  check: `  check:
    type: single
    agent: gate
    input: drafts/*.md
    output: reviews/check.json
    transitions: { proceed: audit, retry: draft, halt: halt }`,
  audit: `  audit:
    type: fan-out
    agents: [ada, ben]
    persona: auditor
    work: judge
    input: drafts/*.md
    output: audits/{agent}.md
    transitions: { all_success: combine, all_failure: draft }`,
  combine: `  combine:
    type: orchestrator-task
    persona: synthesizer
    input: [drafts/*.md, audits/*.md]
    output: final/text.md
    transitions: { success: approve, failure: audit }`,
  approve: `  approve:
    type: human-approval
    input: final/text.md
    prompt: Is it good?
    transitions: { approved: complete, feedback: combine, abort: halt }`,
  complete: `  complete: { type: terminal, on_enter: [{ generate: summary.md }] }`,
  halt: `  halt: { type: terminal, error: true }`,
  rest: 'settings: { timeout_per_agent: 60 }',
}

/** Returns the text of the small machine with these parts exchanged. */
export const machineText = (parts: Partial<typeof machineParts> = {}): string =>
  `${Object.values({ ...machineParts, ...parts })
    .filter((part) => part !== '')
    .join('\n')}\n`

/** Reads a machine with the files beside it. Throws if it has mistakes. */
export function machineOf(text = machineText(), files = personaFiles): Machine {
  const problems: Problem[] = []
  const read = readMachine(text, 'small.yaml', problems, { read: (path) => files[path] })
  if (!read) throw new Error(problems.map(({ where, what }) => `${where} ${what}`).join('\n'))
  return read.machine
}
