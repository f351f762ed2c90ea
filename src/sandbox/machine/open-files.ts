import { readFileSync } from 'node:fs'
import { InfrastructureError } from '../../text/errors.ts'

let known: number | undefined

/** So many files this process, and whatever it starts, may have open at once (`ulimit -H -n`); Infinity where nobody limits that. */
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

/** Why a call failed, where too many files were open, and what to do; undefined for all other errors. */
export function tooManyOpenFiles(error: unknown): string | undefined {
  const codes = [error, (error as Error | undefined)?.cause].map(
    (one) => (one as NodeJS.ErrnoException)?.code,
  )
  if (codes.includes('ENFILE'))
    return 'this machine has as many files open as it can. Use a smaller --parallel.'
  if (!codes.includes('EMFILE')) return undefined
  // Where no file can be opened any more, the limit may not be readable either.
  const most = openFileLimit()
  const limit = Number.isFinite(most) ? `: ${most} (\`ulimit -n\`)` : ' (`ulimit -n`)'
  return `bench has as many files open as it may${limit}. Raise that limit (\`ulimit -n 1024\`), or use a smaller --parallel.`
}

/** The same as an error of infrastructure; all other errors as they are. */
export function openFilesError(error: unknown): unknown {
  const fault = tooManyOpenFiles(error)
  return fault === undefined ? error : new InfrastructureError(fault, { cause: error })
}
