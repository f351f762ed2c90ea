import { createInterface } from 'node:readline/promises'
import { UserError } from '../../../text/errors.ts'

/** A field that a new task needs. */
export interface Wanted {
  /** The flag, without its dashes. */
  name: string
  /** The question at a terminal. */
  question: string
  /** What an empty line means; undefined: it is asked again. */
  usual?: string
  /** Returns what is wrong with a value; undefined if nothing is. */
  problem?(value: string): string | undefined
}

/**
 * Returns the wanted fields: as given, else as a person types them at a terminal. Without a terminal throws `UserError` with all
 * that are missing and all that are wrong.
 */
export async function askMissing<Name extends string>(
  command: string,
  given: Readonly<Partial<Record<Name, string>>>,
  wanted: readonly (Wanted & { name: Name })[],
): Promise<Record<Name, string>> {
  const wrong = wanted.flatMap(({ name, problem }) => {
    const what = given[name] === undefined ? undefined : problem?.(given[name])
    return what === undefined
      ? []
      : [{ where: `--${name} ${given[name]}`, what, fix: `See ${command} --help.` }]
  })
  const missing = wanted.filter(({ name }) => given[name] === undefined)
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  const needed = missing.filter(({ usual }) => usual === undefined)
  if (wrong.length > 0 || (needed.length > 0 && !isTerminal))
    throw new UserError([
      ...wrong,
      ...(isTerminal ? [] : needed).map(({ name, question }) => ({
        where: `--${name}`,
        what: 'is missing',
        fix: `Write --${name} with: ${question}`,
      })),
    ])
  const values: Partial<Record<Name, string>> = { ...given }
  if (needed.length === 0) for (const { name, usual } of missing) values[name] = usual as string
  else await askPerson(missing, values)
  return values as Record<Name, string>
}

async function askPerson<Name extends string>(
  missing: readonly (Wanted & { name: Name })[],
  values: Partial<Record<Name, string>>,
): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<never>((_, reject) =>
    terminal.once('close', () =>
      reject(
        new UserError({ where: 'stdin', what: 'ended before all was answered', fix: 'Nothing was written.' }),
      ),
    ),
  )
  closed.catch(() => {})
  try {
    for (const { name, question, usual, problem } of missing)
      for (;;) {
        const hint = usual === undefined || usual === '' ? '' : ` [${usual}]`
        const typed = (await Promise.race([terminal.question(`${question}${hint}: `), closed])).trim()
        const value = typed === '' ? usual : typed
        const what = value === undefined ? 'is needed' : problem?.(value)
        if (value !== undefined && what === undefined) {
          values[name] = value
          break
        }
        process.stderr.write(`  This ${what}.\n`)
      }
  } finally {
    terminal.close()
  }
}
