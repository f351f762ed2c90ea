import { createContext, Script } from 'node:vm'

/** The longest time of one test; ms. */
const patternMs = 200

const testPattern = new Script('new RegExp(source, flags).test(text)')
let sandbox: Record<string, string> | undefined

/** A pattern as JavaScript writes it. */
interface Readable {
  source: string
  flags: string
}

/** Escapes that JavaScript without the flag `u` would read as letters, such as `\A` or `\p{L}`. */
const onlyUnicode = /\\(?:[pPu][{]|[^\W\dbBcdDfknrsStuvwWx])/

/**
 * Reads a pattern of a schema as Python, PCRE, Go and Java write it: flags at the beginning, `\A`, `\Z`, names with `P`, and escapes that
 * JavaScript does not need. Undefined if JavaScript cannot read it.
 */
export function readPattern(pattern: string): Readable | undefined {
  const [, letters = '', rest = pattern] = /^\(\?([aimsu]+)\)([\s\S]*)$/.exec(pattern) ?? []
  const flags = ['i', 'm', 's'].filter((letter) => letters.includes(letter)).join('')
  const source = rest
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    // Pairs of backslashes first: what follows them is no escape.
    .replace(/\\\\|\\([\s\S])/g, (all, next: string | undefined) => escapeOf(next) ?? all)
  const unicode = { source, flags: `${flags}u` }
  if (compiles(unicode)) return unicode
  const plain = { source, flags }
  return !onlyUnicode.test(source) && compiles(plain) ? plain : undefined
}

function escapeOf(next: string | undefined): string | undefined {
  if (next === undefined) return undefined
  if (next === 'A') return '^'
  if (next === 'Z' || next === 'z') return '$'
  if (next === '-') return '\\x2d'
  return /[\w^$\\.*+?()[\]{}|/]/.test(next) ? undefined : next
}

function compiles({ source, flags }: Readable): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

/** Whether a pattern can be used in a check. */
export const isReadable = (pattern: string): boolean => readPattern(pattern) !== undefined

/** Compiles a pattern for a schema's check. Backtracking may take exponential time, so a test that takes longer than `patternMs` fails. */
export function boundedPattern(pattern: string) {
  const read = readPattern(pattern)
  if (!read) throw new Error(`the pattern ${pattern} cannot be read`)
  return {
    // Ajv keeps one pattern for each text.
    toString: () => `/${read.source}/${read.flags}`,
    test(text: string): boolean {
      sandbox ??= createContext({}) as Record<string, string>
      Object.assign(sandbox, { ...read, text })
      try {
        return testPattern.runInContext(sandbox, { timeout: patternMs })
      } catch {
        return false
      }
    },
  }
}
