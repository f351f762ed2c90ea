import { own, type SideRequest, withFields, withPart } from './side-requests.ts'

const data = 'data:image/png;base64,AA'
const chatFields = {
  ...{ modalities: ['text'], random_seed: 1, safe_prompt: false, prompt_mode: 'reasoning' },
  ...{ service_tier: 'on_demand', do_sample: true, request_id: 'r', guided_json: {}, structured_outputs: {} },
  ...{ skip_special_tokens: true, stop_token_ids: [1], min_tokens: 1, ignore_eos: false, length_penalty: 1 },
  ...{ repetition_penalty: 1, min_p: 0, top_k: 1, cache_prompt: true, grammar: 'root::=', samplers: 'x' },
  ...{ keep_alive: '5m', options: { num_ctx: 8192 }, functions: [{ name: 'f', parameters: {} }] },
  tools: [{ type: 'custom', custom: { name: 'c' } }],
}

/** Requests of a model alone, as libraries and servers of vendors know them. */
export const fairRequests: readonly SideRequest[] = [
  ...[
    'alt=json',
    '$alt=json;enum-encoding=int',
    '%24alt=json%3Benum-encoding%3Dint',
    'prettyPrint=false',
  ].map((query): SideRequest => ({ ...own.gemini, name: query, path: `${own.gemini.path}?${query}` })),
  { ...own.chat, name: 'api-version', path: `${own.chat.path}?api-version=2024-10-21` },
  { ...own.chat, name: 'an organisation that is empty', headers: { 'openai-organization': '' } },
  ...Object.entries(chatFields).map(([field, value]) => withFields('chat', { [field]: value })),
  withFields('chat', {
    messages: [
      {
        ...{ role: 'assistant', content: null, refusal: null, annotations: [], reasoning_content: 'x' },
        ...{ reasoning_details: [{ type: 'reasoning.text' }], tool_calls: [{ id: '1', extra_content: {} }] },
      },
      { role: 'tool', tool_call_id: '1', name: 'f', content: 'x' },
    ],
  }),
  withPart('chat', { type: 'file', file: { filename: 'a', file_data: data } }),
  withFields('responses', { modalities: ['text'], context_management: [] }),
  withFields('responses', { store: null }),
  withFields('responses', {
    input: [
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: data },
      },
      { type: 'message', role: 'assistant', id: 'm', status: 'completed', content: [] },
      { type: 'function_call', id: 'f', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      { type: 'shell_call_output', call_id: 's', output: [{ stdout: '', stderr: '', outcome: {} }] },
    ],
  }),
  ...['auto', 'standard_only'].map((tier) => withFields('messages', { service_tier: tier })),
  withFields('messages', { mcp_servers: [], context_management: [], speed: 'standard' }),
  withFields('messages', {
    tools: [
      { type: 'text_editor_20250728', name: 'x', max_characters: 1 },
      { type: null, name: 'f' },
    ],
  }),
  withPart('messages', { type: 'tool_use', id: '1', name: 'f', input: {}, caller: { type: 'direct' } }),
  withPart('messages', { type: 'thinking', thinking: 'x', signature: 's' }),
  withPart('messages', {
    type: 'search_result',
    source: 's',
    title: 't',
    content: [{ type: 'text', text: 'x' }],
  }),
  ...['_responseJsonSchema', 'responseJsonSchema'].map((field) =>
    withFields('gemini', { generationConfig: { [field]: {}, responseModalities: ['TEXT'] } }),
  ),
  withFields('gemini', { labels: { a: 'b' }, cachedContent: '' }),
]
