import { isObject } from '../../text/is-object.ts'
import {
  choice,
  each,
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

/** What a part holds, as an object, or for some servers as the value alone. */
const either =
  (shape: Shape, alone: Shape): Shape =>
  (value, place) =>
    isObject(value) ? shape(value, place) : alone(value, place)

const ofPart = 'type cache_control annotations id thought signature citations extra_content'
const image = inline('image_url')
const audio = inline('input_audio', true)
const parts: Shape = (value, place) => partOf(value, place)
const partOf = typed(
  {
    text: record(ofPart, { text }),
    refusal: record(ofPart, { refusal: text }),
    thinking: record(`${ofPart} closed`, { thinking: parts }),
    image_url: record(`${ofPart} detail min_pixels max_pixels`, {
      image_url: either(record('detail format min_pixels max_pixels', { url: image }), image),
    }),
    input_audio: record(ofPart, { input_audio: either(record('format', { data: audio }), audio) }),
    file: record(ofPart, {
      file: either(record('filename format', { file_data: inline('file_data', true) }), (file) => [
        ofProvider('file_id', 'has a file that the provider would fetch', file),
      ]),
    }),
  },
  'part',
)

const message = record(
  'role name refusal annotations reasoning_content reasoning reasoning_text reasoning_details thinking signature ' +
    'tool_calls function_call tool_call_id tool_name is_error cache_control prefix partial id status phase ' +
    'thought thoughtSignature thought_signature citations extra_content provider_specific_fields',
  { content: parts, images: parts },
)

const called = having('name', record('description parameters strict', { name: ownName }))
const custom = having('name', record('description format', { name: ownName }))
const tools = typed(
  {
    function: having('function', record('type cache_control strict', { function: called })),
    custom: having('custom', record('type cache_control', { custom })),
  },
  'tool',
)

/** Sampling, and other matters of the model alone, of servers beside OpenAI's. */
const sampling =
  'top_k min_p top_a repetition_penalty length_penalty typical_p min_tokens ignore_eos stop_token_ids bad_words ' +
  'skip_special_tokens spaces_between_special_tokens include_stop_str_in_output truncate_prompt_tokens best_of echo ' +
  'add_generation_prompt continue_final_message guided_json guided_regex guided_choice guided_grammar ' +
  'structured_outputs json_schema regex ebnf grammar separate_reasoning stream_reasoning cache_prompt cache_salt ' +
  'samplers mirostat mirostat_tau mirostat_eta repeat_penalty repeat_last_n n_predict n_probs random_seed ' +
  'safe_prompt prompt_mode do_sample request_id user_id incremental_output result_format disable_reasoning ' +
  'disable_tool_validation keep_alive'

const options = setting(
  'num_ctx num_predict num_keep num_batch num_gpu num_thread main_gpu use_mmap use_mlock numa low_vram seed stop ' +
    'temperature top_k top_p min_p typical_p tfs_z repeat_last_n repeat_penalty presence_penalty frequency_penalty ' +
    'penalize_newline mirostat mirostat_tau mirostat_eta',
)

/** Judges the body of a request to Chat Completions. */
export const chatBody = setting(
  'model parallel_tool_calls function_call max_tokens max_completion_tokens stream stream_options temperature top_p ' +
    'presence_penalty frequency_penalty stop seed n logit_bias logprobs top_logprobs response_format user metadata ' +
    'safety_identifier prompt_cache_key prompt_cache_retention verbosity usage reasoning_effort ' +
    'reasoning_format include_reasoning reasoning_split thinking_budget enable_thinking preserve_thinking ' +
    `chat_template_kwargs vl_high_resolution_images tool_stream ${sampling}`,
  {
    messages: list(message),
    tools,
    functions: list(called),
    tool_choice: choice,
    prediction: setting('type', { content: parts }),
    reasoning: setting('effort max_tokens exclude enabled summary'),
    thinking: setting('type budget_tokens clear_thinking keep'),
    options,
    modalities: only(false, ['text']),
    store: only(true, false),
    enable_search: only(true, false),
    service_tier: only(false, 'auto', 'default', 'on_demand'),
    ...each('web_search_options plugins search_parameters search_options web_search', only(true)),
  },
)
