import type { Server } from './vendor.ts'

/** The servers that bench knows by their variables. The one place that says which key belongs where. */
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

type Environment = Readonly<Record<string, string | undefined>>

/** The server whose key a variable holds; undefined for a variable that only the user knows. */
export const ownerOf = (variable: string): Server | undefined =>
  Object.values<Server>(servers).find(({ keyVariables }) => keyVariables.includes(variable))

/** Whether an address is that of a server: its own, or the one that the environment gives for it. */
export function isAt(server: Server, address: string, environment: Environment): boolean {
  const { baseUrl, baseUrlVariable = '' } = server
  return [baseUrl, environment[baseUrlVariable]?.trim()].some((one) => isSameOrigin(one, address))
}

/** Scheme, host and port: whoever answers there gets the key, whatever the path. */
export function isSameOrigin(one: string | undefined, other: string): boolean {
  if (one === undefined || !URL.canParse(one) || !URL.canParse(other)) return false
  return new URL(one).origin === new URL(other).origin
}

/** A server as a person names it: its address, and the variable that may give another one. */
export function serverText({ baseUrl, baseUrlVariable }: Server): string {
  return [baseUrl, baseUrlVariable].filter((one) => one !== undefined).join(' or ')
}
