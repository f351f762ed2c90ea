import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** The guide to strategies. */
export const guide = readFileSync(join(root, 'docs/guides/add-a-strategy.md'), 'utf8')

/** The strategy of the guide. */
export const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

/** A folder that holds the guide's strategy and nothing else. */
export function guided(): string {
  const cwd = folderOf({ 'my-strategy.ts': code })
  return cwd
}
