import { UserError } from '../text/errors.ts'

/** A problem of a database, which `name` is the URL of, without its password. */
export const problem = (name: string, what: string, fix: string): UserError =>
  new UserError({ where: name, what, fix })

const tlsCodes = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO/

/**
 * Returns whether the same statement may work later on another connection: this one, or the server, was lost on the way, all connections are
 * taken, or the statement was rolled back since others were in its way.
 */
export function isLostConnection(error: unknown): boolean {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  return (
    /^(?:08(?!P01)|57P0[1235]|25P03|40001|40P01|53300)/.test(code) ||
    // A socket that is not there, not a certificate.
    (code === 'ENOENT' && syscall === 'connect') ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) ||
    /^(?:Connection terminated|timeout exceeded when trying|Client has encountered a connection)/.test(
      message,
    )
  )
}

interface Fault {
  code: string
  text: string
  lost: boolean
}

/** What keeps a database from being used, the first that holds, in the words of bench. */
const faults: readonly [holds: (fault: Fault) => boolean, what: (text: string) => string, fix: string][] = [
  [
    ({ code }) => code === 'ERR_TLS_CERT_ALTNAME_INVALID',
    (text) => `has the certificate of another host: ${text}`,
    'Write the host in the URL as the certificate names it.',
  ],
  [
    ({ code, text }) => tlsCodes.test(code) || /SSL connections/.test(text),
    (text) => `cannot be reached with TLS: ${text}`,
    'Name the certificate of the CA with sslrootcert=FILE in the URL, or choose another sslmode.',
  ],
  [
    ({ text }) => /no encryption/.test(text),
    () => 'refuses connections without TLS',
    'Add ?sslmode=verify-full to the URL.',
  ],
  [
    ({ code, text }) => code === '28P01' || /password must be a string/.test(text),
    () => 'refuses the password, or got none',
    'Set PGPASSWORD to the password of the user in the URL.',
  ],
  [
    ({ code }) => code === '28000',
    (text) => `refuses the user: ${text}`,
    'Check the user in the URL, and pg_hba.conf of the server.',
  ],
  [({ code }) => code === '3D000', () => 'has no such database', 'Create it with createdb NAME.'],
  [
    ({ code }) => code === '42501',
    (text) => `gives the user too few rights: ${text}`,
    'Name a database of the user, or give the right: grant create on database NAME to USER.',
  ],
  [
    ({ code }) => code === '22P05',
    (text) => `cannot hold a name: ${text}`,
    'Create it with createdb --encoding UTF8 --template template0 NAME.',
  ],
  [
    ({ code }) => code === '53300',
    () => 'has no free connection',
    'Start fewer workers, or raise max_connections of the server.',
  ],
  [
    ({ code }) => code === '25006',
    () => 'is read-only, as a standby is',
    'Name the server that may be written.',
  ],
  [
    ({ code, text }) => code === '08P01' && /startup parameter/.test(text),
    (text) => `is behind a pooler that refuses what bench needs: ${text}`,
    'Name the server itself.',
  ],
  [
    ({ text }) => /, open '/.test(text),
    (text) => `cannot be used: ${text}`,
    'Correct the path of the certificate or key in the URL.',
  ],
  [
    ({ code, lost }) => lost || ['ENOTFOUND', 'EAI_AGAIN'].includes(code),
    (text) => `cannot be reached: ${text}`,
    'Check that PostgreSQL runs, and the host and port in the URL.',
  ],
]

/** Returns a failure of pg in the words of bench. */
export function explained(name: string, error: unknown): Error {
  if (error instanceof UserError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  // A host with several addresses fails with an error for each of them, and no message.
  const text = (message || code).split('\n', 1)[0] ?? ''
  const fault = { code, text, lost: isLostConnection(error) }
  const [, what, fix] = faults.find(([holds]) => holds(fault)) ?? [
    undefined,
    () => `failed: ${text}${code === '' ? '' : ` (${code})`}`,
    'Ask the administrator of the database.',
  ]
  return problem(name, what(text), fix)
}
