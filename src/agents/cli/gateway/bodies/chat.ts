import { isObject } from '../../../../text/is-object.ts'
import type { Json } from '../../../wire/json.ts'
import {
  choiceFindings,
  type Fields,
  type Finding,
  fieldFindings,
  flat,
  inlineFindings,
  ofProvider,
  type PartRules,
  partFindings,
  plain,
  toolFindings,
} from '../findings.ts'

const fields: Fields = {
  free: new Set([
    ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
    ...['max_tokens', 'max_completion_tokens', 'stream', 'stream_options', 'temperature', 'top_p', 'top_k'],
    ...['min_p', 'top_a', 'presence_penalty', 'frequency_penalty', 'repetition_penalty', 'stop', 'seed', 'n'],
    ...['logit_bias', 'logprobs', 'top_logprobs', 'response_format', 'prediction', 'user', 'metadata'],
    ...['safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'verbosity', 'usage'],
    ...['reasoning', 'reasoning_effort', 'reasoning_format', 'include_reasoning', 'reasoning_split'],
    ...['thinking', 'thinking_budget', 'enable_thinking', 'preserve_thinking', 'chat_template_kwargs'],
    ...['vl_high_resolution_images', 'tool_stream'],
  ]),
  values: {
    store: { allowed: [false], isProviders: true },
    enable_search: { allowed: [false], isProviders: true },
    service_tier: { allowed: ['auto', 'default'], isProviders: false },
  },
  providers: new Set(['web_search_options', 'plugins', 'search_parameters', 'search_options', 'web_search']),
}

const file = function* ({ image_url, input_audio, file }: Json): Generator<Finding> {
  yield* inlineFindings(isObject(image_url) ? image_url.url : image_url, 'image_url')
  yield* inlineFindings(isObject(input_audio) ? input_audio.data : input_audio, 'input_audio', true)
  const { file_data, file_id } = isObject(file) ? file : { file_id: file }
  yield* inlineFindings(file_data, 'file_data', true)
  if (file_id != null) yield ofProvider('file_id', 'has a file_id, which the provider would fetch')
}

const parts: PartRules = {
  ...Object.fromEntries(['text', 'refusal', 'thinking'].map((type) => [type, plain])),
  ...Object.fromEntries(['image_url', 'input_audio', 'file'].map((type) => [type, file])),
}

/** Judges the body of a request to Chat Completions. */
export function* chatFindings(body: Json, isOwnModel: (model: string) => boolean): Generator<Finding> {
  yield* fieldFindings(body, fields, 'its body')
  yield* choiceFindings(body.tool_choice)
  yield* toolFindings(
    body.tools,
    ({ type, function: called }) =>
      // Moonshot names its own functions so.
      type === 'custom' || (type === 'function' && !(isObject(called) && /^\$/.test(String(called.name)))),
    isOwnModel,
  )
  for (const message of flat(body.messages))
    if (isObject(message)) yield* partFindings(message.content, parts)
}
