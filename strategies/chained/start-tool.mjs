import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canAsk, run } from './ask.mjs'
import { copyWork, listWork } from './work-files.mjs'

/** The longest time of the stage's own. */
export const stageSeconds = Number(process.env.CHAIN_SECONDS) || 600

/** Where a tool writes down what its report saves, in its copy of the files. */
const savingFile = '.bench-saving.json'

/** Where a tool writes what it printed itself, for agents that read it whole. */
const outputFile = '.bench-output.txt'
/** Agents read what tools printed, not the reports. */
const isRaw = process.env.CHAIN_REPORTS === 'raw'

/** For what tools print; their reports hold failures alone. */
const mostOutputBytes = 4 * 1024 ** 2

/**
 * Starts a tool with the words of `wordsOf` (from the place of programs, the file for the saving, the words for the output), on a copy of the workspace: what tools and tests write is no work. Tools load and run
 * code of agents, so bench runs them apart, where there is neither the state nor the socket. Without bench they run as the person
 * who started the stage.
 */
export async function startTool(workflow, names, wordsOf) {
  if (canAsk()) {
    const tools = [...names, 'accept-typescript.mjs'].filter((name) => existsSync(besideThis(name)))
    const written = [savingFile, ...(isRaw ? [outputFile] : [])]
    const ended = await run({
      command: ['node', ...wordsOf((name) => `{tools}/${name}`, savingFile, outputWords(outputFile))],
      ...{ tools, files: Object.fromEntries(written.map((name) => [name, ''])), collect: written },
      ...{ timeoutMs: stageSeconds * 1000, outputBytes: mostOutputBytes },
    })
    return { ...ended, saving: ended.files[savingFile], output: isRaw ? ended.files[outputFile] : undefined }
  }
  const folder = mkdtempSync(join(workflow.scratch, 'saving-'))
  const [saving, output] = [join(folder, 'saving.json'), join(folder, 'output.txt')]
  const ended = await runNode(wordsOf(findBuilt, saving, outputWords(output)), copyOf(workflow))
  const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  return { ...ended, saving: textOf(saving), output: isRaw ? textOf(output) : undefined }
}

const outputWords = (path) => (isRaw ? ['--output', path] : [])

/** Copies the workspace: what tools and tests write is no work. */
function copyOf({ workspace, scratch }) {
  const folder = join(mkdtempSync(join(scratch, 'copy-')), 'workspace')
  copyWork(
    workspace,
    folder,
    listWork(workspace).map(({ path }) => path),
  )
  return folder
}

const besideThis = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Returns the path of a file that is built: under bench it is beside this file, in a checkout where tools are. */
export function findBuilt(name) {
  const found = [name, `../../dist/bench/tools/${name}`].map(besideThis).find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`${name} is missing; run \`npm run prepare\` in the checkout of bench`)
  return found
}

/** Tools that run now. */
const running = new Set()
let isEnding = false

/** Ends the tools that run, and waits for them: each ends what it has started. Nothing that waits for a tool goes on. */
export async function endTools(signal) {
  isEnding = true
  for (const { child } of running) child.kill(signal)
  const late = setTimeout(() => {
    for (const { child } of running) child.kill('SIGKILL')
  }, 5000)
  await Promise.all([...running].map(({ closed }) => closed))
  clearTimeout(late)
}

/** Tests are code of agents: they get neither the state nor the socket. A tool ends itself when the channel to it is lost. */
function runNode(words, cwd) {
  const {
    BENCH_STATE: _,
    BENCH_SOCKET: __,
    BENCH_STAGE: ___,
    CHAIN_SECONDS: ____,
    CHAIN_REPORTS: _____,
    ...env
  } = process.env
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text
      })
    const tool = { child, closed: new Promise((done) => child.on('close', done)) }
    running.add(tool)
    child.on('error', reject)
    child.on('close', () => {
      running.delete(tool)
      if (!isEnding) resolve(texts)
    })
  })
}
