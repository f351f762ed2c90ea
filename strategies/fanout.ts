import { z } from 'zod'
import type { KindOfWork } from '../src/ask.ts'
import { Machine } from '../src/schema/machine/machine-file.ts'
import { defineStrategy } from '../src/strategy.ts'
import { UserError } from '../src/text/errors.ts'
import { chooseMachine } from '../src/workflows/document/read-machine.ts'
import { endWith } from '../src/workflows/end.ts'
import { runMachine } from '../src/workflows/machine/run-machine.ts'
import { machineAgents, machineFlow, machineRoles } from '../src/workflows/machine/state-facts.ts'

// The roles of the default workflow; others name their own.
const roles: Readonly<Record<string, KindOfWork>> = {
  orchestrator: 'produce',
  ada: 'produce',
  ben: 'produce',
  cleo: 'produce',
}

/** A file in YAML says which states follow which; several agents work side by side in a state, and an orchestrator decides. */
export const fanout = defineStrategy({
  name: 'fanout',
  summary: 'States of a machine in YAML: agents draft and audit side by side, an orchestrator combines.',
  roles,
  declaration: ({ machine, only }) => ({
    flow: machineFlow(machineOf(machine), only ?? undefined),
    stop: 'a terminal state, a hard limit, or a decision of the orchestrator',
    context: 'the task, and the outputs that each state names',
  }),
  options: z.strictObject({
    workflow: z.string().min(1).default('code').describe('file or name of the workflow'),
    machine: Machine.nullable().default(null).describe('what the file says; set by bench'),
    only: z.string().min(1).nullable().default(null).describe('state that runs alone; set by bench step'),
    inputs: z
      .record(z.string(), z.string())
      .nullable()
      .default(null)
      .describe('what that state reads, by path; set by bench step'),
  }),
  document: 'workflow',
  resolve(options, documents) {
    if (options.machine !== null)
      throw new UserError({
        where: 'option machine',
        what: 'bench sets this option itself',
        fix: 'Leave it out.',
      })
    const machine = chooseMachine(options.workflow, documents)
    const states = Object.keys(machine.states)
    if (options.only !== null && !states.includes(options.only))
      throw new UserError({
        where: 'option only',
        what: `${options.workflow} has no state "${options.only}"`,
        fix: `It has ${states.join(', ')}.`,
      })
    return { ...options, machine }
  },
  rolesOf: ({ machine }) => machineRoles(machineOf(machine)),
  agentsOf: ({ workflow, machine }) => machineAgents(machineOf(machine), workflow),

  async run(context) {
    const { workflow, machine, only, inputs } = context.options
    const work = {
      machine: machineOf(machine),
      workflow,
      only: only ?? undefined,
      inputs: inputs ?? undefined,
    }
    return endWith(context, await runMachine(context, work))
  },
})

function machineOf(machine: Machine | null): Machine {
  if (!machine) throw new Error('no workflow was read before the run')
  return machine
}
