import type { BadMachine } from './bad-machine.ts'
import { limits, texts } from './bad-outputs.ts'
import { personas } from './bad-personas.ts'
import { agents, states } from './bad-states.ts'

/** Machines with a mistake each, by what it is. */
export const badMachines: Readonly<Record<string, BadMachine>> = {
  ...states,
  ...agents,
  ...texts,
  ...personas,
  ...limits,
}
