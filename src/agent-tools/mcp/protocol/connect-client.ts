import type { Client, Transport } from '@modelcontextprotocol/client'
import { loadPackage } from '../../../base/load-package.ts'

/** Options of one request. */
export type Options = NonNullable<Parameters<Client['connect']>[1]>

/** Returns the package of the client, which is loaded when the first server starts: few runs have one. */
export const loadClient = () =>
  loadPackage('@modelcontextprotocol/client') as typeof import('@modelcontextprotocol/client')

/**
 * Makes the handshake, by `initialize` as nearly all servers know it. A server that refuses it may be one of the protocol without it.
 * No capabilities are offered: what a server asks of a client (a model, a form, the user's folders) is refused.
 */
export async function connectClient(transport: Transport, options: () => Options): Promise<Client> {
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
