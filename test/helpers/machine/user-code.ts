import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a strategy of a user's, `NAME.ts`, whose `run` is this code; gives its name as `--methods` takes it. */
export function writeStrategy(cwd: string, name: string, run: string, above = ''): string {
  writeFileSync(
    join(cwd, `${name}.ts`),
    `import { defineStrategy, z } from 'orchestration-bench'
${above}
export default defineStrategy({
  name: '${name}', summary: 's', options: z.strictObject({}), roles: { solver: 'produce', critic: 'judge' },
  async run({ ask, branch, first, workspace, checkpoint, note }) {
${run}
  },
})
`,
  )
  return `./${name}.ts`
}

/** The end of a strategy without a mistake. */
export const solve = "return { stopReason: 'done', answer: await ask('solver', 'Do it.') }"
