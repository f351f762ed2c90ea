import { isSameOrigin } from '../text/same-origin.ts'

/** A model server and the environment variables of its keys. Such a key is sent to no other server. */
export interface Server {
  /** Variables that may hold the key; the first one that is set counts. */
  keyVariables: readonly string[]
  /** Environment variable that overrides the base URL, as in the vendor's own tools. */
  baseUrlVariable?: string
  /** The default base URL; absent if every user has a different one. */
  baseUrl?: string
}

/** A provider with a server: its name, address and key. */
export interface Vendor extends Server {
  /** The provider's name before the colon. */
  name: string
  /** The server may work without a key, as self-hosted servers often do. */
  keyOptional?: true
  /** It may have no address: a user's program may call no server. */
  addressOptional?: true
  /** The end of every base URL's path, such as `/v1`; appended if it is missing. */
  version?: string
  /** Name in the price table, for calls of its own server; if absent, the table looks for the address. */
  billedBy?: string
  /** Another server, with keys of its own, that is called instead if the variable with its address is set. */
  instead?: Server
}

/**
 * Returns a vendor's name in the price table if the address is the vendor's own server. Its list prices apply nowhere else: a proxy
 * or a server of the user's own has other prices. Without an address, the vendor is called.
 */
export function billerAt(
  { billedBy, baseUrl }: Pick<Vendor, 'billedBy' | 'baseUrl'>,
  endpoint: string | undefined,
): string | undefined {
  return endpoint === undefined || isSameOrigin(baseUrl, endpoint) ? billedBy : undefined
}

/** Servers that several providers share. A provider with a server of its own describes that server in its own file. */
export const servers = {
  anthropic: {
    keyVariables: ['ANTHROPIC_API_KEY'],
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com',
  },
  openai: {
    keyVariables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    baseUrlVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
  },
  google: {
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com',
  },
  dashscope: {
    keyVariables: ['DASHSCOPE_API_KEY'],
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
  },
  compatible: {
    keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
    baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  },
} as const satisfies Record<string, Server>
