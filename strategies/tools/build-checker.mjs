// Checks the build of the current folder by tsc, by vite or by both, and prints the errors alone as one line of JSON.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mergeBuildResults, readTscResults, readViteResults } from './build-results.ts'
import { buildCommands, dependsOn, filesOf, findProgram, textOf } from './find-tools.mjs'
import {
  endWith,
  readFlags,
  refuse,
  runProgram,
  timeoutOf,
  withTemporaryFolder,
  writeOutput,
  writeSaving,
} from './run-program.mjs'
import { steadyWorkspace } from './steady-text.ts'

const packages = { tsc: 'typescript', vite: 'vite' }
const usage =
  'usage: node build-checker.mjs [--checker tsc|vite] [--timeout SECONDS] [--saving FILE] [--output FILE]'
const { checker, timeout, saving, output, words } = readFlags(usage, [
  'checker',
  'timeout',
  'saving',
  'output',
])
if (words.length > 0) refuse(usage, `${words[0]} is unknown.`)
if (checker !== undefined && !Object.hasOwn(packages, checker))
  refuse(usage, `--checker ${checker} is unknown. Use tsc or vite.`)
const timeoutMs = timeoutOf(usage, timeout)
const workspace = process.cwd()

const found = checker === undefined ? findCheckers() : [checker]
const parts =
  found.length === 0
    ? [unable('nothing to build was found: there is no tsconfig.json, and no vite here')]
    : await checkAll()
const report = mergeBuildResults(parts.map((part) => part.report))
endWith(report)
const outputs = parts.flatMap(({ output }) => output ?? [])
const printed = outputs.length === 0 ? undefined : outputs.join('')
writeSaving(saving, 'build-checker', printed, report)
writeOutput(output, printed)

/** One at a time. */
async function checkAll() {
  const parts = []
  for (const name of found) parts.push(await (name === 'tsc' ? checkTypes() : buildByVite()))
  return parts
}

function findCheckers() {
  const isVite =
    filesOf(workspace).some((path) => /^vite\.config\.[cm]?[jt]s$/.test(path)) ||
    (dependsOn(workspace, 'vite') && existsSync(join(workspace, 'index.html')))
  return [...(existsSync(join(workspace, 'tsconfig.json')) ? ['tsc'] : []), ...(isVite ? ['vite'] : [])]
}

async function checkTypes() {
  const tsc = findProgram(workspace, packages.tsc, 'tsc')
  if (tsc === undefined) return missing('tsc')
  // Projects that refer to each other can only be checked by building them.
  const refers = /"references"\s*:/.test(textOf(join(workspace, 'tsconfig.json')))
  const command = buildCommands.tsc({ tsc }, refers ? ['--build'] : ['--noEmit'])
  return reportBy(readTscResults, await runProgram(command, timeoutMs))
}

/** Builds into a folder outside of the workspace. */
async function buildByVite() {
  const vite = findProgram(workspace, packages.vite, 'vite')
  if (vite === undefined) return missing('vite')
  return await withTemporaryFolder(async (folder) => {
    const command = buildCommands.vite({ vite }, ['--outDir', join(folder, 'dist'), '--emptyOutDir'])
    return reportBy(readViteResults, await runProgram(command, timeoutMs))
  })
}

function reportBy(read, ended) {
  return { report: read(ended, steadyWorkspace), output: ended.output }
}

function missing(name) {
  return unable(
    `${name} is not installed: ${packages[name]} is not in node_modules, and ${name} is not on PATH`,
  )
}

function unable(reason) {
  const summary = { errors: 0, warnings: 0 }
  return { report: { success: false, summary, errors: [], raw: { reason, text: '' } } }
}
