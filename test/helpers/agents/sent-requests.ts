import type { Wire } from '../../../src/schema/agent/agent-program.ts'
import { tableOf } from '../house/tables.ts'

/** What an agent CLI sends to its provider, at the version of scripts/install-clis.mjs. */
export interface SentRequests {
  wire: Wire
  /** Method, path and query; M is the model. */
  lines: readonly string[]
  /** Fields of the body. */
  fields: readonly string[]
  /** Types of tools; `none` for one without a type, for Gemini the fields of a tool. */
  tools: readonly string[]
}

/** All that the five CLIs were seen to send: with shell and file tools, in resumed sessions, with sub-agents, when they compact. */
export const sentRequests: Readonly<Record<string, SentRequests>> = tableOf(import.meta.url, 'sentRequests')
