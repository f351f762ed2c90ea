// Loads the files of the bundle. V8 compiles a function when it is first called, and that was a fifth of a short run:
// what the first calls of a command have compiled is kept beside the bundle, and later ones begin with it (of runs, not
// the very first). Node's own
// cache keeps only what is compiled as a file is loaded, and nothing on Node 20.
import type { Script } from 'node:vm'

// An import of a built-in module would load what of it is lazy.
const { readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { join } = process.getBuiltinModule('node:path')
const { cachedDataVersionTag, setFlagsFromString } = process.getBuiltinModule('node:v8')
const vm = process.getBuiltinModule('node:vm')

/** Code that was compiled earlier. */
export interface KeptCode {
  /** Of a file of the bundle; undefined where none is kept. */
  of(file: string): Buffer | undefined
  /** Keeps what this process has compiled of a file. */
  add(file: string, script: Script): void
}

type Exports = Record<string, unknown>
type Wrapped = (
  exports: Exports,
  require: (id: string) => unknown,
  module: object,
  path: string,
  importOutside: (specifier: string) => Promise<unknown>,
) => void

const loaded = new Map<string, Exports>()

/** Loads a file of the bundle and what it needs, each once per process; gives its exports. */
export function load(folder: string, file: string, kept?: KeptCode): Exports {
  const before = loaded.get(file)
  if (before) return before
  const module = { exports: {} as Exports }
  loaded.set(file, module.exports)
  const path = join(folder, file)
  const script = new vm.Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData: kept?.of(file),
  })
  kept?.add(file, script)
  const require = (id: string) => {
    if (id.startsWith('./')) return load(folder, id.slice(2), kept)
    const builtin = process.getBuiltinModule(id)
    // Libraries try what is optional to them, such as a canvas, and go on without it.
    if (!builtin) throw new Error(`Cannot find module '${id}'`)
    return builtin
  }
  ;(script.runInThisContext() as Wrapped)(
    module.exports,
    require,
    module,
    path,
    (specifier) => import(specifier),
  )
  return module.exports
}

const runFlags = [
  '--no-incremental-marking',
  '--invocation-count-for-turbofan=1000000',
  '--no-maglev-destroy-on-background',
  '--concurrent-maglev-max-threads=1',
]

const builtins = ['child_process', 'crypto', 'module', 'os', 'perf_hooks', 'zlib']

/** Calls of a command after which next to nothing is new. */
const enough = 3

/** The code that earlier calls of this command have left in `folder`, and what becomes of it when the process ends. */
export function keptCode(folder: string, argv: readonly string[]): KeptCode {
  const command = commandOf(argv)
  // Node's own modules come compiled, but V8 takes that under Node's own flags alone: those that come later are compiled
  // here. Help does without them.
  if (command !== 'help') for (const name of builtins) process.getBuiltinModule(`node:${name}`)
  // Threads that look for survivors together cost each other time.
  setFlagsFromString('--no-parallel-scavenge')
  // Code that is not called for a while would be thrown away, and be missing from what is kept.
  setFlagsFromString('--no-flush-bytecode')
  // What TurboFan costs after Maglev is a tenth of a run of ten thousand trials, which is over before that is won back. To
  // mark a heap this small beside the run, step by step, costs more than to mark it at one stroke when that is needed. And
  // what Maglev has worked with would be kept for a thread that frees it later: each compilation would touch new memory.
  if (command === 'run' && process.versions.v8.startsWith('13.'))
    for (const flag of runFlags) setFlagsFromString(flag)
  // Names V8's version and flags and the processor's: what another one has compiled is no use.
  const path = join(folder, `${cachedDataVersionTag()}-${command}`)
  const { calls, files } = read(path)
  const scripts = new Map<string, { script: Script; under: number }>()
  let isMissing = calls < enough
  const keep = () => {
    const now = cachedDataVersionTag()
    for (const [name, { script, under }] of scripts)
      if (under === now) files.set(name, script.createCachedData())
  }
  process.once('exit', (code) => {
    if (!isMissing || code > 1) return
    // A first run reads and makes what later ones find: they would load the code for it and never call it.
    if (command === 'run' && calls === 0) return write(path, { calls: 1, files: new Map() })
    // Each under the flags that it is loaded under: V8 takes it under no others, and commands set this one.
    for (const factor of [1, 2]) {
      setFlagsFromString(`--semi-space-growth-factor=${factor}`)
      keep()
    }
    write(path, { calls: calls + 1, files })
  })
  return {
    of: (file) => files.get(named(file)),
    add(file, script) {
      const name = named(file)
      scripts.set(name, { script, under: cachedDataVersionTag() })
      if (!files.has(name) || script.cachedDataRejected) isMissing = true
    },
  }
}

/** Live runs load under other flags what simulated ones load, too: neither may throw away what the other has kept. */
const named = (file: string) => `${file} ${cachedDataVersionTag()}`

function commandOf(argv: readonly string[]): string {
  if (argv.length === 0) return 'help'
  if (argv.some((word) => /^(-h|--help|help|-V|--version)$/.test(word))) return 'help'
  const [first = ''] = argv
  return /^[a-z]+$/.test(first) ? first : 'run'
}

interface Kept {
  calls: number
  files: Map<string, Buffer>
}

// V8 wants its data at such an address.
const aligned = (bytes: number) => Math.ceil(bytes / 8) * 8

/** A number, a line of JSON that long, then the code of each file. */
function read(path: string): Kept {
  const files = new Map<string, Buffer>()
  try {
    const bytes = readFileSync(path)
    const end = 4 + bytes.readUInt32LE(0)
    const head = JSON.parse(bytes.toString('latin1', 4, end)) as { calls: number; sizes: [string, number][] }
    let at = aligned(end)
    for (const [file, size] of head.sizes) {
      files.set(file, bytes.subarray(at, at + size))
      at = aligned(at + size)
    }
    return { calls: head.calls, files }
  } catch {
    return { calls: 0, files }
  }
}

function write(path: string, { calls, files }: Kept): void {
  const head = Buffer.from(
    JSON.stringify({ calls, sizes: [...files].map(([file, code]) => [file, code.length]) }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const parts = [Buffer.concat([length, head]), ...files.values()]
  const bytes = Buffer.concat(
    parts.flatMap((part) => [part, Buffer.alloc(aligned(part.length) - part.length)]),
  )
  const draft = `${path}.${process.pid}`
  try {
    // Synced, since a file that is cut short would be taken for whole.
    writeFileSync(draft, bytes, { flush: true })
    renameSync(draft, path)
  } catch {
    // The bundle may not be written to, or was built again meanwhile: the next call compiles once more.
  }
}
