import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

/** STUB of the branch mcp28. */
export function readToolFiles(cwd: string, paths: readonly string[]): { files: Files; problems: Problem[] } {
  const problems: Problem[] = []
  const files = paths.flatMap((path) => {
    try {
      return [[path, readFileSync(join(cwd, path), 'utf8')] as const]
    } catch (error) {
      problems.push({ where: path, what: `cannot be read: ${(error as Error).message}`, fix: 'Check it.' })
      return []
    }
  })
  return { files: Object.fromEntries(files), problems }
}
