import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { onTestFinished } from 'vitest'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import type { StageRun } from '../../../src/schema/stage/protocol.ts'
import { tempFolder } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** The stage programs of the method `chained`. */
export const chainedPrograms = join(root, 'strategies/chained')

/** Files by path; a Buffer is no text. */
export type Bytes = Readonly<Record<string, string | Buffer>>

/** Writes files into a folder, which is made. */
export function writeFiles(folder: string, files: Bytes): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Environment of programs that find nothing of the machine's own git. */
export const plainGit = (home: string) => ({
  ...{ HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' },
})

/** Runs git in a folder. */
export async function git(cwd: string, ...words: string[]): Promise<string> {
  const { stdout } = await execa('git', words, { cwd, env: plainGit(cwd), stripFinalNewline: false })
  return stdout
}

/** Runs a stage from a shell, in a folder. */
export async function runStage(
  stage: string,
  words: readonly string[],
  cwd: string,
  { env = {}, programs = chainedPrograms }: { env?: NodeJS.ProcessEnv; programs?: string } = {},
) {
  const options = { cwd, env, reject: false, stdin: 'ignore' } as const
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [join(programs, `${stage}.mjs`), ...words],
    options,
  )
  return { exitCode, stdout, stderr }
}

/** Reads the state file of a workflow in a folder. */
export const stateIn = (folder: string, workflow: string): ChainState =>
  JSON.parse(readFileSync(join(folder, '.bench', workflow, 'state.json'), 'utf8'))

/** A state as bench hands it over. */
export const newState = (change: Partial<ChainState> = {}): ChainState => ({
  ...{ version: 1, workflow_id: 'w1', issue: 'task', task: '# Task\nAdd a function.', output: 'files' },
  ...{ round: 1, stages: [] },
  ...change,
})

/** A request that a stage sent, and the answer to it. */
type Answer = (request: Record<string, unknown>, workspace: string) => unknown

/**
 * A stage's place as bench makes one: workspace, state file, the folder of its programs, and a socket, behind which `answer` replies.
 * An answer with `error` is refused.
 */
export function chainPlace({
  start = {},
  work = start,
  state = newState(),
  answer,
}: {
  start?: Bytes
  work?: Bytes
  state?: ChainState | string
  answer?: Answer
} = {}) {
  const folder = tempFolder()
  const [workspace, stage] = [join(folder, 'workspace'), join(folder, 'stage')]
  const statePath = join(folder, 'state', 'state.json')
  writeFiles(workspace, work)
  writeFiles(join(stage, 'start'), start)
  for (const from of [chainedPrograms, join(root, 'dist/bench/tools')])
    if (existsSync(from))
      for (const name of readdirSync(from)) cpSync(join(from, name), join(stage, name), { recursive: true })
  writeFiles(dirname(statePath), { 'state.json': typeof state === 'string' ? state : JSON.stringify(state) })
  const home = join(folder, 'home')
  mkdirSync(home)
  const requests: Record<string, unknown>[] = []
  const socket = join(folder, 's')
  const env: Record<'HOME' | 'TMPDIR' | 'BENCH_STAGE' | 'BENCH_STATE', string> & Record<string, string> = {
    ...{ BENCH_STATE: statePath, BENCH_STAGE: stage, HOME: home, TMPDIR: home },
    ...(answer && { BENCH_SOCKET: socket }),
  }
  if (answer)
    serve(socket, (request) => {
      if ('run' in request) return runApart(request.run as StageRun, { workspace, stage, env })
      requests.push(request)
      return answer(request, workspace)
    })
  return {
    workspace,
    home,
    requests,
    statePath,
    env,
    state: (): ChainState => JSON.parse(readFileSync(statePath, 'utf8')),
    run: (name: string, words: readonly string[] = ['task', 'w1']) =>
      runStage(name, words, workspace, { env, programs: stage }),
  }
}

/** Runs a tool of a stage on a copy of its workspace, without its state and its socket. */
async function runApart(
  { command, files = {}, collect = [] }: StageRun,
  { workspace, stage, env }: { workspace: string; stage: string; env: NodeJS.ProcessEnv },
) {
  const cwd = join(tempFolder(), 'workspace')
  cpSync(workspace, cwd, { recursive: true, verbatimSymlinks: true })
  writeFiles(cwd, files)
  const [, ...words] = command.map((word) => word.replace(/^\{tools\}/, stage))
  const { BENCH_STATE: _, BENCH_STAGE: __, BENCH_SOCKET: ___, ...rest } = env
  const options = { cwd, env: rest, reject: false, stdin: 'ignore' } as const
  const { exitCode, stdout, stderr } = await execa(process.execPath, words, options)
  const found = collect.filter((path) => existsSync(join(cwd, path)))
  const texts = found.map((path) => [path, readFileSync(join(cwd, path), 'utf8')] as const)
  return { exitCode: exitCode ?? null, stdout, stderr, files: Object.fromEntries(texts), durationMs: 1 }
}

function serve(path: string, answer: (request: Record<string, unknown>) => unknown) {
  const server = createServer((connection) => {
    connection.on('error', () => {})
    connection.write(`${JSON.stringify({ hello: { version: 1, stage: 'x', roles: [] } })}\n`)
    let text = ''
    connection.setEncoding('utf8').on('data', async (chunk: string) => {
      text += chunk
      if (!text.includes('\n')) return
      const { id, ...request } = JSON.parse(text)
      text = ''
      const reply = (await answer(request)) as { error?: unknown } | undefined
      const isRefused = typeof reply === 'object' && reply !== null && 'error' in reply
      connection.write(`${JSON.stringify({ id, ...(isRefused ? reply : { reply: reply ?? null }) })}\n`)
    })
  })
  server.listen(path)
  onTestFinished(() => void server.close())
}
