import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordsOf, root } from '../runs/cli.ts'

/** A file with a strategy named `rogue` whose body this is; `before` stands before it. Gives its path. */
export function rogueFile(folder: string, body: string, before = ''): string {
  const file = join(folder, 'rogue.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
${before}
export default defineStrategy({
  name: 'rogue', summary: '', roles: { solver: 'produce' }, options: z.object({}),
  async run({ ask, branch, checkpoint }) { ${body}; return { stopReason: 'done' } },
})`,
  )
  return file
}

/** How the trials ended, method by method. */
export const outcomesOf = (run: string) =>
  recordsOf(run)
    .map(({ method, outcome }) => `${method} ${outcome.status}`)
    .sort()
