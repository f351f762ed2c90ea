import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** The guide to strategies. */
export const guide = readFileSync(join(root, 'docs/guides/add-a-strategy.md'), 'utf8')

/** The strategy of the guide. */
export const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

/** A folder that holds the guide's strategy and nothing else. */
export function guided(): string {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'my-strategy.ts'), code)
  return cwd
}
