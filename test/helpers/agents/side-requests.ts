import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { tableOf } from '../house/tables.ts'

/** A request that a program may try with the address and the stand-in that it has. */
export interface SideRequest {
  name: string
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** Sent in place of `body`, as it is. */
  raw?: string | Buffer
  /** What `--allow-provider-tools` records when it lets it pass; absent: nothing lets it pass. */
  tool?: string
}

export const model = 'cheap'
const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const paths = { messages: '/v1/messages', responses: '/v1/responses', chat: '/v1/chat/completions' } as const
const gemini = `/v1beta/models/${model}:generateContent`

/** What an agent asks, on each wire. */
export const own = {
  messages: { path: paths.messages, body: { model, max_tokens: 10, messages } },
  responses: { path: paths.responses, body: { model, store: false, input: messages } },
  chat: { path: paths.chat, body: { model, messages } },
  gemini: { path: gemini, body: { contents } },
} as const
type Name = keyof typeof own

/** A request of a wire with more fields in its body. */
export const withFields = (wire: Name, more: object, tool?: string, name = ''): SideRequest => ({
  name: `${wire}: ${name || Object.keys(more).join(', ')} ${JSON.stringify(more).slice(0, 90)}`,
  path: own[wire].path,
  body: { ...own[wire].body, ...more },
  ...(tool !== undefined && { tool }),
})
const withTool = (wire: Name, tool: object, type: string) =>
  withFields(wire, { tools: [tool] }, type, `tool ${type}`)
export const withPart = (wire: Name, part: object, type?: string) => {
  const said = wire === 'gemini' ? { contents: [{ role: 'user', parts: [part] }] } : undefined
  const content = [{ role: 'user', content: [part] }]
  return withFields(wire, said ?? (wire === 'responses' ? { input: content } : { messages: content }), type)
}

const elsewhere = tableOf<string[]>(import.meta.url, 'elsewhere')

const doubled = (first: string, second: string, rest: string) => `{${first},${second},${rest}}`
const said = '"max_tokens":1,"messages":[{"role":"user","content":"hi"}]'
const search = { type: 'web_search_20250305', name: 'web_search' }
const packed = JSON.stringify({ ...own.messages.body, tools: [search] })

/** Requests that must not pass without `--allow-provider-tools`; most of them never. */
export const sideRequests: readonly SideRequest[] = [
  ...elsewhere.map((line): SideRequest => {
    const [method = '', path = ''] = line.split(' ')
    const body = path.includes(':') ? own.gemini.body : own.messages.body
    return { name: line, method, path, ...(method !== 'GET' && method !== 'HEAD' && { body }) }
  }),
  // Other models, and other prices of the same.
  ...(['messages', 'responses', 'chat'] as const).flatMap((wire) => [
    withFields(wire, { model: 'dear' }),
    withFields(wire, { model: undefined }, undefined, 'no model'),
    withFields(wire, { model: [model] }),
    withFields(wire, { model: `${model}:nitro` }),
    withFields(wire, { model: ` ${model}` }),
    withFields(wire, { service_tier: 'priority' }),
    withFields(wire, { a_field_of_tomorrow: 1 }),
  ]),
  { name: 'gemini: another model', path: '/v1beta/models/dear:generateContent', body: own.gemini.body },
  { name: 'gemini: a model twice', path: gemini, body: { ...own.gemini.body, model: 'models/dear' } },
  withFields('gemini', { generationConfig: { routingConfig: { manualMode: { modelName: 'dear' } } } }),
  withFields('gemini', { serviceTier: 'PRIORITY' }),
  withFields('messages', { speed: 'fast' }),
  withFields('messages', { inference_geo: 'us' }),
  withFields('chat', { models: [model, 'dear'] }),
  withFields('chat', { provider: { order: ['dear'] } }),
  withFields('chat', { model: `${model}:online` }, `${model}:online`),
  withTool('messages', { type: 'advisor_20260301', name: 'advisor', model: 'dear' }, 'advisor_20260301'),
  withTool('responses', { type: 'image_generation', model: 'dear' }, 'image_generation'),
  // Tools that the provider runs.
  ...[
    'web_search_20250305',
    'web_fetch_20250910',
    'code_execution_20250825',
    'tool_search_tool_regex_20251119',
  ].map((type) => withTool('messages', { type, name: 'x' }, type)),
  withTool('messages', { type: 'mcp_toolset', mcp_server_name: 'x' }, 'mcp_toolset'),
  withFields(
    'messages',
    { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'x' }] },
    'mcp_servers',
  ),
  withFields('messages', { container: 'c_1' }, 'container'),
  withFields(
    'messages',
    { context_management: { edits: [{ type: 'compact_20260112' }] } },
    'compact_20260112',
  ),
  ...[
    'web_search',
    'web_search_preview',
    'file_search',
    'code_interpreter',
    'image_generation',
    'mcp',
    'shell',
  ].map((type) => withTool('responses', { type }, type)),
  withTool('responses', { type: 'shell', environment: { type: 'container_auto' } }, 'shell'),
  withTool('responses', { type: 'tool_search' }, 'tool_search'),
  withTool(
    'responses',
    { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }, { type: 'mcp' }] },
    'mcp',
  ),
  withFields(
    'responses',
    { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] },
    'web_search',
  ),
  withFields(
    'responses',
    {
      input: [{ type: 'additional_tools', tools: [{ type: 'namespace', tools: [{ type: 'file_search' }] }] }],
    },
    'file_search',
  ),
  withFields('responses', { input: [{ type: 'tool_search_output', tools: [{ type: 'mcp' }] }] }, 'mcp'),
  withFields('responses', { input: [{ type: 'item_reference', id: 'i_1' }] }, 'item_reference'),
  withFields('responses', { tool_choice: { type: 'mcp', server_label: 'x' } }, 'mcp'),
  withFields(
    'responses',
    { tool_choice: { type: 'allowed_tools', tools: [{ type: 'web_search' }] } },
    'web_search',
  ),
  withFields('responses', { tools: [[{ type: 'web_search' }]] }, 'web_search', 'a list in the list of tools'),
  withFields('responses', { tools: { type: 'web_search' } }, 'web_search', 'tools that are no list'),
  withFields('responses', { store: true }, 'store'),
  withFields('responses', { background: true, store: true }, 'background'),
  withFields('responses', { prompt: { id: 'p_1' } }, 'prompt'),
  withFields('responses', { previous_response_id: 'r_1' }, 'previous_response_id'),
  withFields('responses', { conversation: 'c_1' }, 'conversation'),
  withTool('chat', { type: 'builtin_function', function: { name: '$web_search' } }, 'builtin_function'),
  withTool('chat', { type: 'function', function: { name: '$web_search' } }, '$web_search'),
  withTool('chat', { type: 'openrouter:web_search' }, 'openrouter:web_search'),
  withTool('chat', { function: { name: 'f' } }, 'function'),
  withFields('chat', { tools: ['web_search'] }, 'web_search', 'a tool that is a text'),
  // A type that is allowed hides no tool of the provider.
  ...['googleSearch', 'codeExecution', 'urlContext', 'web_search'].flatMap((name) => [
    withTool('chat', { type: 'function', function: { name: 'f' }, [name]: {} }, name),
    withTool('chat', { type: 'function', [name]: {} }, 'function'),
    withTool('chat', { type: 'custom', [name]: {} }, 'custom'),
    withTool('messages', { name: 'f', [name]: {} }, name),
    withTool('responses', { type: 'function', name: 'f', [name]: {} }, name),
    withFields('gemini', { tools: [name] }, name),
  ]),
  withTool('chat', { type: 'function', function: 'f' }, 'f'),
  withTool('chat', { type: 'function', function: { name: 'f', server_url: 'http://x' } }, 'server_url'),
  withFields('chat', { functions: [{ type: 'web_search' }] }, 'name'),
  withFields('chat', { functions: [{ name: '$web_search' }] }, '$web_search'),
  withTool('responses', { type: 'function', name: 'f', server_url: 'http://x' }, 'server_url'),
  withTool('responses', { type: 'custom', name: 'f', connector_id: 'c' }, 'connector_id'),
  withTool('responses', { type: 'custom', name: 'f', tools: [{ type: 'mcp' }] }, 'tools'),
  withTool('responses', { type: 'namespace', name: 'n', server_url: 'http://x', tools: [] }, 'server_url'),
  withFields('responses', { tools: ['mcp'] }, 'mcp'),
  withFields('messages', { tools: ['web_search_20250305'] }, 'web_search_20250305'),
  // Items that the provider keeps.
  ...[{ id: 'm_1' }, { type: null, id: 'm_1' }].map((item) =>
    withFields('responses', { input: [item] }, Object.keys(item).join('+')),
  ),
  withFields('responses', { input: [{ type: 'message', id: 'm_1' }] }, 'role'),
  withFields('responses', { input: [{ type: 'message', role: 'user', id: 'm_1' }] }, 'content'),
  withFields('responses', { input: [{ type: 'reasoning', id: 'r_1' }] }, 'item_reference'),
  withFields('responses', { input: [{ type: 'reasoning', id: 'r_1', summary: [] }] }, 'item_reference'),
  withFields('responses', { input: [{ type: 'function_call', id: 'f_1' }] }, 'name'),
  // Fields of messages, parts and settings.
  ...[
    { tools: [{ type: 'mcp' }] },
    { plugins: [{ id: 'web' }] },
    { file_ids: ['f'] },
    { attachments: [1] },
  ].map((more) =>
    withFields('chat', { messages: [{ role: 'user', content: 'x', ...more }] }, Object.keys(more)[0]),
  ),
  withFields('chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'audio'),
  withFields(
    'chat',
    { messages: [{ role: 'assistant', images: [{ type: 'image_url', image_url: { url: 'http://x' } }] }] },
    'image_url',
  ),
  withPart('chat', { type: 'file', file: { url: 'http://x' } }, 'url'),
  withPart('chat', { type: 'file', file: { file_url: 'http://x' } }, 'file_url'),
  withPart('chat', { type: 'file', file_id: 'f' }, 'file_id'),
  withPart('chat', { type: 'input_audio', input_audio: { data: 'AA', url: 'http://x' } }, 'url'),
  withPart('chat', { type: 'text', text: 'x', image_url: { url: 'http://x' } }, 'image_url'),
  withPart('responses', { type: 'input_text', text: 'x', file_id: 'f' }, 'file_id'),
  withFields('responses', { instructions: [{ type: 'additional_tools', tools: [{ type: 'mcp' }] }] }, 'text'),
  withFields(
    'responses',
    { input: [{ type: 'reasoning', content: [{ type: 'input_image', image_url: 'http://x' }] }] },
    'image_url',
  ),
  withFields('responses', { input: [{ role: 'user', content: 'x', tools: [{ type: 'mcp' }] }] }, 'tools'),
  withFields('responses', { include: ['web_search_call.action.sources'] }, 'include'),
  withFields('responses', { reasoning: { effort: 'high', mode: 'pro' } }),
  withPart(
    'messages',
    {
      type: 'search_result',
      source: 's',
      title: 't',
      content: [{ type: 'image', source: { type: 'url', url: 'http://x' } }],
    },
    'url',
  ),
  withPart('messages', { type: 'image', source: { type: 'base64', data: 'AA', url: 'http://x' } }, 'url'),
  withPart('messages', { type: 'image' }, 'source'),
  withFields('messages', { context_management: { edits: [], compaction: { on: true } } }, 'compaction'),
  withFields('messages', { output_config: { effort: 'max', speed: 'fast' } }),
  withFields('messages', { thinking: { type: 'enabled', budget_tokens: 1, model: 'dear' } }),
  withPart('gemini', { inlineData: { mimeType: 'image/png', data: 'AA', fileUri: 'gs://x' } }, 'fileUri'),
  // Other models inside of what the provider runs.
  withFields('chat', { plugins: [{ id: 'fusion', model: 'dear' }] }, 'plugins'),
  withFields('chat', { plugins: [{ id: 'fusion', models: ['dear'] }] }, 'plugins'),
  withFields('chat', { plugins: [{ id: 'fusion', model: { id: 'dear' } }] }, 'plugins'),
  withTool('chat', { type: 'openrouter:advisor', parameters: { model: 'dear' } }, 'openrouter:advisor'),
  withTool('chat', { type: 'image_generation', image_generation: { model: 'dear' } }, 'image_generation'),
  withFields('chat', { web_search_options: {} }, 'web_search_options'),
  withFields('chat', { plugins: [{ id: 'web' }] }, 'plugins'),
  withFields('chat', { search_parameters: { mode: 'on' } }, 'search_parameters'),
  withFields('chat', { enable_search: true }, 'enable_search'),
  withFields('chat', { store: true }, 'store'),
  ...[
    'googleSearch',
    'google_search',
    'googleSearchRetrieval',
    'urlContext',
    'codeExecution',
    'googleMaps',
    'fileSearch',
  ].map((name) => withTool('gemini', { [name]: {} }, name.replace('_s', 'S'))),
  withTool('gemini', { functionDeclarations: [], code_execution: {} }, 'codeExecution'),
  withFields('gemini', { cachedContent: 'cachedContents/1' }, 'cachedContent'),
  withFields('gemini', { cached_content: 'cachedContents/1' }, 'cachedContent'),
  withFields('gemini', { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, 'IMAGE'),
  // Files and images that the provider would fetch.
  withPart('messages', { type: 'image', source: { type: 'url', url: 'https://example.com/x' } }, 'url'),
  withPart('messages', { type: 'document', source: { type: 'file', file_id: 'f_1' } }, 'file'),
  withPart(
    'messages',
    {
      type: 'tool_result',
      tool_use_id: 't',
      content: [{ type: 'image', source: { type: 'url', url: 'https://x' } }],
    },
    'url',
  ),
  withPart('messages', { type: 'container_upload', file_id: 'f_1' }, 'container_upload'),
  withPart('responses', { type: 'input_image', image_url: 'https://example.com/x' }, 'image_url'),
  withPart('responses', { type: 'input_image', file_id: 'f_1' }, 'file_id'),
  withPart('responses', { type: 'input_file', file_url: 'https://example.com/x' }, 'file_url'),
  withFields(
    'responses',
    {
      input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }],
    },
    'file_id',
  ),
  withPart('chat', { type: 'image_url', image_url: { url: 'https://example.com/x' } }, 'image_url'),
  withPart('chat', { type: 'image_url', image_url: '//example.com/x' }, 'image_url'),
  withPart('chat', { type: 'file', file: { file_id: 'f_1' } }, 'file_id'),
  withPart('chat', { type: 'video_url', video_url: { url: 'https://example.com/x' } }, 'video_url'),
  withPart('gemini', { fileData: { fileUri: 'gs://x' } }, 'fileData'),
  withPart('gemini', { file_data: { file_uri: 'https://x' } }, 'fileData'),
  withPart(
    'gemini',
    { functionResponse: { name: 'f', parts: [{ fileData: { fileUri: 'gs://x' } }] } },
    'fileData',
  ),
  // Bodies that say two things, or hide what they say.
  { name: 'a doubled model', path: paths.chat, raw: doubled(`"model":"${model}"`, '"model":"dear"', said) },
  {
    name: 'a doubled field by an escape',
    path: paths.chat,
    raw: doubled(`"model":"${model}"`, '"mod\\u0065l":"dear"', said),
  },
  {
    name: 'doubled tools',
    path: paths.messages,
    raw: doubled(`"model":"${model}"`, '"tools":[],"tools":["x"]', said),
    tool: 'x',
  },
  {
    name: 'gzip',
    path: paths.messages,
    headers: { 'content-encoding': 'gzip' },
    raw: gzipSync(packed),
    tool: search.type,
  },
  {
    name: 'br',
    path: paths.messages,
    headers: { 'content-encoding': 'br' },
    raw: brotliCompressSync(packed),
    tool: search.type,
  },
  {
    name: 'deflate',
    path: paths.messages,
    headers: { 'content-encoding': 'deflate' },
    raw: deflateSync(packed),
  },
  {
    name: 'gzip twice',
    path: paths.messages,
    headers: { 'content-encoding': 'gzip, gzip' },
    raw: gzipSync(gzipSync(packed)),
  },
  { name: 'gzip that is none', path: paths.messages, headers: { 'content-encoding': 'gzip' }, raw: packed },
  {
    name: 'a gzip bomb',
    path: paths.messages,
    headers: { 'content-encoding': 'gzip' },
    raw: gzipSync(Buffer.alloc(40 * 1024 ** 2, ' ')),
  },
  { name: 'a body of 33 MB', path: paths.messages, raw: Buffer.alloc(33 * 1024 ** 2, ' ') },
  { name: 'UTF-16', path: paths.messages, raw: Buffer.from(packed, 'utf16le') },
  { name: 'no JSON', path: paths.messages, raw: 'model=cheap' },
  { name: 'a list', path: paths.messages, raw: `[${packed}]` },
  { name: 'two objects', path: paths.messages, raw: packed + packed },
  { name: 'a deep body', path: paths.messages, raw: `${'['.repeat(5000)}${']'.repeat(5000)}` },
  { name: 'nothing', path: paths.messages, raw: '' },
  {
    name: 'multipart',
    path: paths.chat,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    raw: `--x\r\n\r\n${packed}\r\n--x--`,
  },
  {
    name: 'a prototype in a tool',
    path: paths.messages,
    raw: `{"model":"${model}",${said},"tools":[{"name":"f","__proto__":{"type":"web_search_20250305"}}]}`,
  },
  { name: 'a prototype', path: paths.chat, raw: `{"__proto__":{"model":"${model}"},${said}}` },
  {
    name: 'a prototype with a long number',
    path: paths.chat,
    raw: `{"__proto__":{"model":"${model}"},"seed":12345678901234567890,${said}}`,
  },
  // Accounts of others, and methods in headers.
  { name: 'another project', path: paths.chat, headers: { 'openai-project': 'p' }, body: own.chat.body },
  ...['x-hf-bill-to', 'helicone-target-url', 'x-portkey-config', 'azureml-model-deployment'].map(
    (header): SideRequest => ({
      name: header,
      path: paths.chat,
      headers: { [header]: 'x' },
      body: own.chat.body,
    }),
  ),
  {
    name: 'another organisation',
    path: paths.chat,
    headers: { 'OpenAI-Organization': 'o' },
    body: own.chat.body,
  },
  {
    name: 'another cloud project',
    path: gemini,
    headers: { 'x-goog-user-project': 'p' },
    body: own.gemini.body,
  },
]
