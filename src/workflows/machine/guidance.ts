import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import type { MachineRun } from './machine-run.ts'

type From = MachineRecord['guidance'][number]['from']

/** Keeps guidance for the next visit of a state. Empty texts are none. */
export function addGuidance({ record }: MachineRun, state: string, from: From, text: string): void {
  if (text.trim() !== '') record.guidance.push({ state, from, text: text.trim(), visit: null })
}

const waitingFor = ({ record }: MachineRun, state: string) =>
  record.guidance.filter((one) => one.state === state && one.visit === null)

const joined = (texts: readonly { text: string }[]) => texts.map(({ text }) => text).join('\n\n')

/** Takes the guidance that waits for a state. This visit alone gets it. */
export function takeGuidance(run: MachineRun, state: string, visit: number): string {
  const waiting = waitingFor(run, state)
  for (const one of waiting) one.visit = visit
  return joined(waiting)
}

/** Returns all guidance that waits, by state. */
export function waitingGuidance(run: MachineRun): Record<string, string> {
  const states = new Set(run.record.guidance.flatMap(({ state, visit }) => (visit === null ? [state] : [])))
  return Object.fromEntries([...states].map((state) => [state, joined(waitingFor(run, state))]))
}

/** Takes over what a person changed in the guidance that waits: new texts count as the person's, a missing state's are gone. */
export function readGuidance(run: MachineRun, given: Readonly<Record<string, unknown>>): void {
  const before = waitingGuidance(run)
  for (const state of Object.keys(before))
    if (!Object.hasOwn(given, state))
      run.record.guidance = run.record.guidance.filter((one) => one.state !== state || one.visit !== null)
  for (const [state, text] of Object.entries(given)) {
    const known = (Object.hasOwn(before, state) && before[state]) || ''
    if (typeof text !== 'string' || text === known || !Object.hasOwn(run.machine.states, state)) continue
    if (known !== '' && !text.startsWith(known))
      run.record.guidance = run.record.guidance.filter((one) => one.state !== state || one.visit !== null)
    addGuidance(run, state, 'person', text.startsWith(known) ? text.slice(known.length) : text)
  }
}
