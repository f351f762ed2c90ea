// Installs the peers that bench:perf compares with, into a cache outside this package: 2 GB, several minutes.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { environmentOf, nodeOf } from './node-versions.mjs'

/** Pinned: a ratio against an unknown version says nothing. */
export const promptfooVersion = '0.123.1'

const cache =
  process.env.ORCHESTRATION_BENCH_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')
const promptfooFolder = join(cache, 'peers', `promptfoo-${promptfooVersion}`)
const proof = join(promptfooFolder, 'installed.json')

/** Pinned likewise. */
const duckdbVersion = '1.5.6-r.1'
const duckdbFolder = join(cache, 'peers', `duckdb-${duckdbVersion}`)

/** What keeps promptfoo from calling home while it is measured. */
export const promptfooEnvironment = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
}

/** promptfoo's entry as installed; undefined when it is not. */
export function promptfoo() {
  return existsSync(proof) ? JSON.parse(readFileSync(proof, 'utf8')).program : undefined
}

/** Where DuckDB's package is installed, and its version; undefined when it is not. */
export function duckdb() {
  const isThere = existsSync(join(duckdbFolder, 'node_modules/@duckdb/node-api/package.json'))
  return isThere ? { folder: duckdbFolder, version: duckdbVersion } : undefined
}

function installPromptfoo() {
  const node = nodeOf(24)
  rmSync(proof, { force: true })
  // Native modules must be built for the Node that will run them.
  const env = { ...environmentOf(node), ...promptfooEnvironment }
  installPackage(promptfooFolder, { promptfoo: promptfooVersion }, env)
  const manifest = JSON.parse(
    readFileSync(join(promptfooFolder, 'node_modules/promptfoo/package.json'), 'utf8'),
  )
  const program = join(promptfooFolder, 'node_modules/promptfoo', manifest.bin.promptfoo)
  run(node.path, [program, '--version'], { cwd: promptfooFolder, env })
  writeFileSync(proof, JSON.stringify({ program, version: manifest.version, node: node.version }))
}

function installPackage(folder, dependencies, env = process.env) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env })
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (status === 0) return
  process.stderr.write(`${command} ${args.join(' ')} ended with ${status}\n`)
  process.exit(1)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!duckdb()) installPackage(duckdbFolder, { '@duckdb/node-api': duckdbVersion })
  process.stdout.write(`DuckDB ${duckdbVersion} is installed: ${duckdbFolder}\n`)
  if (!promptfoo()) installPromptfoo()
  process.stdout.write(`promptfoo ${promptfooVersion} is installed: ${promptfooFolder}\n`)
}
