import { isObject } from '../../text/is-object.ts'
import type { Json } from '../wire/json.ts'
import {
  choice,
  each,
  having,
  list,
  ofProvider,
  only,
  ownName,
  record,
  type Shape,
  setting,
  text,
  typed,
} from './findings.ts'

const parts: Shape = (value, place) => partOf(value, place)

const source: Shape = (value) => {
  const { type } = isObject(value) ? value : {}
  if (type === 'base64' || type === 'text') return record('type media_type data')(value, 'a file')
  if (type === 'content') return record('type', { content: parts })(value, 'a file')
  const told = `has a file whose source is "${type}", which the provider would fetch`
  return [ofProvider(String(type), told, value)]
}
const file = having('source', record('type cache_control title context citations', { source }))

const partOf = typed(
  {
    text: record('type cache_control citations', { text }),
    thinking: record('type cache_control signature', { thinking: text }),
    redacted_thinking: record('type cache_control', { data: text }),
    tool_use: record('type cache_control id name input caller'),
    tool_reference: record('type cache_control tool_name'),
    tool_result: record('type cache_control tool_use_id is_error', { content: parts }),
    search_result: record('type cache_control title citations', { source: text, content: parts }),
    ...each('image document', file),
  },
  'part',
)

const ofTool = 'type cache_control strict defer_loading allowed_callers input_examples eager_input_streaming'
const custom = having('name', record(`${ofTool} description input_schema`, { name: ownName }))
/** Tools of Anthropic that the program runs itself have a date in their type. */
const dated = record(
  `${ofTool} name max_characters display_width_px display_height_px display_number enable_zoom`,
)
const isDated = /^(?:bash|text_editor|computer|memory)_\d{8}$/
const tools = typed({ custom, dated }, 'tool', ({ type }) =>
  typeof type === 'string' && isDated.test(type) ? 'dated' : (type ?? 'custom'),
)

/** What a request's context management may do: leave parts of the context out. A summary is a call of its own. */
const clearing = record('type trigger keep clear_at_least exclude_tools clear_tool_inputs')
const edits = list((edit, place) => {
  const { type }: Json = isObject(edit) ? edit : {}
  if (typeof type === 'string' && /^clear_[a-z_]+_\d{8}$/.test(type)) return clearing(edit, place)
  const told = `has the context management "${type}", which is a call of its own`
  return [ofProvider(String(type), told, edit)]
})

/** Judges the body of a request to Anthropic's Messages. */
export const messagesBody = setting(
  'model max_tokens stream temperature top_p top_k stop_sequences cache_control output_format',
  {
    system: parts,
    messages: list(record('role name id', { content: parts })),
    tools,
    tool_choice: choice,
    metadata: setting('user_id'),
    thinking: setting('type budget_tokens display'),
    output_config: setting('effort format'),
    context_management: record('', { edits }),
    service_tier: only(false, 'auto', 'standard_only'),
    speed: only(false, 'standard'),
    inference_geo: only(false, 'global'),
    mcp_servers: only(true, []),
    ...each('container thread', only(true)),
  },
)
