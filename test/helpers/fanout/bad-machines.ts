import { tableOf } from '../house/tables.ts'
import { machineParts, machineText, personaFiles } from './machines.ts'

type Part = keyof typeof machineParts

/** A mistake in the small machine, and what is said of it. */
interface Mistake {
  /** A text of one part that is exchanged. */
  change?: [part: Part, from: string, to: string]
  parts?: Partial<typeof machineParts>
  /** The name of a persona and its text. */
  persona?: [name: string, text: string]
  text?: string
  /** All that is said, each as `place: how it begins`. */
  says: string[]
}

/** Machines with a mistake each, by what it is. */
export const badMachines = Object.fromEntries(
  Object.entries(tableOf<Record<string, Mistake>>(import.meta.url, 'badMachines')).map(([name, mistake]) => [
    name,
    badMachine(mistake),
  ]),
)

function badMachine({ change, parts, persona, text, says }: Mistake) {
  const [part = 'name', from = '', to = ''] = change ?? []
  if (!machineParts[part].includes(from)) throw new Error(`${part} has no ${from}`)
  const changed = { ...parts, ...(change && { [part]: machineParts[part].replace(from, to) }) }
  const files = { ...personaFiles, ...(persona && { [`personas/${persona[0]}.md`]: persona[1] }) }
  return { text: text ?? machineText(changed), files, says }
}
