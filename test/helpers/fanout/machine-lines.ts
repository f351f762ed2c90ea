import { z } from 'zod'
import { Machine, MachineFile, type Persona } from '../../../src/schema/machine/machine-file.ts'
import { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import type { Strategy, StrategyResult } from '../../../src/strategy.ts'
import { digest, sha256 } from '../../../src/text/canonical-json.ts'
import type { Context, MachineOptions } from '../../../src/workflows/machine/machine-run.ts'
import { runMachine } from '../../../src/workflows/machine/run-machine.ts'
import { machineFlow, machineRoles } from '../../../src/workflows/machine/state-facts.ts'

type Given = Partial<Omit<z.input<typeof MachineFile>, 'states'>>

/** Returns the persona of a text. */
const personaOf = (text: string): Persona => ({ file: 'p.md', text, sha256: sha256(text) })

/** A machine of these states, with agents `ada`, `ben` and `gate`, and personas `do`, `lead` and `judge`. */
export function machineFrom(
  states: z.input<typeof MachineFile>['states'],
  change: Given = {},
  texts: Readonly<Record<string, string>> = {},
): Machine {
  const personas = { do: 'Do it.', lead: 'You lead.', judge: 'Judge it.', ...texts }
  const file = MachineFile.parse({
    ...{ name: 'small', orchestrator: { persona: 'lead' } },
    agents: { ada: {}, ben: {}, gate: {} },
    states,
    ...change,
    personas: Object.fromEntries(Object.keys(personas).map((name) => [name, `${name}.md`])),
  })
  const whole = Object.fromEntries(Object.entries(personas).map(([name, text]) => [name, personaOf(text)]))
  return Machine.parse({ ...file, personas: whole, digest: digest(file) })
}

/** The states of a machine whose two agents draft, whose gate checks the drafts, and whose orchestrator combines them. */
export const states = {
  start: { type: 'initial', next: 'draft' },
  draft: {
    ...{ type: 'fan-out', agents: ['ada', 'ben'], persona: 'do', output: 'drafts/{agent}.md' },
    transitions: { all_success: 'check', all_failure: 'halt' },
  },
  check: {
    ...{
      type: 'single',
      agent: 'gate',
      persona: 'judge',
      input: 'drafts/*.md',
      output: 'reviews/check.json',
    },
    transitions: { proceed: 'combine', retry: 'draft', halt: 'halt' },
  },
  combine: {
    ...{ type: 'orchestrator-task', persona: 'do', input: 'drafts/*.md', output: 'final/text.md' },
    transitions: { success: 'complete', failure: 'halt' },
  },
  complete: { type: 'terminal' },
  halt: { type: 'terminal', error: true },
} as const satisfies z.input<typeof MachineFile>['states']

/** A strategy that runs a machine. */
export const runsMachine = (
  machine: Machine,
  more: Omit<MachineOptions, 'machine' | 'workflow'> = {},
): Strategy => ({
  name: 'test',
  summary: '',
  roles: machineRoles(machine),
  declaration: { flow: machineFlow(machine, more.only), stop: 'at an end', context: 'the inputs of a state' },
  options: z.object({}),
  run: (context) => runMachine(context as Context, { machine, workflow: 'small.yaml', ...more }),
})

/** Returns the record of a machine in a result. */
export const recordOf = ({ state }: { state?: StrategyResult['state'] | undefined }): MachineRecord =>
  MachineRecord.parse(state?.machine)

/** Returns the states that a machine visited, in order. */
export const pathOf = (record: MachineRecord): string[] => record.visits.map(({ state }) => state)

/** The reply of a gate. */
export const verdict = (decision: 'proceed' | 'retry' | 'halt', quality_score = 8, retry_guidance = '') => ({
  ...{ decision, quality_score, issues: [], retry_guidance },
})
