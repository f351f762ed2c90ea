// Makes the logs of fixtures/tool-logs again: writes each small project into the cache, runs its tool, and keeps what the tool
// printed and its JUnit XML, without the paths and the name of this machine. `-- NAME…` makes only these. It needs python3 with
// pytest; expected.json beside each log is written by hand and left alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCommands, testCommands } from '../../strategies/tools/find-tools.mjs'
import { buildProjects } from './build-projects.mjs'
import { nodeProjects, pytestProjects } from './other-test-projects.mjs'
import { vitestProjects } from './vitest-projects.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const programs = {
  node: process.execPath,
  python: 'python3',
  vitest: [process.execPath, join(root, 'node_modules/vitest/vitest.mjs')],
  tsc: [process.execPath, join(root, 'node_modules/typescript/bin/tsc')],
  vite: [process.execPath, join(root, 'node_modules/vite/bin/vite.js')],
}
const projects = { ...vitestProjects, ...nodeProjects, ...pytestProjects, ...buildProjects }
/** Logs that are another one, ended too early. */
const cutOff = {
  'vitest-cut': 'vitest-many',
  'tsc-cut': 'tsc-hundreds',
}

const asked = process.argv.slice(2)
for (const [name, project] of Object.entries(projects))
  if (asked.length === 0 || asked.includes(name)) makeLog(name, project)
for (const [name, from] of Object.entries(cutOff))
  if (asked.length === 0 || asked.includes(name)) cutLog(name, from)

function makeLog(name, { tool, files, args = tool === 'tsc' ? ['--noEmit'] : [], env = {} }) {
  const folder = join(root, '.cache/tool-logs', name)
  rmSync(folder, { recursive: true, force: true })
  // Without a file of its own, a tool reads the configuration of the folders above.
  const own = tool === 'vitest' ? { 'vitest.config.mjs': 'export default {}\n' } : {}
  for (const [path, text] of Object.entries({ ...own, ...files })) write(join(folder, path), text)
  const junit = join(root, '.cache/tool-logs/junit', `${name}.xml`)
  mkdirSync(dirname(junit), { recursive: true })
  rmSync(junit, { force: true })
  const isTest = Object.hasOwn(testCommands, tool)
  const [file, ...words] = isTest ? testCommands[tool](junit, programs) : buildCommands[tool](programs, args)
  const clean = { PYTHONDONTWRITEBYTECODE: '1', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', NO_COLOR: '1', CI: '' }
  const { status, stdout, stderr } = spawnSync(file, words, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', ...clean, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const log = { tool, exitCode: status }
  keep(name, log, stdout + stderr, isTest ? readIfThere(junit) : undefined, folder)
}

function cutLog(name, from) {
  const at = (file) => join(root, 'fixtures/tool-logs', from, file)
  const junit = readIfThere(at('junit.xml'))
  const output = readFileSync(at('output.txt'), 'utf8')
  const { tool } = JSON.parse(readFileSync(at('log.json'), 'utf8'))
  const part = (text) => text.slice(0, Math.floor(text.length * 0.4))
  keep(name, { tool, exitCode: null }, part(output), junit === undefined ? undefined : part(junit), '')
}

function keep(name, log, output, junit, folder) {
  const own = join(root, 'fixtures/tool-logs', name)
  const clean = (text) =>
    (folder === '' ? text : text.replaceAll(folder, '/workspace'))
      .replaceAll(join(root, '.cache/tool-logs'), '/logs')
      .replaceAll(root, '/checkout')
      .replaceAll(process.execPath, '/usr/bin/node')
      .replaceAll(hostname(), 'machine')
      .replace(/(?<=\/)[\w./-]*\/(?=(?:site-packages|importlib|python3)\b)/g, '…/')
      .replace(/(?<=timestamp=")[^"]*/g, '2026-01-01T00:00:00')
  write(join(own, 'log.json'), `${JSON.stringify(log)}\n`)
  write(join(own, 'output.txt'), clean(output))
  rmSync(join(own, 'junit.xml'), { force: true })
  if (junit !== undefined) write(join(own, 'junit.xml'), clean(junit))
  process.stdout.write(`${name}: ${log.tool}, exit code ${log.exitCode}, ${output.length} characters\n`)
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
