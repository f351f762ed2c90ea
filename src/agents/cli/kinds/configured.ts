import { type AgentProgram, type Counts, pathSegment } from '../../../schema/agent/agent-program.ts'
import type { Tokens } from '../../../schema/tokens.ts'
import { type CliOutput, type CliReading, isJson, jsonLines, lastJson, unreportedTokens } from '../reading.ts'
import { causeOf, lastErrorLine } from './cause.ts'
import type { CliCall, CliKind } from './kind.ts'

/** An agent CLI that a config file describes, as one that is known by name. */
export function configuredCli(program: AgentProgram): CliKind {
  const { command, resume, env = {}, home = {}, keyInside, window } = program
  return {
    name: 'cli',
    summary: 'A program of your own, as the config file says.',
    program: command[0] as string,
    keyVariables: [],
    keyOptional: true,
    addressOptional: true,
    ...(keyInside !== undefined && { keyInside }),
    ...(window !== undefined && { window }),
    args: (call) => (call.session !== undefined && resume ? resume : command).slice(1).map(filledBy(call)),
    env: (call) => mapped(env, filledBy(call)),
    home: (call) => mapped(home, filledBy(call)),
    read: (output) => readConfigured(program, output),
  }
}

const filledBy =
  ({ model, baseUrl, session = '' }: CliCall) =>
  (text: string) =>
    text.replace(/\{(model|baseUrl|session)\}/g, (_, word) => ({ model, baseUrl, session })[word as 'model'])

const mapped = (texts: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))

/**
 * Reads what such a program left. It succeeded if it tells no error and delivered an answer, whatever its exit code; what
 * it does not tell is null, and not 0.
 */
export function readConfigured(program: AgentProgram, output: CliOutput): CliReading {
  const { session: sessionPath, resume, tokens, cost, usage: usagePath, totals = [] } = program
  const told = toldIn(program, output)
  const session = resume && sessionPath !== undefined && lastText(told, sessionPath)
  const usage = usagePath === undefined ? undefined : valuesAt(told, usagePath).findLast(isJson)
  const text = answerOf(program, told)
  const error = errorOf(program, told, text, output)
  return {
    text: error ? '' : text,
    ...(session && { session }),
    tokens: tokens ? tokensAt(told, tokens) : unreportedTokens,
    costUsd: cost === undefined ? null : countAt(told, cost),
    cumulative: { tokens: totals.includes('tokens'), cost: totals.includes('cost') },
    ...(usage && { usage }),
    ...(error && { error }),
  }
}

/** The value that paths look into; undefined where nothing could be read. Errors may stand on the other stream. */
function toldIn({ output = 'json' }: AgentProgram, { stdout, stderr }: CliOutput): unknown {
  if (output === 'text') return stdout.trim()
  if (output === 'json') return structured(lastJson(stdout)) ?? structured(lastJson(stderr))
  const events = jsonLines(stdout)
  return events.length > 0 ? events : undefined
}

const structured = (value: unknown) => (typeof value === 'object' && value !== null ? value : undefined)

function answerOf({ text }: AgentProgram, told: unknown): string {
  if (text === undefined) return String(told)
  if (typeof text === 'string') return lastText(told, text)
  return texts(told, text.all).join('\n')
}

const texts = (told: unknown, path: string) =>
  valuesAt(told, path).filter((value): value is string => typeof value === 'string')
const lastText = (told: unknown, path: string) => texts(told, path).at(-1) ?? ''

function errorOf(
  { output, error, status: statusPath }: AgentProgram,
  told: unknown,
  text: string,
  { stderr, exitCode }: CliOutput,
): CliReading['error'] {
  const [fault] = error === undefined ? [] : valuesAt(told, error).filter(Boolean).slice(-1)
  const numbers = statusPath === undefined ? [] : valuesAt(told, statusPath)
  const status = numbers.findLast((value) => typeof value === 'number') ?? null
  if (fault !== undefined) {
    const message = messageOf(fault) || text || lastErrorLine(stderr) || 'it says that it failed'
    return { reason: causeOf(message, status as number | null), message }
  }
  // A program that was killed may have printed a part.
  if (text.trim() !== '' && exitCode !== null) return undefined
  if (exitCode === 0 && (told !== undefined || output === 'text')) return undefined
  const message = lastErrorLine(stderr) || `ended with exit code ${exitCode} and no answer`
  return { reason: causeOf(message, status as number | null), message }
}

const longestMessage = 500

function messageOf(fault: unknown): string {
  if (typeof fault === 'string') return fault
  if (isJson(fault) && typeof fault.message === 'string') return fault.message
  const whole = typeof fault === 'object' ? JSON.stringify(fault) : ''
  return whole.length > longestMessage ? `${whole.slice(0, longestMessage - 1)}…` : whole
}

function tokensAt(told: unknown, paths: NonNullable<AgentProgram['tokens']>): Tokens {
  const at = (counts: Counts | undefined) => (counts === undefined ? null : countAt(told, counts))
  const [cacheWrite, reasoning] = [at(paths.cacheWrite), at(paths.reasoning)]
  return {
    input: at(paths.input),
    output: at(paths.output),
    cached: at(paths.cached),
    ...(cacheWrite !== null && { cacheWrite }),
    ...(reasoning !== null && { reasoning }),
  }
}

/** The sum, null where its first part is not told or one of them is no amount. */
function countAt(told: unknown, counts: Counts): number | null {
  const [first, ...further] = (Array.isArray(counts) ? counts : [counts]).map((count) => {
    const found = valuesAt(told, typeof count === 'string' ? count : count.last)
    return typeof count === 'string' ? found : found.slice(-1)
  })
  if (!first || first.length === 0) return null
  const parts = [...first, ...further.flat().filter((part) => part !== null)]
  return parts.every(isAmount) ? parts.reduce((sum, part) => sum + part, 0) : null
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** All that a path (`JsonPath`) finds in a JSON value, in the order in which it stands there. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const segments = path.matchAll(new RegExp(pathSegment, 'g'))
  return [...segments].reduce((found, segment) => found.flatMap((one) => step(one, segment)), [value])
}

function step(value: unknown, [, name, quoted, index, all, field, literal]: RegExpMatchArray): unknown[] {
  const key = name ?? quoted
  if (key !== undefined) return isJson(value) && Object.hasOwn(value, key) ? [value[key]] : []
  if (index !== undefined) return Array.isArray(value) ? itemAt(value, Number(index)) : []
  const items = Array.isArray(value) ? value : isJson(value) ? Object.values(value) : []
  if (all !== undefined) return items
  const wanted = literalOf(literal as string)
  return items.filter((item) => valuesAt(item, `$${field}`).includes(wanted))
}

const itemAt = (list: readonly unknown[], index: number): unknown[] =>
  index < list.length && index >= -list.length ? [list.at(index)] : []

function literalOf(text: string): unknown {
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)
}
