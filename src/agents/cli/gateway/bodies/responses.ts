import { isObject } from '../../../../text/is-object.ts'
import type { Json } from '../../../wire/json.ts'
import {
  choiceFindings,
  type Fields,
  type Finding,
  fieldFindings,
  inlineFindings,
  ofProvider,
  type PartRules,
  partFindings,
  plain,
  toolFindings,
} from '../findings.ts'

const fields: Fields = {
  free: new Set([
    ...['model', 'stream', 'stream_options', 'input', 'instructions', 'tools', 'tool_choice', 'include'],
    ...['parallel_tool_calls', 'reasoning', 'text', 'max_output_tokens', 'max_tool_calls', 'temperature'],
    ...['top_p', 'top_logprobs', 'truncation', 'metadata', 'client_metadata', 'safety_identifier', 'user'],
    ...['prompt_cache_key', 'prompt_cache_retention'],
  ]),
  values: {
    store: { allowed: [false], isProviders: true },
    background: { allowed: [false], isProviders: true },
    service_tier: { allowed: ['auto', 'default'], isProviders: false },
  },
  providers: new Set(['previous_response_id', 'conversation', 'prompt', 'context_management']),
}

const file = function* ({ image_url, file_data, file_url, file_id }: Json): Generator<Finding> {
  yield* inlineFindings(image_url, 'image_url')
  yield* inlineFindings(file_data, 'file_data', true)
  for (const [name, value] of Object.entries({ file_url, file_id }))
    if (value != null) yield ofProvider(name, `has a ${name}, which the provider would fetch`)
}

const texts = ['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text']
const parts: PartRules = {
  ...Object.fromEntries([...texts, 'encrypted_content'].map((type) => [type, plain])),
  input_image: file,
  input_file: file,
}

const output = ({ output }: Json) => partFindings(output, parts)

/** Items of an input by type. Lists of tools may stand in them, too. */
const itemRules = (isOwnModel: (model: string) => boolean): PartRules => {
  const tools = ({ tools }: Json) => toolFindings(tools, isClients(isOwnModel), isOwnModel)
  const calls = ['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call']
  return {
    ...Object.fromEntries([...calls, 'tool_search_call', 'reasoning'].map((type) => [type, plain])),
    ...Object.fromEntries(calls.map((type) => [`${type}_output`, output])),
    message: ({ content }) => partFindings(content, parts),
    additional_tools: tools,
    tool_search_output: tools,
    agent_message: ({ content }) => partFindings(content, parts),
  }
}

/** Whether the program runs a tool; of a group of tools, what is found in it. */
const isClients =
  (isOwnModel: (model: string) => boolean) =>
  (tool: Json): boolean | Iterable<Finding> => {
    const { type, tools, environment, execution } = tool
    if (type === 'namespace') return toolFindings(tools, isClients(isOwnModel), isOwnModel)
    if (type === 'shell') return isObject(environment) && environment.type === 'local'
    if (type === 'tool_search') return execution === 'client'
    return type === 'function' || type === 'custom' || type === 'local_shell' || type === 'apply_patch'
  }

/** Judges the body of a request to OpenAI's Responses. */
export function* responsesFindings(body: Json, isOwnModel: (model: string) => boolean): Generator<Finding> {
  yield* fieldFindings(body, fields, 'its body')
  if (body.store === null) yield ofProvider('store', 'leaves it to the provider to store the reply')
  yield* choiceFindings(body.tool_choice)
  yield* toolFindings(body.tools, isClients(isOwnModel), isOwnModel)
  yield* partFindings(body.input, itemRules(isOwnModel), 'message')
}
