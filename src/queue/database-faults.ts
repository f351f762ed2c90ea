import { UserError } from '../text/errors.ts'

/** A problem of a database, which `name` is the URL of, without its password. */
export const problem = (name: string, what: string, fix: string): UserError =>
  new UserError({ where: name, what, fix })

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

/** What keeps a database from being used, by the code and the message of pg, the first that holds. `:` is followed by the message. */
const faults: readonly [pattern: RegExp, what: string, fix: string][] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    'has the certificate of another host:',
    'Write the host in the URL as the certificate names it.',
  ],
  [
    /does not support SSL connections/,
    'cannot be reached with TLS: the server has it off',
    'Turn ssl on in the server, or leave what begins with ssl out of the URL.',
  ],
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/,
    'cannot be reached with TLS:',
    'Renew the certificate of the server or of its CA, or correct the clock of this machine.',
  ],
  [
    /^ERR_SSL_\w*ALERT_\w*(?:CERT|CA\b)/,
    'refuses the certificate of this machine:',
    'Name one that the server takes with sslcert=FILE and sslkey=FILE in the URL.',
  ],
  [
    /^(?:\w*SELF_SIGNED|UNABLE_TO_|CERT_|DEPTH_ZERO)/,
    'cannot be reached with TLS:',
    'Name the certificate of the CA with sslrootcert=FILE in the URL, or choose another sslmode.',
  ],
  [
    /^(?:ERR_TLS|ERR_O?SSL|EPROTO)|SSL connection/,
    'cannot be reached with TLS:',
    'Check that the host and port in the URL are those of PostgreSQL, and which versions of TLS it takes.',
  ],
  [/no encryption/, 'refuses connections without TLS', 'Add ?sslmode=verify-full to the URL.'],
  [
    /^28P01|password must be a string/,
    'refuses the password, or got none',
    'Set PGPASSWORD to the password of the user in the URL.',
  ],
  [/^28000/, 'refuses the user:', 'Check the user in the URL, and pg_hba.conf of the server.'],
  [/^3D000/, 'has no such database', 'Create it with createdb NAME.'],
  [
    /^42501/,
    'gives the user too few rights:',
    'Name a database of the user, or give the right: grant create on database NAME to USER.',
  ],
  [/^53300/, 'has no free connection', 'Start fewer workers, or raise max_connections of the server.'],
  [/^25006/, 'is read-only, as a standby is', 'Name the server that may be written.'],
  [
    /^08P01.*startup parameter/,
    'is behind a pooler that refuses what bench needs:',
    'Name the server itself.',
  ],
]

/** Returns a failure of pg in the words of bench. */
export function explained(name: string, error: unknown): Error {
  if (error instanceof UserError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  // A host with several addresses fails with an error for each of them, and no message.
  const text = (message || code).split('\n', 1)[0] ?? ''
  const [, what, fix] = faults.find(([pattern]) => pattern.test(`${code} ${text}`)) ?? []
  if (what && fix) return problem(name, what.endsWith(':') ? `${what} ${text}` : what, fix)
  if (isLostConnection(error) || ['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return problem(
      name,
      `cannot be reached: ${text}`,
      'Check that PostgreSQL runs, and the host and port in the URL.',
    )
  return problem(name, `failed: ${text} (${code || 'no code'})`, 'Ask the administrator of the database.')
}
