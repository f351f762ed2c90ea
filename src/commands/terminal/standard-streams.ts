import { escapeForTerminal } from '../../reports/words/safe-text.ts'
import { createRedactor, type Redactor, secretsOf } from '../../text/redact.ts'

type Write = NodeJS.WriteStream['write']

/**
 * Redacts secrets in everything that this process prints, including unexpected errors: the secrets of the environment and
 * of the variables that `--secret` names.
 */
export function redactOutput(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  redactStreams(createRedactor(secretsOf(environment, secretNames(argv)).secrets))
}

/** Redacts the variables that were named as secrets when a run began. Its texts may hold parts of their values. */
export function redactVariables(names: readonly string[]): void {
  const known = new Set(redactors.flatMap(({ names }) => names))
  const secrets = secretsOf(process.env, names).secrets.filter(
    ({ name }) => names.includes(name) && !known.has(name),
  )
  redactStreams(createRedactor(secrets))
}

/** Returns a text with the same redactions as the output streams, for a file. */
export function redactForFile(text: string): string {
  return redactors.reduce((clean, redact) => redact.cut(clean), text)
}

const redactors: Redactor[] = []

function redactStreams(redact: Redactor | undefined): void {
  if (!redact) return
  for (const stream of [process.stdout, process.stderr]) stream.write = redacting(stream, redact)
  if (redactors.length === 0) process.on('uncaughtException', reportUncaught)
  redactors.push(redact)
}

/** Prints an uncaught error through the redacted streams; Node would bypass them. Does nothing if a command has its own handler. */
function reportUncaught(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return
  process.stderr.write(
    `Internal error: ${(error as Error | undefined)?.stack ?? error}\nPlease report this.\n`,
  )
  process.exit(1)
}

// Errors of the command line parser need redaction too, so this runs before the parser.
function secretNames(argv: readonly string[]): string[] {
  return argv.flatMap((word, i) =>
    word.startsWith('--secret=')
      ? [word.slice('--secret='.length)]
      : argv[i - 1] === '--secret'
        ? [word]
        : [],
  )
}

function redacting(stream: NodeJS.WriteStream, redact: Redactor): Write {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  return ((chunk: string | Uint8Array, ...rest: unknown[]) =>
    write(redact.cut(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...rest)) as Write
}

// The controls of a live line (clear it, move to its start) and of a style.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters may pass
const ownControl = /^\u001b\[(?:\d?[KG]|\d\d?m)$/

/**
 * Makes control characters and direction marks visible in all text that this process prints. Text of a suite, a model or a
 * file may hold sequences that write the clipboard, recolour or hide text. Bytes, such as a PDF, pass unchanged.
 */
export function escapeOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(
        typeof chunk !== 'string' || ownControl.test(chunk) ? chunk : escapeForTerminal(chunk),
        ...rest,
      )) as NodeJS.WriteStream['write']
  }
}

/** Handles errors of stdout and stderr. A closed stderr is ignored. A closed stdout (`bench … | head`) ends the process with code 0. */
export function guardOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(
      `bench: cannot write to stdout (${code ?? message}). Free some space, or redirect the output.\n`,
    )
    process.exit(1)
  })
}

// Node's exit code for an await that never resolves. Another listener may still resolve it.
const stalledCode = 13

/**
 * Reports an internal error if Node has nothing left to do before the returned function is called. Once it is called, ends
 * whatever a command left running.
 */
export function watchCompletion(): () => void {
  let isCompleted = false
  process.on('beforeExit', () => {
    if (!isCompleted) process.exitCode = stalledCode
  })
  process.on('exit', (code) => {
    if (code !== stalledCode || isCompleted) return
    process.stderr.write('Internal error: bench stalled (nothing left to wait for). Please report this.\n')
    process.exitCode = 1
  })
  return () => {
    isCompleted = true
    // Most processes end long before that.
    setTimeout(endLeftovers, 3000).unref()
  }
}

const checkAgainMs = 3000

/** Ends a process that only a timer or a connection of the user's code keeps alive. It would never end by itself. */
function endLeftovers(): void {
  // A slow reader has not read all of the output yet.
  if (process.stdout.writableLength + process.stderr.writableLength > 0) {
    setTimeout(endLeftovers, checkAgainMs).unref()
    return
  }
  process.stderr.write('bench ended the process: a strategy or an agent left a timer or a connection open\n')
  exitAfterFlush(Number(process.exitCode ?? 0))
}

/** Ends the process after stdout and stderr are flushed. */
export function exitAfterFlush(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
