import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** What goes out without being asked about. */
const unconfirmedLimit = { files: 200, bytes: 2_000_000 }

/** Names that a line holds. */
const maxNames = 20

/** What is taken of a workspace, and by reason what is left out: a line each. */
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
    ...(leftOut.length > 0 ? ['--include PATH takes what is left out all the same'] : []),
  ]
}

/** Throws `UserError` where more would go out than the user may have meant. */
export function requireConfirmation(shown: string, { sizes }: WorkspaceFiles, isMeant: boolean): void {
  const bytes = sum(sizes.values())
  if (isMeant || (sizes.size <= unconfirmedLimit.files && bytes <= unconfirmedLimit.bytes)) return
  const most = `${unconfirmedLimit.files} files or ${formatBytes(unconfirmedLimit.bytes)}`
  const problem: Problem = {
    where: `--workspace ${shown}`,
    what: `the agents would get ${counted(sizes.size, 'file')}, ${formatBytes(bytes)}; more than ${most} needs your word. The largest parts: ${largestParts(sizes)}`,
    fix: 'Add --yes to send them all, give a smaller folder, or name in .gitignore what is no part of the work.',
  }
  throw new UserError(problem)
}

function named(paths: readonly string[]): string {
  const more = paths.length - maxNames
  const first = paths.slice(0, maxNames).map(safeLine).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

/** Folders and files at the top, the five largest by bytes and what else has most files. */
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

/** In the units of the limit: 1 MB is a million bytes. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
