import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  mostLineBytes,
  protocolVersion,
  type StageAnswer,
  StageAsk,
  type StageErrorReason,
  type StageRequest,
} from '../../src/schema/stage/protocol.ts'
import { type Problem, problemAt, UserError } from '../../src/text/errors.ts'
import { readText } from './stage-state.ts'

/** Sends one request over the socket of a stage and returns its answer. A connection that breaks is an answer, too: `closed`. */
export async function requestOverSocket(path: string, request: StageRequest): Promise<StageAnswer> {
  const line = `${JSON.stringify({ id: 1, ...request })}\n`
  if (Buffer.byteLength(line) > mostLineBytes)
    return { error: { reason: 'invalid', message: `a request has at most ${mostLineBytes} bytes` } }
  const socket = connect(path)
  try {
    return (await converse(socket, line)) ?? closed('bench ended the connection before it answered')
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException
    if (syscall === 'connect')
      return closed(`bench cannot be reached (${code}); the stage has ended, or the socket is another’s`)
    return closed(`the connection to bench broke (${code ?? message})`)
  } finally {
    socket.destroy()
  }
}

async function converse(socket: Socket, line: string): Promise<StageAnswer | undefined> {
  const lines = linesOf(socket)
  const hello = (await lines.next()).value
  if (hello === undefined) return undefined
  const { version } = (JSON.parse(hello) as { hello?: { version?: unknown } }).hello ?? {}
  if (version !== protocolVersion)
    return closed(
      `bench speaks version ${version} of the protocol, and this client version ${protocolVersion}; use the client of the same bench`,
    )
  socket.write(line)
  const answer = (await lines.next()).value
  if (answer === undefined) return undefined
  const { id: _, ...rest } = JSON.parse(answer) as { id: unknown } & StageAnswer
  return rest
}

async function* linesOf(socket: Socket): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}

const closed = (message: string): StageAnswer => ({ error: { reason: 'closed', message } })

/** The flags of `ask`. */
interface AskFlags {
  show: readonly string[]
  shape?: string | undefined
  system?: string | undefined
  work?: string | undefined
  json?: boolean | undefined
}

/**
 * `ask ROLE [PROMPT]` inside a stage: asks a role and prints its reply, data as one line of JSON. Without PROMPT, or with `-`, reads
 * it from stdin. Returns the exit code: 0, or that of the reason for which there is no reply. Throws `UserError`.
 */
export async function ask(role: string, prompt: string | undefined, flags: AskFlags): Promise<number> {
  const socket = process.env.BENCH_SOCKET
  if (!socket)
    throw new UserError({
      where: 'BENCH_SOCKET',
      what: 'is not set: ask works inside a stage only',
      fix: 'Start the program by context.stage() of a method, or by bench stage.',
    })
  const answer = await requestOverSocket(socket, { ask: await readAsk(role, prompt, flags) })
  if (flags.json) process.stdout.write(`${JSON.stringify(answer)}\n`)
  if ('error' in answer) {
    const { reason, cause, message } = answer.error
    process.stderr.write(`bench: ${cause === undefined ? reason : `${reason}, ${cause}`}: ${message}\n`)
    return exitCodes[reason] ?? exitCodes.closed
  }
  if (!flags.json) process.stdout.write(withNewline(toText(answer.reply)))
  return 0
}

async function readAsk(role: string, given: string | undefined, flags: AskFlags): Promise<StageAsk> {
  const problems: Problem[] = []
  const show = readShown(flags.show, problems)
  const shape = flags.shape === undefined ? undefined : readShape(flags.shape, problems)
  const work = flags.work === undefined ? undefined : StageAsk.shape.work.safeParse(flags.work)
  if (work?.success === false)
    problems.push(problemAt(`--work ${flags.work}`, 'is unknown', 'Use produce, judge, summarise or decide.'))
  // A prompt from stdin may be long in coming.
  if (problems.length > 0) throw new UserError(problems)
  const prompt = given === undefined || given === '-' ? await readStdin() : given
  if (prompt.trim() === '')
    throw new UserError(problemAt('PROMPT', 'is empty', 'Write what you ask, or give it over stdin.'))
  return {
    role,
    prompt,
    ...(flags.system !== undefined && { system: flags.system }),
    ...(flags.show.length > 0 && { show }),
    ...(shape && { shape }),
    ...(work?.data && { work: work.data }),
  }
}

const readStdin = async () => (process.stdin.isTTY ? '' : await text(process.stdin))

function readShown(given: readonly string[], problems: Problem[]): Record<string, string> {
  const shown = new Map<string, string>()
  for (const one of given) {
    const where = `--show ${one}`
    const [, name = '', file = ''] = /^([^=]+)=(.+)$/s.exec(one) ?? []
    if (name === '')
      problems.push({ where, what: 'is not NAME=FILE', fix: 'Write for example --show notes=notes.md.' })
    else if (shown.has(name))
      problems.push({ where, what: `gives ${name} twice`, fix: 'Give each name one file.' })
    else collect(problems, () => shown.set(name, readText(file, where)))
  }
  return Object.fromEntries(shown)
}

function readShape(file: string, problems: Problem[]): Record<string, unknown> | undefined {
  const where = `--shape ${file}`
  const content = collect(problems, () => readText(file, where))
  if (content === undefined) return undefined
  try {
    const shape: unknown = JSON.parse(content)
    if (typeof shape === 'object' && shape !== null && !Array.isArray(shape))
      return shape as Record<string, unknown>
  } catch {}
  problems.push({ where, what: 'is no JSON Schema', fix: 'Give a file with an object of JSON.' })
  return undefined
}

function collect<Value>(problems: Problem[], read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

const toText = (reply: unknown): string => (typeof reply === 'string' ? reply : JSON.stringify(reply))
const withNewline = (line: string): string => (line.endsWith('\n') ? line : `${line}\n`)

/** The exit codes of `ask` in a stage, by the reason for which there is no reply. docs/reference/stage-protocol.md lists them. */
const exitCodes: Readonly<Record<StageErrorReason, number>> = {
  agent: 1,
  invalid: 2,
  limit: 3,
  busy: 4,
  closed: 5,
}
