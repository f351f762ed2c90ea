import type { Wire } from '../../../schema/agent/wire.ts'
import type { Json } from '../../wire/json.ts'
import { chatFindings } from './bodies/chat.ts'
import { geminiFindings } from './bodies/gemini.ts'
import { messagesFindings } from './bodies/messages.ts'
import { responsesFindings } from './bodies/responses.ts'
import { type Finding, never, ofProvider } from './findings.ts'

/** What a program may ask of its provider. */
export interface BodyRules {
  /** Whether a model is one of the agent's own. */
  isOwnModel(model: string): boolean
  /** The agent's models, for messages. */
  models: readonly string[]
  /** What the provider runs may pass (`--allow-provider-tools`). */
  allowProviderTools: boolean
}

const findingsIn: Readonly<Record<Wire, (body: Json, isOwn: BodyRules['isOwnModel']) => Iterable<Finding>>> =
  {
    messages: messagesFindings,
    responses: responsesFindings,
    chat: chatFindings,
    gemini: geminiFindings,
  }

/**
 * Judges a whole request by its body; `pathModel` is the model that its path names. Returns what the provider would run, which may
 * pass, or why the request is refused.
 */
export function judgeBody(
  { wire, model: pathModel }: { wire: Wire; model?: string },
  body: Json,
  rules: BodyRules,
): { tools: string[] } | { problem: string } {
  const tools: string[] = []
  const models = [...(pathModel === undefined ? [] : [pathModel]), ...modelsIn(body, wire)]
  for (const finding of [...modelFindings(models, rules), ...findingsIn[wire](body, rules.isOwnModel)]) {
    const { name, problem, isProviders } = finding
    if (!isProviders) return { problem }
    if (!rules.allowProviderTools) return { problem: `${problem}; --allow-provider-tools lets it pass` }
    tools.push(name)
  }
  return { tools }
}

/** Gemini's path names the model; a field may repeat it. */
function modelsIn({ model }: Json, wire: Wire): string[] {
  if (wire === 'gemini' && model == null) return []
  return [typeof model === 'string' ? model.replace(wire === 'gemini' ? /^models\// : '', '') : '']
}

/** A model that searches before it answers, or that a server makes of another one by the end of its name. */
const searching = /:online$|-search-(?:preview|api)\b|deep-research|(?:^|\/)sonar\b/i

function* modelFindings(models: readonly string[], rules: BodyRules): Generator<Finding> {
  for (const model of models) {
    const plain = model.replace(/:online$/i, '')
    if (!rules.isOwnModel(plain) && !rules.isOwnModel(model)) {
      const own = rules.models.join(' or ') || 'one'
      yield never(model, `asks ${model === '' ? 'no model' : `the model "${model}"`}; its agent has ${own}`)
    }
    if (searching.test(model))
      yield ofProvider(model, `asks the model "${model}", which searches by the provider's own tools`)
  }
}
