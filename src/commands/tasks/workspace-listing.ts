import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** Maximum size of a workspace that is sent without confirmation. */
const unconfirmedLimit = { files: 200, bytes: 2_000_000 }

/** Maximum number of names on a line. */
const maxNames = 20

/** Returns lines that list the files of a workspace that are taken, and for each reason those that are left out. */
export function describeWorkspace(shown: string, { sizes, leftOut }: WorkspaceFiles): string[] {
  const all = [...sizes.keys()]
  const names = all.length > 0 ? `: ${named(all)}` : ''
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return [
    `the agents get ${counted(all.length, 'file')} of ${shown}, ${formatBytes(sum(sizes.values()))}${names}`,
    ...reasons.map((reason) => {
      const paths = leftOut.filter((one) => one.reason === reason).map(({ path }) => path)
      return `left out because it ${reason}: ${named(paths)}`
    }),
    ...(leftOut.length > 0 ? ['to take a path that is left out, add --include PATH'] : []),
  ]
}

/** Throws `UserError` if a large workspace would be sent without `--yes`. */
export function requireConfirmation(shown: string, { sizes }: WorkspaceFiles, isConfirmed: boolean): void {
  const bytes = sum(sizes.values())
  if (isConfirmed || (sizes.size <= unconfirmedLimit.files && bytes <= unconfirmedLimit.bytes)) return
  const most = `${unconfirmedLimit.files} files or ${formatBytes(unconfirmedLimit.bytes)}`
  const problem: Problem = {
    where: `--workspace ${shown}`,
    what: `the agents would get ${counted(sizes.size, 'file')}, ${formatBytes(bytes)}; more than ${most} requires --yes. The largest parts: ${largestParts(sizes)}`,
    fix: 'Add --yes to send all files, give a smaller folder, or list files that are not needed in .gitignore.',
  }
  throw new UserError(problem)
}

function named(paths: readonly string[]): string {
  const more = paths.length - maxNames
  const first = paths.slice(0, maxNames).map(safeLine).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

/** Returns the top-level folders and files that are largest: five by bytes and two by number of files. */
function largestParts(sizes: ReadonlyMap<string, number>): string {
  const parts = new Map<string, { files: number; bytes: number }>()
  for (const [path, bytes] of sizes) {
    const slash = path.indexOf('/')
    const top = slash < 0 ? path : path.slice(0, slash + 1)
    const part = parts.get(top) ?? { files: 0, bytes: 0 }
    parts.set(top, { files: part.files + 1, bytes: part.bytes + bytes })
  }
  const all = [...parts]
  const byBytes = all.toSorted(([, a], [, b]) => b.bytes - a.bytes).slice(0, 5)
  const byFiles = all.toSorted(([, a], [, b]) => b.files - a.files).slice(0, 2)
  return [...new Map([...byBytes, ...byFiles])]
    .map(([path, { files, bytes }]) => {
      const count = path.endsWith('/') ? `${counted(files, 'file')}, ` : ''
      return `${safeLine(path)} (${count}${formatBytes(bytes)})`
    })
    .join(', ')
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** Formats bytes in the units of the limit: 1 MB is a million bytes. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
