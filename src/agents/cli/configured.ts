import { type AgentProgram, type Counts, pathSegment } from '../../schema/agent/agent-program.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { isObject } from '../../text/is-object.ts'
import { shortenEnd } from '../../text/shorten.ts'
import { allWires } from '../gateway/wires.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { causeOf, endMessage } from './cause.ts'
import { type CliCall, type CliKind, type CliOutput, type CliReading, jsonLines, lastJson } from './kind.ts'

/** Makes a kind of agent CLI from its description in a config file. */
export function configuredCli(program: AgentProgram): CliKind {
  const { command, resume, env = {}, home = {}, keyInside, wires, models, window } = program
  return {
    name: 'cli',
    summary: 'A program of your own, described in the config file.',
    program: command[0] as string,
    keyVariables: [],
    keyOptional: true,
    addressOptional: true,
    wires: wires ?? allWires,
    // Its own settings say what it may use: the server is `$BENCH_STAGE/role-tools.mjs`.
    directs: true,
    ...(models && { models }),
    ...(keyInside !== undefined && { keyInside }),
    ...(window !== undefined && { window }),
    args: (call) =>
      (call.session !== undefined && resume ? resume : command).slice(1).map(fillPlaceholders(call)),
    env: (call) => mapped(env, fillPlaceholders(call)),
    home: (call) => mapped(home, fillPlaceholders(call)),
    read: (output) => readConfigured(program, output),
  }
}

const fillPlaceholders =
  ({ model, baseUrl, session = '' }: CliCall) =>
  (text: string) =>
    text.replace(/\{(model|baseUrl|session)\}/g, (_, word) => ({ model, baseUrl, session })[word as 'model'])

const mapped = (texts: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))

/**
 * Reads the output of a described program. The call succeeded if there is an answer and no error, whatever the exit code.
 * Numbers that it does not report are null, not 0.
 */
export function readConfigured(program: AgentProgram, output: CliOutput): CliReading {
  const { session: sessionPath, resume, tokens, cost, usage: usagePath, totals = [] } = program
  const json = parseOutput(program, output)
  const session = resume && sessionPath !== undefined && lastText(json, sessionPath)
  const usage = usagePath === undefined ? undefined : valuesAt(json, usagePath).findLast(isObject)
  const text = answerOf(program, json)
  const error = errorOf(program, json, text, output)
  return {
    text: error ? '' : text,
    ...(session && { session }),
    tokens: tokens ? tokensAt(json, tokens) : unreportedTokens,
    costUsd: cost === undefined ? null : countAt(json, cost),
    cumulative: { tokens: totals.includes('tokens'), cost: totals.includes('cost') },
    ...(usage && { usage }),
    ...(error && { error }),
  }
}

function parseOutput({ output = 'json' }: AgentProgram, { stdout, stderr }: CliOutput): unknown {
  if (output === 'text') return stdout.trim()
  if (output === 'json') return structured(lastJson(stdout)) ?? structured(lastJson(stderr))
  const events = jsonLines(stdout)
  return events.length > 0 ? events : undefined
}

const structured = (value: unknown) => (typeof value === 'object' && value !== null ? value : undefined)

function answerOf({ text }: AgentProgram, json: unknown): string {
  if (text === undefined) return String(json)
  if (typeof text === 'string') return lastText(json, text)
  return texts(json, text.all).join('\n')
}

const texts = (json: unknown, path: string) =>
  valuesAt(json, path).filter((value): value is string => typeof value === 'string')
const lastText = (json: unknown, path: string) => texts(json, path).at(-1) ?? ''

function errorOf(
  { output, error, status: statusPath }: AgentProgram,
  json: unknown,
  text: string,
  end: CliOutput,
): CliReading['error'] {
  const [reported] = error === undefined ? [] : valuesAt(json, error).filter(Boolean).slice(-1)
  const numbers = statusPath === undefined ? [] : valuesAt(json, statusPath)
  const status = numbers.findLast((value) => typeof value === 'number') ?? null
  if (reported !== undefined) {
    const message = messageOf(reported) || text || endMessage(end, 'no message')
    return { reason: causeOf(message, status as number | null), message }
  }
  // A killed program may have printed part of an answer.
  if (text.trim() !== '' && end.exitCode !== null) return undefined
  if (end.exitCode === 0 && (json !== undefined || output === 'text')) return undefined
  const message = endMessage(end, 'no answer')
  return { reason: causeOf(message, status as number | null), message }
}

const longestMessage = 500

function messageOf(fault: unknown): string {
  if (typeof fault === 'string') return fault
  if (isObject(fault) && typeof fault.message === 'string') return fault.message
  const whole = typeof fault === 'object' ? JSON.stringify(fault) : ''
  return shortenEnd(whole, longestMessage)
}

function tokensAt(json: unknown, paths: NonNullable<AgentProgram['tokens']>): Tokens {
  const at = (counts: Counts | undefined) => (counts === undefined ? null : countAt(json, counts))
  const [cacheWrite, reasoning] = [at(paths.cacheWrite), at(paths.reasoning)]
  return {
    input: at(paths.input),
    output: at(paths.output),
    cached: at(paths.cached),
    ...(cacheWrite !== null && { cacheWrite }),
    ...(reasoning !== null && { reasoning }),
  }
}

function countAt(json: unknown, counts: Counts): number | null {
  const [first, ...further] = (Array.isArray(counts) ? counts : [counts]).map((count) => {
    const found = valuesAt(json, typeof count === 'string' ? count : count.last)
    return typeof count === 'string' ? found : found.slice(-1)
  })
  if (!first || first.length === 0) return null
  const parts = [...first, ...further.flat().filter((part) => part !== null)]
  return parts.every(isAmount) ? parts.reduce((sum, part) => sum + part, 0) : null
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Returns all values that a path (`JsonPath`) finds in a JSON value, in document order. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const segments = path.matchAll(new RegExp(pathSegment, 'g'))
  return [...segments].reduce((found, segment) => found.flatMap((one) => step(one, segment)), [value])
}

function step(value: unknown, [, name, quoted, index, all, field, literal]: RegExpMatchArray): unknown[] {
  const key = name ?? quoted
  if (key !== undefined) return isObject(value) && Object.hasOwn(value, key) ? [value[key]] : []
  if (index !== undefined) return Array.isArray(value) ? itemAt(value, Number(index)) : []
  const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  if (all !== undefined) return items
  const wanted = literalOf(literal as string)
  return items.filter((item) => valuesAt(item, `$${field}`).includes(wanted))
}

const itemAt = (list: readonly unknown[], index: number): unknown[] =>
  index < list.length && index >= -list.length ? [list.at(index)] : []

function literalOf(text: string): unknown {
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)
}
