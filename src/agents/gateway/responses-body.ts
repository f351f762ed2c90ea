import { isObject } from '../../text/is-object.ts'
import type { Json } from '../wire/json.ts'
import {
  choice,
  each,
  flat,
  having,
  inline,
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

const ofPart = 'type annotations logprobs cache_control prompt_cache_breakpoint'
const image = record(`${ofPart} detail`, { image_url: inline('image_url') })
const parts = typed(
  {
    ...each('input_text output_text text summary_text reasoning_text', record(ofPart, { text })),
    refusal: record(ofPart, { refusal: text }),
    encrypted_content: record(ofPart, { encrypted_content: text }),
    input_image: image,
    computer_screenshot: image,
    input_file: record(`${ofPart} filename detail`, { file_data: inline('file_data', true) }),
  },
  'part',
)

const ofTool = 'type name description defer_loading allowed_callers'
const tools: Shape = (value, place) => toolOf(value, place)
const local = record('type', { skills: list(record('name description path')) })
/** Some tools are the program's only if they say so. */
const typeOf = ({ type, environment, execution }: Json) => {
  if (type === 'shell' && !(isObject(environment) && environment.type === 'local')) return undefined
  return type === 'tool_search' && execution !== 'client' ? undefined : type
}
const toolOf = typed(
  {
    function: record(`${ofTool} parameters strict output_schema`, { name: ownName }),
    custom: record(`${ofTool} format`, { name: ownName }),
    namespace: record(ofTool, { tools }),
    ...each('shell', record(ofTool, { environment: local })),
    tool_search: record(`${ofTool} execution parameters`),
    ...each('local_shell apply_patch', record(ofTool)),
  },
  'tool',
  typeOf,
)

const ofItem = 'type id call_id status name namespace caller created_by agent phase'
const messageFields = `${ofItem} role author recipient channel end_turn`
const message = having('content', record(messageFields, { content: parts }))
const output = having('output', record(`${ofItem} success`, { output: parts }))
const streams = list(record('stdout stderr outcome created_by'))
/** An item with an id alone stands for one that the provider keeps. */
const reasoning: Shape = function* (value, place) {
  const { id, encrypted_content, summary, content }: Json = isObject(value) ? value : {}
  if (id != null && flat([encrypted_content, summary, content]).every((one) => one == null || one === ''))
    yield ofProvider('item_reference', 'has a reasoning by its id alone, which the provider keeps', value)
  else yield* record(ofItem, { encrypted_content: text, summary: parts, content: parts })(value, place)
}

/** Items of an input by type. Lists of tools may stand in them, too. */
const items = typed(
  {
    message: having('role', message),
    agent_message: message,
    reasoning,
    function_call: having('name arguments', record(`${ofItem} arguments`)),
    custom_tool_call: having('name input', record(`${ofItem} input`)),
    ...each(
      'local_shell_call computer_call',
      having('action', record(`${ofItem} action pending_safety_checks`)),
    ),
    shell_call: having('action', record(`${ofItem} action max_output_length`, { environment: local })),
    apply_patch_call: having('operation', record(`${ofItem} operation`)),
    tool_search_call: having('arguments', record(`${ofItem} execution arguments`)),
    ...each(
      'function_call_output custom_tool_call_output local_shell_call_output apply_patch_call_output',
      output,
    ),
    shell_call_output: having(
      'output',
      record(`${ofItem} max_output_length`, {
        output: (value, place) => (typeof value === 'string' ? [] : streams(value, place)),
      }),
    ),
    computer_call_output: having('output', record(`${ofItem} acknowledged_safety_checks`, { output: parts })),
    compaction: having('encrypted_content', record(ofItem, { encrypted_content: text })),
    additional_tools: record(`${ofItem} role`, { tools }),
    tool_search_output: record(`${ofItem} execution`, { tools }),
  },
  'part',
  ({ type, id, role }) => type ?? (role == null && id != null ? 'item_reference' : 'message'),
)

const included = [
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'message.input_image.image_url',
]

/** Judges the body of a request to OpenAI's Responses. */
export const responsesBody = setting(
  'model stream stream_options parallel_tool_calls max_output_tokens max_tool_calls temperature top_p top_logprobs ' +
    'truncation metadata client_metadata safety_identifier user prompt_cache_key prompt_cache_retention',
  {
    input: items,
    instructions: text,
    tools,
    tool_choice: choice,
    include: list(only(true, ...included)),
    reasoning: setting('effort summary generate_summary context'),
    text: setting('format verbosity'),
    store: only(true, false),
    background: only(true, false),
    context_management: only(true, []),
    modalities: only(false, ['text']),
    service_tier: only(false, 'auto', 'default'),
    ...each('previous_response_id conversation prompt', only(true)),
  },
)
