import { join } from 'node:path'
import { root } from '../helpers/runs/cli.ts'

/** A strategy of the user, in which a writer writes and a reviewer reads. */
export const strategy = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}

export default defineStrategy({
  name: 'review',
  summary: 'A writer writes, a reviewer reads.',
  roles: { writer: 'produce', reviewer: 'judge' },
  options: z.strictObject({}),
  async run({ ask }) {
    const answer = await ask('writer', 'Do the task.')
    await ask('reviewer', 'Is it right?')
    return { answer, stopReason: 'done' }
  },
})
`
