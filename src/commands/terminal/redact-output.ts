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
