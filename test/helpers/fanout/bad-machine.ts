import { machineParts, machineText, personaFiles } from './machines.ts'

/** A machine with one mistake, and what is said of it. */
export interface BadMachine {
  text: string
  files?: Readonly<Record<string, string>>
  /** All that is said, each as `place: how it begins`. */
  says: string[]
}

type Part = keyof typeof machineParts

/** Returns the small machine with a text in one part exchanged. */
function changed(part: Part, from: string, to: string): string {
  const exchanged = machineParts[part].replace(from, to)
  if (exchanged === machineParts[part]) throw new Error(`${part} has no ${from}`)
  return machineText({ [part]: exchanged })
}

export const bad = (part: Part, from: string, to: string, ...says: string[]): BadMachine => ({
  text: changed(part, from, to),
  says,
})

export const added = (rest: string, ...says: string[]): BadMachine => ({ text: machineText({ rest }), says })

export const inPersona = (name: string, text: string, ...says: string[]): BadMachine => ({
  text: machineText(),
  files: { ...personaFiles, [`personas/${name}.md`]: text },
  says,
})

export const state = (name: string, to: string) =>
  `  ${name}: { type: human-approval, transitions: { approved: ${to}, feedback: ${name}, abort: ${to} } }`
