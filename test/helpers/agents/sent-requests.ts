import type { Wire } from '../../../src/schema/agent/agent-program.ts'

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
export const sentRequests: Readonly<Record<string, SentRequests>> = {
  'claude-cli': {
    wire: 'messages',
    lines: ['POST /v1/messages?beta=true'],
    fields: [
      ...['model', 'messages', 'system', 'tools', 'metadata', 'max_tokens', 'thinking', 'context_management'],
      ...['stream', 'output_config', 'temperature'],
    ],
    tools: ['none'],
  },
  'codex-cli': {
    wire: 'responses',
    lines: ['POST /v1/responses'],
    fields: [
      ...['model', 'stream', 'input', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'store'],
      ...['include', 'prompt_cache_key', 'client_metadata', 'text', 'instructions'],
    ],
    tools: ['function', 'namespace', 'custom'],
  },
  'gemini-cli': {
    wire: 'gemini',
    lines: ['POST /v1beta/models/M:streamGenerateContent?alt=sse'],
    fields: ['contents', 'systemInstruction', 'tools', 'generationConfig'],
    tools: ['functionDeclarations'],
  },
  'qwen-cli': {
    wire: 'chat',
    lines: ['POST /v1/chat/completions'],
    fields: [
      ...['model', 'messages', 'max_tokens', 'stream', 'stream_options', 'tools', 'chat_template_kwargs'],
    ],
    tools: ['function'],
  },
  'opencode-cli': {
    wire: 'chat',
    lines: ['POST /v1/chat/completions'],
    fields: ['model', 'max_tokens', 'messages', 'tools', 'tool_choice', 'stream', 'stream_options'],
    tools: ['function'],
  },
}
