// Tries to escape from a sandbox, with hard bounds on every attack. Takes one JSON argument, prints one line of JSON with the
// result of each attack, and then keeps running, so that the harness can check that it ends with the process that started it.
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const { port, places, entries, secret, forks, bytes, fileBytes, raw, prefixes } = JSON.parse(process.argv[2])

/** Returns the result of an attack, or the error that stopped it: a text means that the attack failed. */
const refused = (attack) => {
  try {
    return attack()
  } catch (error) {
    return error.code ?? error.message
  }
}

const connects = (host, to) =>
  new Promise((resolve) => {
    const socket = connect({ host, port: to, timeout: 300 })
    socket.on('connect', () => resolve(true))
    socket.on('timeout', () => resolve(true)) // the packet left the sandbox
    socket.on('error', ({ code }) => resolve(code))
  })

async function network() {
  const results = [await connects('127.0.0.1', port), await connects('192.0.2.1', 9)]
  return results.includes(true) ? undefined : results.join(', ')
}

/** The harness checks whether these files exist, and reports the attack as successful if any does. */
const write = () =>
  places
    .map((place) =>
      refused(() => writeFileSync(place, 'probe') ?? 'the file was written only inside the sandbox'),
    )
    .join(', ')

function environment() {
  const seen = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(secret)
      } catch {
        return false
      }
    })
  return seen ? undefined : 'no process shows the secret'
}

function home() {
  for (const entry of entries) if (refused(() => accessSync(entry)) === undefined) return undefined
  return 'no file of the home folder is visible'
}

/** Looks for a descriptor of the harness or of its caller: Node opens its own with close-on-exec (02000000). */
function descriptors() {
  const isForeign = (fd) => {
    try {
      const { flags } = /^flags:\s+(?<flags>\d+)/m.exec(
        readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'),
      ).groups
      return !(Number.parseInt(flags, 8) & 0o2000000) && readlinkSync(`/proc/self/fd/${fd}`) !== '/dev/null'
    } catch {
      return false // the list itself, which is closed by now
    }
  }
  const found = readdirSync('/proc/self/fd').filter((fd) => Number(fd) > 2 && isForeign(fd))
  return found.length > 0 ? undefined : 'no descriptor of the harness or of its caller is open'
}

/** Reads what the wrapper's first process was started with. */
const firstProcess = () =>
  process.pid === 1 ? 'it is the program itself' : refused(() => void readFileSync('/proc/1/cmdline'))

/** Looks for installed packages; npm and corepack belong to Node and do not count. */
function packages() {
  const list = (folder) => {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  }
  const folders = prefixes.flatMap((prefix) =>
    ['lib', 'lib64'].flatMap((lib) => [
      join(prefix, lib, 'node_modules'),
      ...list(join(prefix, lib)).flatMap((name) =>
        ['site-packages', 'dist-packages'].map((kind) => join(prefix, lib, name, kind)),
      ),
    ]),
  )
  const found = folders.flatMap(list).filter((name) => !['npm', 'corepack'].includes(name))
  return found.length > 0 ? undefined : 'no package is visible'
}

function processes() {
  const loop = `i=0; while [ $i -lt ${forks} ]; do sleep 9 >/dev/null & i=$((i+1)); echo $i; done`
  const { stdout } = spawnSync('/bin/sh', ['-c', loop], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
  })
  const made = stdout.trim().split('\n').length
  return made < forks ? `no more than ${made} processes started` : undefined
}

const memory = () => refused(() => void Buffer.alloc(bytes))

const file = () => refused(() => void writeSync(openSync('long', 'w'), 'x', fileBytes))

/** Returns the result of each system call of the raw program, up to where it ended. Tries each folder that may allow programs. */
function runRawCalls() {
  for (const place of ['/tmp', process.cwd()]) {
    const path = join(mkdtempSync(join(place, 'calls-')), 'calls')
    writeFileSync(path, Buffer.from(raw.program, 'base64'), { mode: 0o755 })
    const { stdout, error } = spawnSync(path)
    if (error) continue
    const results = Array.from({ length: stdout.length / 8 }, (_, at) =>
      Number(stdout.readBigInt64LE(at * 8)),
    )
    if (results.length < raw.returning) throw new Error(`the program ended after ${results.length} calls`)
    return results
  }
  throw new Error('no folder allows programs to start')
}

function systemCalls() {
  if (raw.untried) return { 'system-calls': { untried: raw.untried } }
  let results
  try {
    results = runRawCalls()
  } catch ({ message }) {
    return Object.fromEntries(raw.attacks.map(({ attack }) => [attack, { untried: message }]))
  }
  return Object.fromEntries(
    raw.attacks.map(({ attack, calls, errors }) => {
      const met = calls.map((call) => results[call]).filter((result) => result !== undefined)
      const held = met.every((result) => (errors ? errors.includes(result) : result < 0))
      return [attack, held ? 'refused' : null]
    }),
  )
}

const attacks = {
  network,
  'write-outside': write,
  'read-environment': environment,
  'read-home': home,
  'read-packages': packages,
  descriptors,
  'first-process': firstProcess,
  memory,
  'file-size': file,
  processes,
}
const findings = systemCalls()
for (const [name, attack] of Object.entries(attacks)) findings[name] = (await attack()) ?? null
writeSync(1, `${JSON.stringify(findings)}\n`)
setInterval(() => {}, 1000)
