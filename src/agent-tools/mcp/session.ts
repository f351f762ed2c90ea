import type { Client, Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { loadPackage } from '../../base/load-package.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import type { StageFolder } from '../../sandbox/sandbox.ts'
import type { ToolServer } from '../../schema/tool/tool-set.ts'
import type { Channel, Unanswered } from './channel.ts'

/** A server that answered the handshake. */
export interface Session {
  server: ToolServer
  tools: readonly ListedTool[]
  call(name: string, args: Record<string, unknown>, timeoutMs: number, signal?: AbortSignal): Promise<CallEnd>
}

/** How one request ended. After `closed` and `timeout` the server cannot be used any more. */
export type CallEnd =
  | { kind: 'answer'; result: CallAnswer }
  | Unanswered
  | { kind: 'timeout' }
  | { kind: 'closed' }

/** How a request ended that has no answer. */
export type Failure = Exclude<CallEnd, { kind: 'answer' }>

/** What the tool gave. Its content is read by `resultText`. */
const CallAnswer = z.object({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})
export type CallAnswer = z.infer<typeof CallAnswer>

class GivenUp extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Makes the handshake and lists the tools, in `timeoutMs` together. */
export async function openSession(
  channel: Channel,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Session | { failure: Failure; request: string }> {
  const startedAt = performance.now()
  const left = () => Math.max(1, timeoutMs - (performance.now() - startedAt))
  let asked = 'initialize'
  const opened = await request(channel, signal, async (options) => {
    const client = await connectClient(channel.transport, () => ({ ...options, timeout: clamp(left()) }))
    asked = 'tools/list'
    const tools = await listTools((cursor) =>
      client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, ToolPage, {
        ...options,
        timeout: clamp(left()),
      }),
    )
    return { client, tools }
  })
  if (opened.kind !== 'answer') return { failure: opened, request: asked }
  const { client, tools } = opened.result
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    server: { name: nameOf(name), version: nameOf(version) },
    tools,
    call(name, args, limit, stop) {
      channel.forgetStray()
      return request(channel, stop, (options) =>
        client.request({ method: 'tools/call', params: { name, arguments: args } }, CallAnswer, {
          ...options,
          timeout: clamp(limit),
        }),
      )
    },
  }
}

const nameOf = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200) || 'unknown'

const ToolPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })

const clamp = (ms: number) => Math.min(Math.ceil(ms), longestTimer)

const closedCodes = ['ConnectionClosed', 'NotConnected', 'SendFailed'] as const

/** Makes requests, and returns how they ended. Rejects with the signal's reason alone. */
async function request<Result>(
  channel: Channel,
  signal: AbortSignal | undefined,
  ask: (options: Options) => Promise<Result>,
): Promise<{ kind: 'answer'; result: Result } | Failure> {
  const { ProtocolError, SdkError, SdkErrorCode } = loadClient()
  signal?.throwIfAborted()
  const giveUp = new AbortController()
  channel.onUnanswered = (why) => giveUp.abort(new GivenUp(why))
  try {
    const options = { signal: signal ? AbortSignal.any([giveUp.signal, signal]) : giveUp.signal }
    return { kind: 'answer', result: await ask(options) }
  } catch (error) {
    signal?.throwIfAborted()
    const { reason } = giveUp.signal
    if (reason instanceof GivenUp) return reason.failure
    if (error instanceof ProtocolError) return { kind: 'refused', code: error.code, message: error.message }
    if (error instanceof SdkError) {
      if (error.code === SdkErrorCode.RequestTimeout) return { kind: 'timeout' }
      if (closedCodes.some((code) => error.code === SdkErrorCode[code])) return { kind: 'closed' }
      return { kind: 'no-answer' }
    }
    const { message } = error as Error
    if (message === 'Not connected') return { kind: 'closed' }
    return { kind: 'refused', code: 0, message }
  } finally {
    channel.onUnanswered = undefined
  }
}

type Options = NonNullable<Parameters<Client['connect']>[1]>

/** Returns the package of the client, which is loaded when the first server starts: few runs have one. */
const loadClient = () =>
  loadPackage('@modelcontextprotocol/client') as typeof import('@modelcontextprotocol/client')

/**
 * Makes the handshake, by `initialize` as nearly all servers know it. A server that refuses it may be one of the protocol without it.
 * No capabilities are offered: what a server asks of a client (a model, a form, the user's folders) is refused.
 */
async function connectClient(transport: Transport, options: () => Options): Promise<Client> {
  const { Client, ProtocolError } = loadClient()
  const info = { name: 'orchestration-bench', version: '1' }
  const usual = new Client(info, { capabilities: {} })
  try {
    await usual.connect(transport, options())
    return usual
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const versionNegotiation = { mode: { pin: '2026-07-28' } }
    const modern = new Client(info, {
      capabilities: {},
      versionNegotiation,
      inputRequired: { autoFulfill: false },
    })
    try {
      await modern.connect(transport, options())
    } catch {
      throw error
    }
    return modern
  }
}

/** A tool as its server describes it. */
export interface ListedTool {
  name: string
  description: string
  inputSchema?: unknown
}

/** The most pages that are asked for, and the most tools that are taken. */
const [mostPages, mostTools] = [64, 2000]

const Listed = z.object({
  name: z.string(),
  description: z.string().nullish(),
  inputSchema: z.unknown().optional(),
})

/**
 * Lists the tools of a server, page by page. A cursor is any text, the empty one too; one that was given before ends the list, since
 * some servers give the same cursor for ever. Tools without a name are left out.
 */
export async function listTools(
  getPage: (cursor?: string) => Promise<z.infer<typeof ToolPage>>,
): Promise<ListedTool[]> {
  const listed: ListedTool[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { tools, nextCursor } = await getPage(cursor)
    for (const tool of tools) {
      const { data } = Listed.safeParse(tool)
      if (data) listed.push({ ...data, description: data.description ?? '' })
    }
    if (typeof nextCursor !== 'string' || seen.has(nextCursor) || listed.length >= mostTools) break
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return withoutCopies(listed).slice(0, mostTools)
}

/** Drops tools that are listed twice with the same words, as by a page that is given again. */
const withoutCopies = (tools: readonly ListedTool[]): ListedTool[] => [
  ...new Map(tools.map((tool) => [JSON.stringify(tool), tool])).values(),
]

/** Returns tools whose texts are the same at every level of the sandbox: without the real paths of its folders. */
export function cleanTools(
  tools: readonly ListedTool[],
  { hidePaths }: Pick<StageFolder, 'hidePaths'>,
): ListedTool[] {
  return tools.map((tool) => JSON.parse(hidePaths(JSON.stringify(tool))) as ListedTool)
}
