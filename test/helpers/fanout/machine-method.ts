import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machineRecord } from './machine-records.ts'

/** Writes a method whose trials leave the steps, events and record of a workflow of states; returns its file. */
export function writeMachineMethod(folder: string): string {
  const file = join(folder, 'states.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'orchestration-bench'

const machine = ${JSON.stringify(machineRecord())}

export default defineStrategy({
  name: 'states',
  summary: 'Goes through two states.',
  roles: { a: 'produce', b: 'judge' },
  options: z.strictObject({}),
  async run({ ask, checkpoint, label, note }) {
    const enter = async (state, visit) => {
      label({ state, visit })
      await checkpoint({ machine: { state, visit, transitions: 0 }, guidance: {} })
    }
    await enter('draft', 1)
    const answer = await ask('a', 'Write a draft.', { session: 'workflow' })
    note({ type: 'transition', from: 'draft', to: 'audit', result: 'success' })
    await enter('audit', 1)
    await ask('b', 'Judge the draft.')
    note({ type: 'transition', from: 'audit', to: 'end', result: 'success' })
    note({ type: 'circuit_break', rule: 'cycle', hard: false, fact: 'twice the same', from: 'audit', to: 'end' })
    note({ type: 'transition', from: 'audit', to: 'draft', result: 'retry_different' })
    await enter('draft', 2)
    await ask('a', 'Write it again.', { session: 'workflow' })
    return { answer, stopReason: 'done', state: { machine } }
  },
})
`,
  )
  return file
}
