/** The conventions whose names spans have. All of them are still in development. */
export const conventions = 'semantic-conventions-genai v0.1.0'

/** The names of operations, as `gen_ai.operation.name` has them: a trial, a call of a model, one of an agent program, one of a tool. */
export const operations = {
  trial: 'invoke_workflow',
  call: 'chat',
  program: 'invoke_agent',
  tool: 'execute_tool',
} as const

/** What the conventions call a provider that bench calls otherwise. */
export const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  'claude-cli': 'anthropic',
  'codex-cli': 'openai',
  'gemini-cli': 'gcp.gemini',
}

/** What the conventions call the end of a reply. */
export const finishReasons = {
  stop: 'stop',
  length: 'length',
  'tool-call': 'tool_call',
  refusal: 'content_filter',
  thoughts: 'thoughts',
} as const

/**
 * All attributes of spans and their events, each with its type. Names of the conventions begin with `gen_ai.` and `error.`; what they have
 * no name for begins with `bench.`.
 */
export const attributeTypes = {
  'gen_ai.operation.name': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.model': 'string',
  'gen_ai.response.model': 'string',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.conversation.id': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_write.input_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.tool.call.id': 'string',
  'gen_ai.evaluation.name': 'string',
  'gen_ai.evaluation.score.value': 'double',
  'error.type': 'string',
  // Texts, with --content alone; as JSON, since spans of few libraries hold structures.
  'gen_ai.system_instructions': 'string',
  'gen_ai.input.messages': 'string',
  'gen_ai.output.messages': 'string',
  'gen_ai.tool.call.arguments': 'string',
  'gen_ai.tool.call.result': 'string',
  'gen_ai.evaluation.explanation': 'string',
  'bench.output': 'string',
  'bench.answer': 'string',
  'bench.reason': 'string',
  'bench.run.id': 'string',
  'bench.trial.id': 'string',
  'bench.task': 'string',
  'bench.suite': 'string',
  'bench.method': 'string',
  'bench.agent_set': 'string',
  'bench.epoch': 'int',
  'bench.evidence': 'string',
  'bench.outcome': 'string',
  'bench.claimed': 'string',
  'bench.passed': 'boolean',
  'bench.score': 'double',
  'bench.calls': 'int',
  'bench.start_unknown': 'boolean',
  'bench.duration_unknown': 'boolean',
  'bench.cost_usd': 'double',
  'bench.list_cost_usd': 'double',
  'bench.grading_cost_usd': 'double',
  'bench.role': 'string',
  'bench.work': 'string',
  'bench.key': 'string',
  'bench.attempt': 'int',
  'bench.payer': 'string',
  'bench.wait_ms': 'double',
  'bench.tests.passed': 'int',
  'bench.tests.total': 'int',
} as const satisfies Record<string, AttributeType>

/** The type of an attribute. */
export type AttributeType = 'string' | 'string[]' | 'int' | 'double' | 'boolean'

/** A name of `attributeTypes`. */
export type AttributeName = keyof typeof attributeTypes

interface ValueOf {
  string: string
  'string[]': readonly string[]
  int: number
  double: number
  boolean: boolean
}

/** Attributes of a span; one that is undefined or null is left out, since it is unknown. */
export type Attributes = {
  readonly [Name in AttributeName]?: ValueOf[(typeof attributeTypes)[Name]] | null | undefined
}
