import { createRedactor, type Redactor, secretsOf } from '../redact.ts'

type Write = NodeJS.WriteStream['write']

/**
 * Keeps secrets out of all that this process prints, errors that nobody expected included: those of the environment, and
 * the variables that `--secret` names. Costs nothing where there are none.
 */
export function redactOutput(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const redact = createRedactor(secretsOf(environment, namedIn(argv)).secrets)
  if (!redact) return
  for (const stream of [process.stdout, process.stderr]) stream.write = redacting(stream, redact)
  process.on('uncaughtException', printed)
}

/** Node prints what nobody caught past the streams; a command that has a word of its own for it says that instead. */
function printed(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return
  process.stderr.write(`bench broke: ${(error as Error | undefined)?.stack ?? error}\n`)
  process.exit(1)
}

// The command line is not parsed yet, and its own errors are printed while it is.
function namedIn(argv: readonly string[]): string[] {
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
