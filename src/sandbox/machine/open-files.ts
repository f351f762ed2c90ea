import { readFileSync } from 'node:fs'
import { InfrastructureError } from '../../text/errors.ts'

let known: number | undefined

/** Returns how many files this process and its children may each have open (`ulimit -H -n`); Infinity if there is no limit. */
export function openFileLimit(): number {
  known ??= hardLimit()
  return known
}

function hardLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +\S+ +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY // not Linux
  }
}

/** Returns cause and remedy of an error for too many open files; undefined for other errors. */
export function tooManyOpenFiles(error: unknown): string | undefined {
  const codes = [error, (error as Error | undefined)?.cause].map(
    (one) => (one as NodeJS.ErrnoException)?.code,
  )
  if (codes.includes('ENFILE'))
    return 'this machine has reached its limit of open files. Use a smaller --parallel.'
  if (!codes.includes('EMFILE')) return undefined
  // When no file can be opened, the limit may not be readable either.
  const most = openFileLimit()
  const limit = Number.isFinite(most) ? `: ${most} (\`ulimit -n\`)` : ' (`ulimit -n`)'
  return `bench has reached its limit of open files${limit}. Raise that limit (\`ulimit -n 1024\`), or use a smaller --parallel.`
}

/** Wraps an error for too many open files in `InfrastructureError`; returns other errors unchanged. */
export function openFilesError(error: unknown): unknown {
  const fault = tooManyOpenFiles(error)
  return fault === undefined ? error : new InfrastructureError(fault, { cause: error })
}
