import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { UserError } from '../text/errors.ts'
import { problem } from './database-faults.ts'

/** What pg takes for one of these looks weaker than `verify-full` and is as strong; the last two are not. */
const tlsModes = ['verify-full', 'verify-ca', 'require', 'prefer', 'no-verify', 'disable']

/** Each parameter that a URL may have, with its values where they are few. */
const parameters: Readonly<Record<string, readonly string[] | undefined>> = {
  ...{ sslmode: tlsModes, sslrootcert: undefined, sslcert: undefined, sslkey: undefined },
  ...{ sslnegotiation: ['postgres', 'direct'] },
  ...{ host: undefined, port: undefined, user: undefined, password: undefined },
}

/** What a URL sets and bench sets otherwise for each of its sessions. */
const owned = ['options', 'application_name']

/** Reads the URL of a database: how messages and commands name it, and what pg takes. Throws `UserError` if it is none. */
export function readUrl(url: string): { name: string; connectionString: string; hasPassword: boolean } {
  const read = URL.canParse(url) ? new URL(url) : undefined
  if (!read || !['postgres:', 'postgresql:'].includes(read.protocol))
    throw problem('--queue', 'is no URL of PostgreSQL', 'Write postgres://USER@HOST:PORT/DATABASE.')
  const { searchParams } = read
  // Otherwise pg takes the user of this machine, and the database of that name.
  for (const [part, name, variable] of [
    [read.username || searchParams.get('user'), 'user', 'PGUSER'],
    [read.pathname.slice(1), 'database', 'PGDATABASE'],
  ] as const)
    if (!part && !process.env[variable])
      throw problem('--queue', `names no ${name}`, 'Write postgres://USER@HOST:PORT/DATABASE.')
  for (const own of owned) searchParams.delete(own)
  const wrong = parameterProblem(searchParams)
  if (wrong) throw wrong
  const isOfSystem = searchParams.get('sslrootcert') === 'system'
  // What looks weaker, pg takes as this, too, and says so on stderr.
  if (isOfSystem || !['disable', 'no-verify', null].includes(searchParams.get('sslmode')))
    searchParams.set('sslmode', 'verify-full')
  const hasPassword = read.password !== '' || searchParams.has('password')
  const shown = new URL(read)
  shown.password = ''
  shown.searchParams.delete('password')
  // The CAs of the system are those that Node takes without a file.
  if (isOfSystem) searchParams.delete('sslrootcert')
  return { name: shown.href, connectionString: read.href, hasPassword }
}

/** A value that is not known would else be taken for another one, and a parameter for none. */
function parameterProblem(given: URLSearchParams): UserError | undefined {
  for (const [name, value] of given) {
    if (!Object.hasOwn(parameters, name)) {
      const known = Object.keys(parameters).filter((one) => one !== 'password')
      return problem('--queue', `has the unknown parameter "${name}"`, `There are ${known.join(', ')}.`)
    }
    if (given.getAll(name).length > 1)
      return problem('--queue', `has the parameter "${name}" twice`, 'Write it once.')
    const values = parameters[name]
    if (values && !values.includes(value))
      return problem('--queue', `has the unknown ${name} "${value}"`, `Write ${name}=${inWords(values)}.`)
    if (value === '')
      return problem('--queue', `has the parameter "${name}" without a value`, 'Write one, or leave it out.')
  }
  const mode = given.get('sslmode')
  if (given.get('sslrootcert') === 'system' && (mode === 'disable' || mode === 'no-verify'))
    return problem(
      '--queue',
      `has sslrootcert=system, which sslmode=${mode} would not use`,
      'Leave one of them out.',
    )
  return undefined
}

const inWords = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Throws `UserError` for a file of a certificate or a key, named in `connectionString`, that cannot be of use: TLS would speak of the server. */
export async function checkTlsFiles(name: string, connectionString: string): Promise<void> {
  const { searchParams } = new URL(connectionString)
  if (searchParams.get('sslmode') === 'disable') return
  const read = async <Held>(parameter: string, what: string, parse: (text: string) => Held) => {
    const path = searchParams.get(parameter)
    if (path === null) return undefined
    const wrong = (fact: string) =>
      problem(name, `cannot be used: ${parameter} names ${path}, ${fact}`, `Name a file with ${what} (PEM).`)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw wrong(faults[error.code ?? ''] ?? `which cannot be read (${error.code})`)
    })
    try {
      return parse(text)
    } catch {
      // The code of a key with a passphrase is another in each version of Node.
      const isLocked = /ENCRYPTED/.test(text)
      throw wrong(
        isLocked ? 'which needs a passphrase' : `which holds no ${what.replace(/^(?:an?|the) /, '')}`,
      )
    }
  }
  const certificate = (text: string) => new X509Certificate(text)
  await read('sslrootcert', 'the certificate of the CA', certificate)
  const own = await read('sslcert', 'a certificate', certificate)
  const key = await read('sslkey', 'a private key', createPrivateKey)
  if (own && key && !own.checkPrivateKey(key))
    throw problem(name, 'cannot be used: the key of sslkey is not that of sslcert', 'Name a pair.')
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'and there is no such file',
  EISDIR: 'which is a folder',
  EACCES: 'which this user may not read',
}
