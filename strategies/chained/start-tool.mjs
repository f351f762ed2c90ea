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

/** For what tools print; their reports hold failures alone. */
const mostOutputBytes = 4 * 1024 ** 2

/**
 * Starts a tool with the words of `wordsOf`, on a copy of the workspace: what tools and tests write is no work. Tools load and run
 * code of agents, so bench runs them apart, where there is neither the state nor the socket. Without bench they run as the person
 * who started the stage.
 */
export async function startTool(workflow, names, wordsOf) {
  if (canAsk()) {
    const tools = [...names, 'accept-typescript.mjs'].filter((name) => existsSync(besideThis(name)))
    const ended = await run({
      command: ['node', ...wordsOf((name) => `{tools}/${name}`, savingFile)],
      ...{ tools, files: { [savingFile]: '' }, collect: [savingFile] },
      ...{ timeoutMs: stageSeconds * 1000, outputBytes: mostOutputBytes },
    })
    return { ...ended, saving: ended.files[savingFile] }
  }
  const saving = join(mkdtempSync(join(workflow.scratch, 'saving-')), 'saving.json')
  const ended = await runNode(wordsOf(findBuilt, saving), copyOf(workflow))
  return { ...ended, saving: existsSync(saving) ? readFileSync(saving, 'utf8') : '' }
}

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
  const { BENCH_STATE: _, BENCH_SOCKET: __, BENCH_STAGE: ___, CHAIN_SECONDS: ____, ...env } = process.env
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
