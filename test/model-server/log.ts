import { appendFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Usage } from './script.ts'

/** One request as the server saw it. */
export interface LogEntry {
  /** From 1 for requests that ask the model; 0 for others. */
  number: number
  /** Null for an unknown path. */
  wire: string | null
  method: string
  path: string
  model?: string
  stream?: boolean
  headers: Readonly<Record<string, string>>
  body: unknown
  /** 0: the socket was closed without a status. */
  status: number
  /** What the server counts for it; null: nothing was generated. */
  usage: Usage | null
  /** Whether a whole reply with this usage went out. */
  reported: boolean
  failure?: string
}

/** Log of a server; with a file, a JSON line for each entry as well. */
export function createLog(file: string | undefined): { entries: LogEntry[]; add(entry: LogEntry): void } {
  const entries: LogEntry[] = []
  return {
    entries,
    add(entry) {
      entries.push(entry)
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    },
  }
}

const secret = /^(authorization|x-api-key|x-goog-api-key|api-key|cookie|proxy-authorization)$/

/** Returns headers in which keys are replaced by their lengths. */
export function withoutKeys(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = String(value)
      return [name, secret.test(name) ? `<${text.length} characters>` : text]
    }),
  )
}

/** A path whose query holds no key. */
export const withoutKey = (url: URL): string => {
  const { searchParams } = url
  if (searchParams.has('key')) searchParams.set('key', 'REMOVED')
  return `${url.pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}
