// Runs a program so many times in one of several ways, one after another. Arguments: way, count, program and arguments.
// The ways: ours-none and ours-bubblewrap through the sandbox's own door, which makes a private folder for each;
// `ours-supervised`, its supervised spawn alone, in a folder that exists; `spawn` with piped output, the same in a fresh
// folder, and execa.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'

const [way, count, file, ...args] = process.argv.slice(2)
const piped = (options) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject).on('close', () => resolve(Buffer.concat(output).toString()))
  })

const ways = {
  spawn: async () => () => piped({}),
  'spawn-in-folder': async () => async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'bench-perf-'))
    await piped({ cwd })
    rmSync(cwd, { recursive: true })
  },
  execa: async () => () =>
    execa(file, args, { stdin: 'ignore', timeout: 60_000, maxBuffer: 1024 ** 2, reject: false }),
  'ours-supervised': supervised,
  'ours-none': () => ours('none'),
  'ours-bubblewrap': () => ours('bubblewrap'),
}

async function ours(adapter) {
  const { openSandbox } = await import('../../dist/src/sandbox/open-sandbox.js')
  const { run } = await openSandbox(adapter)
  return () => run({ files: {}, command: [file, ...args], timeoutMs: 60_000 })
}

async function supervised() {
  const load = (name) => import(`../../dist/src/sandbox/${name}.js`)
  const { createPrivateFolder } = await load('private-folder')
  const { closeOutput, prepareIn } = await load('program')
  const { runPrograms } = await load('spawn')
  const { unsandboxed } = await load('unsandboxed')
  const { defaultLimits } = await load('limits')
  const folder = createPrivateFolder({})
  process.on('exit', () => rmSync(folder.base, { recursive: true }))
  const command = { files: {}, command: [file, ...args], timeoutMs: 60_000 }
  return async () => {
    const program = prepareIn(folder, unsandboxed, command, defaultLimits)
    await runPrograms([program], command, defaultLimits, unsandboxed)
    closeOutput(program)
  }
}

const once = await ways[way]()
for (let i = 0; i < Number(count); i++) await once()
