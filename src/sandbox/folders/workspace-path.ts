import { isAbsolute } from 'node:path/posix'
import { isVersionControlPath, versionControlReason } from '../machine/version-control.ts'
import { invalidPathReason, pathProblem } from './paths.ts'

/** Size limits of the edits of one reply or folder. Larger edits are not work on a task and would fill memory and disk. */
export const sizeLimits = { fileBytes: 8 * 1024 * 1024, files: 10_000, bytes: 64 * 1024 * 1024 }

/** Returns why an agent or a method may not create a file at this path; undefined if it may. */
export function newPathProblem(path: string): string | undefined {
  return pathProblem(path) ?? (isVersionControlPath(path) ? versionControlReason : undefined)
}

/** Returns why no text may be kept beside a workspace at this path; undefined if one may. */
export const outputPathProblem = (path: string): string | undefined =>
  newPathProblem(path) ?? (/(?:^|\/)head$/i.test(path) ? 'could make its folder a git repository' : undefined)

/**
 * Normalizes a path inside the workspace: with `/` and without `.`. Returns the problem of a path that is absolute, leaves the
 * workspace, is not a valid file name, or belongs to a version control tool.
 */
export function normalizePath(path: string): { path: string } | { problem: string } {
  const cleaned = path.trim().replaceAll('\\', '/')
  if (cleaned === '' || isAbsolute(cleaned) || /^[a-z]:/i.test(cleaned) || cleaned.includes('\0'))
    return { problem: invalidPathReason }
  const parts = cleaned.split('/').filter((part) => part !== '' && part !== '.')
  const normal = parts.join('/')
  const problem = newPathProblem(normal)
  return problem === undefined ? { path: normal } : { problem }
}
