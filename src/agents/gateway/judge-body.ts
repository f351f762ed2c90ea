import type { Wire } from '../../schema/agent/agent-program.ts'
import { isObject } from '../../text/is-object.ts'
import type { Json } from '../wire/json.ts'
import { chatBody } from './chat-body.ts'
import {
  type Finding,
  flat,
  list,
  never,
  ofProvider,
  only,
  record,
  type Shape,
  type Shapes,
  setting,
} from './findings.ts'
import { messagesBody } from './messages-body.ts'
import { responsesBody } from './responses-body.ts'

/** Google takes both spellings of a field. */
const camel = (field: string) => field.replace(/(?<!^)_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const of = (free: string, shapes?: Shapes) => record(free, shapes, camel)
const settingOf = (free: string, shapes?: Shapes) => setting(free, shapes, camel)

const parts: Shape = (value, place) => partOf(value, place)
const partOf = list(
  of('text thought thoughtSignature functionCall videoMetadata mediaResolution partMetadata', {
    inlineData: of('mimeType data displayName'),
    functionResponse: of('id name response willContinue scheduling', { parts }),
  }),
)
const content = list(of('role', { parts }))

const functionDeclarations = list(
  of('name description parameters parametersJsonSchema response responseJsonSchema behavior'),
)
const client = of('', { functionDeclarations })
const tools = list(function* (tool) {
  for (const finding of client(tool, 'a tool'))
    yield { ...finding, problem: `offers the tool "${finding.name}", which the provider runs` }
})

const modalities = list((modality) =>
  /^text$/i.test(String(modality))
    ? []
    : [ofProvider(String(modality), `asks for a reply of ${modality}`, modality)],
)

const geminiBody = settingOf('model safetySettings labels', {
  contents: content,
  systemInstruction: (value, place) => (typeof value === 'string' ? [] : content(value, place)),
  tools,
  toolConfig: of('functionCallingConfig'),
  generationConfig: settingOf(
    'temperature topP topK candidateCount maxOutputTokens stopSequences seed responseMimeType responseSchema ' +
      'responseJsonSchema _responseJsonSchema presencePenalty frequencyPenalty responseLogprobs logprobs mediaResolution',
    {
      thinkingConfig: settingOf('thinkingBudget includeThoughts thinkingLevel'),
      responseModalities: modalities,
    },
  ),
  cachedContent: only(true, ''),
})

/** What a program may ask of its provider. */
export interface BodyRules {
  /** Whether a model is one of the agent's own, or may become it. */
  isOwnModel(model: string): boolean
  /** Holds an agent whose model is open to the one that a request asks, which passes. */
  keepModel?(model: string): void
  /** The agent's models, for messages. */
  models: readonly string[]
  /** What the provider runs may pass (`--allow-provider-tools`). */
  allowProviderTools: boolean
}

const bodies: Readonly<Record<Wire, Shape>> = {
  messages: messagesBody,
  responses: responsesBody,
  chat: chatBody,
  gemini: geminiBody,
}

interface Verdict {
  model: string
  tools: string[]
}

/** Judges a whole request by its body; `pathModel` is the model that its path names. Returns why it is refused, if it is. */
export function judgeBody(
  { wire, model: pathModel }: { wire: Wire; model?: string },
  body: Json,
  rules: BodyRules,
): Verdict | { problem: string } {
  const named =
    typeof body.model === 'string' ? body.model.replace(wire === 'gemini' ? /^models\// : '', '') : ''
  const asked = pathModel ?? named
  // Where the model is still open, one request asks one model.
  const isOwn = (model: string) =>
    plainName(model) === plainName(asked) ? rules.isOwnModel(model) : rules.models.includes(model)
  const models = [asked, ...(pathModel !== undefined && body.model != null ? [named] : [])]
  const tools: string[] = []
  for (const finding of [...modelFindings(models, isOwn, rules), ...bodies[wire](body, 'its body')]) {
    const { name, problem, isProviders, found } = finding
    if (!isProviders) return { problem }
    if (!rules.allowProviderTools) return { problem: `${problem}; --allow-provider-tools lets it pass` }
    const target = otherTarget(found, isOwn)
    if (target !== undefined) return { problem: `${problem}, and asks ${target}` }
    tools.push(name)
  }
  return { model: ownModel(asked, isOwn) ?? asked, tools }
}

/** The agent's own model that a request asks, with or without the end that makes a server search. */
const ownModel = (model: string, isOwn: BodyRules['isOwnModel']) => [plainName(model), model].find(isOwn)

const plainName = (model: string) => model.replace(/:online$/i, '')

/** Fields that choose a model, and those that choose a server or an account. */
const choosing = /^(?:.*_)?(?:models?|fallbacks?)(?:_?(?:id|name))?$/i
const leading = /^(?:api_?(?:base|key|version)|base_?url|custom_llm_provider|organization|project)$/i

function otherTarget(found: unknown, isOwn: BodyRules['isOwnModel']): string | undefined {
  for (const [field, value] of flat(found).filter(isObject).flatMap(Object.entries)) {
    if (value === null) continue
    if (leading.test(field)) return `another address or account (${field})`
    if (choosing.test(field) && !flat(value).every((one) => typeof one === 'string' && isOwn(one)))
      return `another model (${field})`
    const inner = otherTarget(value, isOwn)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** A model that searches before it answers, or that a server makes of another one by the end of its name. */
const searching = /:online$|-search-(?:preview|api)\b|deep-research|(?:^|\/)sonar\b/i

function* modelFindings(
  models: readonly string[],
  isOwn: BodyRules['isOwnModel'],
  rules: BodyRules,
): Generator<Finding> {
  for (const model of models) {
    if (ownModel(model, isOwn) === undefined) {
      const own = rules.models.join(' or ') || 'one'
      yield never(model, `asks ${model === '' ? 'no model' : `the model "${model}"`}; its agent has ${own}`)
    }
    if (searching.test(model))
      yield ofProvider(model, `asks the model "${model}", which searches by the provider's own tools`)
  }
}
