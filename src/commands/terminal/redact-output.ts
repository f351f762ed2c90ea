import { createRedactor, type Redactor, secretsOf } from '../../text/redact.ts'

type Write = NodeJS.WriteStream['write']

/**
 * Keeps secrets out of all that this process prints, errors that nobody expected included: those of the environment, and
 * the variables that `--secret` names. Costs nothing where there are none.
 */
export function redactOutput(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  redactStreams(createRedactor(secretsOf(environment, secretNames(argv)).secrets))
}

/** The same for the variables that were named as secret when a run began: its texts may hold what a cut left of their values. */
export function redactVariables(names: readonly string[]): void {
  const known = new Set(redactors.flatMap(({ names }) => names))
  const secrets = secretsOf(process.env, names).secrets.filter(
    ({ name }) => names.includes(name) && !known.has(name),
  )
  redactStreams(createRedactor(secrets))
}

/** A text for a file, without what the streams of this process would not print either. */
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

/** Node prints what nobody caught past the streams; a command that has a word of its own for it says that instead. */
function reportUncaught(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return
  process.stderr.write(`bench broke: ${(error as Error | undefined)?.stack ?? error}\n`)
  process.exit(1)
}

// The command line is not parsed yet, and its own errors are printed while it is.
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
