import type { Machine } from '../../../src/schema/machine/machine-file.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readMachine } from '../../../src/workflows/document/read-machine.ts'
import { tableOf } from '../house/tables.ts'

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
export const machineParts = tableOf<
  Record<
    | 'name'
    | 'orchestrator'
    | 'agents'
    | 'personas'
    | 'states'
    | 'start'
    | 'draft'
    | 'check'
    | 'audit'
    | 'combine'
    | 'approve'
    | 'complete'
    | 'halt'
    | 'rest',
    string
  >
>(import.meta.url, 'machineParts')

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
