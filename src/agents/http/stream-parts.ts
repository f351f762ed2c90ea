import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'

/** A text, a piece of reasoning or a call of a reply, in the order in which they began. */
export type ReplyPart =
  | { type: 'text' | 'reasoning'; text: string; metadata?: SharedV3ProviderMetadata }
  | ReplyCall

/** A call of a tool as it came. */
export interface ReplyCall {
  type: 'call'
  /** Empty or absent if the provider gave none. */
  id?: string | undefined
  name: string
  /** JSON text, which may be invalid. */
  arguments: string
  /** Whether any of the arguments came; libraries make `{}` of none. */
  hasArguments: boolean
  metadata?: SharedV3ProviderMetadata
}

/** Creates a collector. It takes whole calls only: one that a stream leaves half-written has no `tool-call` part. */
export function collectParts() {
  const parts: ReplyPart[] = []
  /** The open text and reasoning parts by kind and id. */
  const open = new Map<string, Exclude<ReplyPart, ReplyCall>>()
  /** Ids of calls whose arguments have begun. */
  const begun = new Set<string>()
  const textPart = (type: 'text' | 'reasoning', id: string, isNew: boolean) => {
    const found = isNew ? undefined : open.get(`${type} ${id}`)
    const part = found ?? { type, text: '' }
    if (!found) {
      parts.push(part)
      open.set(`${type} ${id}`, part)
    }
    return part
  }
  return {
    parts,
    add(part: LanguageModelV3StreamPart) {
      if (isTextPart(part)) {
        const [type, step] = part.type.split('-') as ['text' | 'reasoning', string]
        const one = textPart(type, part.id, step === 'start')
        if ('delta' in part) one.text += part.delta
        addMetadata(one, part)
      } else if (part.type === 'tool-input-delta') {
        if (part.delta !== '') begun.add(part.id)
      } else if (part.type === 'tool-call' && !part.providerExecuted) {
        const { toolCallId: id, toolName: name, input } = part
        const call: ReplyCall = { type: 'call', id, name, arguments: input, hasArguments: begun.has(id) }
        addMetadata(call, part)
        parts.push(call)
        begun.delete(id)
      }
    },
  }
}

type TextPart = Extract<LanguageModelV3StreamPart, { type: `${'text' | 'reasoning'}-${string}` }>

const isTextPart = (part: LanguageModelV3StreamPart): part is TextPart =>
  /^(text|reasoning)-(start|delta|end)$/.test(part.type)

/** Adds what the provider sends beside a part. A later value wins; a null does not, since it stands for "not yet". */
function addMetadata(
  part: ReplyPart,
  { providerMetadata }: { providerMetadata?: SharedV3ProviderMetadata | undefined },
): void {
  for (const [vendor, values] of Object.entries(providerMetadata ?? {})) {
    const known = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined)
    if (known.length === 0) continue
    part.metadata = {
      ...part.metadata,
      [vendor]: { ...part.metadata?.[vendor], ...Object.fromEntries(known) },
    }
  }
}
