import { isWebAddress, publicAddress } from '../../agents/http/address.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { createRedactor } from '../../text/redact.ts'

/** Where traces are sent. */
export interface Collector {
  url: string
  headers: Readonly<Record<string, string>>
  /** Removes the values of the headers from what a collector says. */
  clean(message: string): string
}

const path = '/v1/traces'

/** Variables of OpenTelemetry with headers as `name=value,…`, the one for traces alone last. */
const headerVariables = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads `--to`, the address of a collector with or without the path for traces, and its headers from the environment. Throws `UserError`, which
 * shows no value of a header.
 */
export function readCollector(to: string, environment: Environment): Collector {
  const where = `--to ${isWebAddress(to) ? publicAddress(to) : to}`
  const problems: Problem[] = []
  if (!isWebAddress(to))
    problems.push({ where, what: 'is not a web address', fix: 'Write it like http://localhost:4318.' })
  else if (new URL(to).username !== '' || new URL(to).password !== '')
    problems.push({
      where,
      what: 'has a user and a password',
      fix: `Give them as a header: ${headerVariables[0]}='authorization=Basic …'.`,
    })
  const headers = Object.assign(
    {},
    ...headerVariables.map((name) => readHeaders(name, environment[name] ?? '', problems)),
  ) as Record<string, string>
  if (problems.length > 0) throw new UserError(problems)
  const secrets = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
  const redactor = createRedactor(secrets.map((value) => ({ name: headerVariables[0], value })))
  return {
    url: tracesAddress(to),
    headers,
    clean: (message) => redactor?.cut(message) ?? message,
  }
}

function tracesAddress(to: string): string {
  const url = new URL(to)
  const base = url.pathname.replace(/\/+$/, '')
  if (!base.endsWith(path)) url.pathname = `${base}${path}`
  return url.href
}

function readHeaders(variable: string, text: string, problems: Problem[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [at, pair] of text.split(',').entries()) {
    if (pair.trim() === '') continue
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/s.exec(pair) ?? []
    const read = decode(value)
    if (name === '' || read === undefined)
      problems.push({
        where: variable,
        what: `has a header, number ${at + 1}, that cannot be read`,
        fix: 'Write name=value,name=value, and encode other characters of values as in addresses: %2C for a comma.',
      })
    else headers[name.toLowerCase()] = read
  }
  return headers
}

/** Returns a value without its escapes; undefined if these are wrong, or if it is none for a header. */
function decode(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value)
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
