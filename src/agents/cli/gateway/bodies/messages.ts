import { isObject } from '../../../../text/is-object.ts'
import type { Json } from '../../../wire/json.ts'
import {
  choiceFindings,
  type Fields,
  type Finding,
  fieldFindings,
  flat,
  ofProvider,
  type PartRules,
  partFindings,
  plain,
  toolFindings,
} from '../findings.ts'

const fields: Fields = {
  free: new Set([
    ...[
      'model',
      'messages',
      'system',
      'tools',
      'tool_choice',
      'max_tokens',
      'metadata',
      'stream',
      'thinking',
    ],
    ...['temperature', 'top_p', 'top_k', 'stop_sequences', 'output_config', 'output_format', 'cache_control'],
    'context_management',
  ]),
  values: { service_tier: { allowed: ['standard_only'], isProviders: false } },
  providers: new Set(['mcp_servers', 'container']),
}

/** What a request's context management may do: leave parts of the context out. A summary is a call of its own. */
const clearing = /^clear_[a-z_]+_\d{8}$/

/** Tools of Anthropic that the program runs itself. */
const clientRun = /^(?:bash|text_editor|computer|memory)_\d{8}$/

const source = ({ source }: Json): Iterable<Finding> => {
  const { type } = isObject(source) ? source : {}
  if (type === 'base64' || type === 'text') return []
  if (type === 'content' && isObject(source)) return partFindings(source.content, parts)
  return [ofProvider(String(type), `has a file whose source is "${type}", which the provider would fetch`)]
}

const parts: PartRules = {
  ...Object.fromEntries(
    ['text', 'thinking', 'redacted_thinking', 'tool_use', 'tool_reference'].map((type) => [type, plain]),
  ),
  image: source,
  document: source,
  search_result: plain,
  tool_result: ({ content }) => partFindings(content, parts),
}

/** Judges the body of a request to Anthropic's Messages. */
export function* messagesFindings(body: Json, isOwnModel: (model: string) => boolean): Generator<Finding> {
  yield* fieldFindings(body, fields, 'its body')
  yield* choiceFindings(body.tool_choice)
  yield* toolFindings(
    body.tools,
    ({ type, name }) => {
      if (type === undefined || type === null || type === 'custom') return typeof name === 'string'
      return typeof type === 'string' && clientRun.test(type)
    },
    isOwnModel,
  )
  yield* partFindings(body.system, parts)
  for (const message of flat(body.messages))
    if (isObject(message)) yield* partFindings(message.content, parts)
  const { context_management: management } = body
  for (const edit of flat(isObject(management) ? management.edits : undefined)) {
    const { type } = isObject(edit) ? edit : {}
    if (typeof type !== 'string' || !clearing.test(type))
      yield ofProvider(String(type), `has the context management "${type}", which is a call of its own`)
  }
}
