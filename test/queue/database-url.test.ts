import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { explained } from '../../src/queue/database-faults.ts'
import { checkTlsFiles, readUrl } from '../../src/queue/database-url.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

const url = (parameters: string) => `postgres://ada@db.example/bench?${parameters}`

it.each([
  ['sslmode=on', /unknown sslmode "on"\. Write sslmode=verify-full, verify-ca, .* or disable/],
  ['sslmode=onn', /unknown sslmode "onn"/],
  ['sslmode=allow', /unknown sslmode "allow"/],
  ['sslmode=', /unknown sslmode ""/],
  ['bogus=1', /unknown parameter "bogus"\. There are sslmode, sslrootcert, .*host, port, user/],
  ['ssl=true', /unknown parameter "ssl"/],
  ['constructor=1', /unknown parameter "constructor"/],
  ['sslmode=disable&sslmode=verify-full', /the parameter "sslmode" twice\. Write it once/],
  ['sslnegotiation=later', /unknown sslnegotiation "later"\. Write sslnegotiation=postgres or direct/],
  ['sslrootcert=', /the parameter "sslrootcert" without a value/],
  ['sslmode=no-verify&sslrootcert=system', /sslrootcert=system, which sslmode=no-verify would not use/],
])('the URL of a database with %s is refused in one line', (parameters, line) => {
  expect(() => readUrl(url(parameters))).toThrow(line)
})

it.each([
  ['sslmode=require', 'sslmode=verify-full', 'sslmode=verify-full'],
  ['sslmode=disable', 'sslmode=disable', 'sslmode=disable'],
  ['sslrootcert=system', 'sslrootcert=system&sslmode=verify-full', 'sslmode=verify-full'],
  ['host=10.0.0.1&port=5433&options=-c', 'host=10.0.0.1&port=5433', 'host=10.0.0.1&port=5433'],
])('the URL of a database with %s is shown with %s', (parameters, shown, taken) => {
  const { name, connectionString } = readUrl(url(parameters))
  expect({ name, connectionString }).toEqual({ name: url(shown), connectionString: url(taken) })
  expect(readUrl(name).name).toBe(name)
})

it('a file of a certificate or a key that is of no use is told by its parameter, its path and what it is', async () => {
  const folder = tempFolder()
  const key = join(folder, 'key.pem')
  writeFileSync(
    key,
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  )
  const locked = join(folder, 'locked.pem')
  const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' } as const
  writeFileSync(locked, generateKeyPairSync('ed25519').privateKey.export(cipher) as string)
  mkdirSync(join(folder, 'cas'))
  const check = (parameters: string) => checkTlsFiles('db', url(parameters))
  for (const [parameters, line] of [
    [`sslrootcert=${key}`, /sslrootcert names .*key\.pem, which holds no certificate of the CA\./],
    [`sslrootcert=${join(folder, 'cas')}`, /sslrootcert names .*cas, which is a folder\. Name a file with/],
    [`sslcert=${join(folder, 'none.pem')}`, /sslcert names .*none\.pem, and there is no such file/],
    [`sslcert=${key}`, /sslcert names .*key\.pem, which holds no certificate\./],
    [`sslkey=${locked}`, /sslkey names .*locked\.pem, which needs a passphrase/],
    [`sslkey=${import.meta.filename}`, /sslkey names .*, which holds no private key/],
  ] as const)
    await expect(check(parameters)).rejects.toThrow(line)
  await check(`sslkey=${key}`)
  await check(`sslmode=disable&sslrootcert=${join(folder, 'cas')}`)
})

it.each([
  ['', 'The server does not support SSL connections', /the server has it off\. Turn ssl on in the server/],
  ['CERT_HAS_EXPIRED', 'certificate has expired', /Renew the certificate of the server/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', /Name the certificate of the CA/],
  [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'alert unknown ca',
    /refuses the certificate of this machine: .*sslcert=FILE/,
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number', /which versions of TLS it takes/],
])('a fault of TLS with the code %j has its own remedy', (code, message, line) => {
  expect(explained('db', Object.assign(new Error(message), { code })).message).toMatch(line)
})
