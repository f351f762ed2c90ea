import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onSameServer } from '../../agents/http/address.ts'
import { splitCommand } from '../../base/command-words.ts'
import { startProcess } from '../../sandbox/machine/start-process.ts'
import { endProcessTree, markerVariable } from '../../sandbox/process/process-tree.ts'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import { asError, problemAt, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { type ConfigFile, readConfig } from '../config/config-file.ts'
import type { RunOptions } from '../config/run-options.ts'

/** Whom `--notify` tells. `shown` names it in messages, without what may be secret. */
export type NotifyTarget = (
  | { shown: string; url: URL }
  | { shown: string; command: readonly [string, ...string[]] }
) & {
  /** The config file that names it; absent if it was typed. */
  config?: ConfigFile
}

/**
 * Reads `--notify`, or `notify` of the config file. Returns undefined without a target. Throws `UserError`. A resumed run has no
 * config file, and its folder says nothing about it: only the flag counts.
 */
export function readNotifyTarget(options: RunOptions): NotifyTarget | undefined {
  const typed = options.notify
  if (typed === 'none') return undefined
  if (typed !== undefined) return requireProgram(parseTarget(typed, '--notify'))
  if (typeof options.config !== 'string' || options.resume !== undefined) return undefined
  const file = readConfig(options.config)
  const { notify } = file.config
  return notify === undefined ? undefined : { ...parseTarget(notify, file.where('notify')), config: file }
}

/** A config file may be shared with machines that lack the program: there it is a note at the end. */
function requireProgram(target: NotifyTarget): NotifyTarget {
  if ('url' in target) return target
  const [program] = target.command
  const path = program.includes('/') ? resolve(program) : program
  if (findOnPath(path) !== undefined) return target
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    const at = program.includes('/') ? program : `./${program}`
    const what = `${JSON.stringify(program)} is a file, but no program that can be started`
    throw new UserError(problemAt('--notify', what, `Make it one (chmod +x), and write ${shellWord(at)}.`))
  }
  const what = `there is no program ${JSON.stringify(program)}`
  throw new UserError({ where: '--notify', what, fix: 'Install it, or give its path.' })
}

// No message repeats the value: a command or an address may hold a token.
function parseTarget(given: string | readonly string[], where: string): NotifyTarget {
  const wrong = (what: string, fix: string) => new UserError({ where, what, fix })
  const [first = ''] = typeof given === 'string' ? [given.trim()] : given
  if (typeof given === 'string' && /^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    const url = URL.canParse(first) ? new URL(first) : undefined
    if (!url || !/^https?:$/.test(url.protocol))
      throw wrong('is not an address with http or https', 'Write for example --notify https://HOST/PATH.')
    return { shown: url.origin, url }
  }
  const split = typeof given === 'string' ? splitCommand(given) : { words: given }
  if ('problem' in split)
    throw wrong(
      split.problem,
      'Quote it, or put the command into a script and name that: --notify ./told.sh.',
    )
  const [program = '', ...args] = split.words
  if (program === '') throw wrong('is empty', 'Write a command, or an address with http or https.')
  return { shown: program, command: [program, ...args] }
}

/**
 * Posts JSON to a server, a second time where that may help. Follows no redirect to another server. Returns what went wrong;
 * undefined if the server accepted it.
 */
export async function postJson(
  url: URL,
  body: string,
  { timeoutMs, retryAfterMs, signal }: { timeoutMs: number; retryAfterMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const first = await postOnce(url, body, timeoutMs, signal)
  if (first === undefined || !first.mayPass || signal.aborted) return first?.problem
  await wait(retryAfterMs, undefined, { signal }).catch(() => {})
  if (signal.aborted) return first.problem
  const second = await postOnce(url, body, timeoutMs, signal)
  return second && `${second.problem}, also the second time`
}

interface Failure {
  problem: string
  /** Whether a second attempt may succeed. */
  mayPass: boolean
}

async function postOnce(
  url: URL,
  body: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const {
      ok,
      status,
      body: reply,
    } = await onSameServer(fetch)(withoutLogin(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'orchestration-bench', ...login(url) },
      body,
      signal: AbortSignal.any([timeout, signal]),
    })
    // An endless reply must not keep the connection.
    await reply?.cancel().catch(() => {})
    if (ok) return undefined
    return { problem: `answered with status ${status}`, mayPass: status >= 500 || status === 429 }
  } catch (error) {
    const { statusCode, cause } = error as {
      statusCode?: number
      cause?: { code?: string; message?: string }
    }
    if (statusCode !== undefined)
      return {
        problem: `redirects elsewhere (status ${statusCode}), which bench does not follow: name the address itself`,
        mayPass: false,
      }
    if (timeout.aborted) return { problem: `gave no answer in ${timeoutMs / 1000} s`, mayPass: true }
    if (signal.aborted) return { problem: 'was cut off, because you stopped bench', mayPass: false }
    return {
      problem: `cannot be reached (${cause?.code ?? cause?.message ?? 'unknown reason'})`,
      mayPass: true,
    }
  }
}

/** `fetch` takes no address with a user and a password. */
function withoutLogin({ href }: URL): string {
  const url = new URL(href)
  url.username = ''
  url.password = ''
  return url.href
}

function login({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

/** How long output is read after the command's end, should something keep it open; ms. */
const lastOutputMs = 1000

const mostErrorText = 4000

/**
 * Runs a command without a shell, with `input` on its stdin, for at most `timeoutMs`. Afterwards none of its processes runs.
 * Returns what went wrong; undefined if it ended with exit code 0.
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  input: string,
  { env, timeoutMs, signal }: { env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const marker = `bench-notify-${randomUUID()}`
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = startProcess(program, args, {
      // A group of its own, so that the whole of it can be ended.
      detached: true,
      env: { ...env, [markerVariable]: marker },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let late: NodeJS.Timeout | undefined
    let cutOff: string | undefined
    let errors = ''
    const endTree = () => {
      if (child.pid !== undefined) endProcessTree({ leader: child.pid, startedAt, marker })
    }
    const cut = (why: string) => {
      cutOff ??= why
      endTree()
    }
    const onAbort = () => cut('was ended, because you stopped bench')
    const timer = setTimeout(() => cut(`was ended after ${timeoutMs / 1000} s`), timeoutMs)
    const finish = (problem: string | undefined) => {
      clearTimeout(timer)
      clearTimeout(late)
      signal.removeEventListener('abort', onAbort)
      process.off('exit', endTree)
      child.stderr?.destroy()
      resolve(problem)
    }
    signal.addEventListener('abort', onAbort)
    // A second Ctrl-C ends bench at once.
    process.on('exit', endTree)
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk).slice(-mostErrorText)
    })
    child.stdin?.on('error', () => {}) // it ended without reading its input
    child.stdin?.end(input)
    child.on('error', (error) => finish(`cannot be started (${(error as NodeJS.ErrnoException).code})`))
    const onEnd = (code: number | null, signal: string | null) =>
      finish(cutOff ?? endingText(code, signal, errors))
    child.on('exit', (code, signal) => {
      endTree()
      late = setTimeout(() => onEnd(code, signal), lastOutputMs)
    })
    child.on('close', onEnd)
  }).catch((error: unknown) => `cannot be started (${asError(error).message})`) as Promise<string | undefined>
}

function endingText(code: number | null, signal: string | null, errors: string): string | undefined {
  if (code === 0) return undefined
  const lastLine = errors.trim().split('\n').at(-1)
  return `ended with ${signal ?? `exit code ${code}`}${lastLine ? `: ${lastLine}` : ''}`
}
