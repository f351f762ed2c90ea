import { isObject } from '../../../text/is-object.ts'
import type { Json } from '../../wire/json.ts'

/** Something in a request's body that is not plainly the work of a model. */
export interface Finding {
  /** Its name as a tool of the provider. */
  name: string
  /** What it is, as the end of a sentence about the request. */
  problem: string
  /** The provider does it, and `--allow-provider-tools` lets it pass. Else nothing does. */
  isProviders: boolean
}

/** What the provider runs, reads or keeps by itself. */
export const ofProvider = (name: string, problem: string): Finding => ({ name, problem, isProviders: true })

/** What may change the price or the model, or what bench does not know. */
export const never = (name: string, problem: string): Finding => ({ name, problem, isProviders: false })

/** How the fields of an object are judged. A field that is null is as good as absent. */
export interface Fields {
  /** They may have any value, as far as this goes. */
  free: ReadonlySet<string>
  /** They may have these values. `isProviders`: any other has the provider run or keep something. */
  values?: Readonly<Record<string, { allowed: readonly unknown[]; isProviders: boolean }>>
  /** They have the provider run or keep something. */
  providers?: ReadonlySet<string>
}

/** Judges the fields of an object; `place` names it. `nameOf` makes one name of the spellings of a field. */
export function* fieldFindings(
  object: Json,
  { free, values = {}, providers }: Fields,
  place: string,
  nameOf = (field: string) => field,
): Generator<Finding> {
  for (const [field, value] of Object.entries(object)) {
    const name = nameOf(field)
    if (value === null || free.has(name)) continue
    const told = `has the field "${field}" in ${place}`
    const known = Object.hasOwn(values, name) ? values[name] : undefined
    if (known?.allowed.includes(value)) continue
    if (known)
      yield { name, problem: `${told} with another value than its default`, isProviders: known.isProviders }
    else if (providers?.has(name))
      yield ofProvider(name, `${told}, which has the provider run or keep something`)
    else yield never(name, `${told}, which this version of bench does not know`)
  }
}

/** How the parts of a content of one type are judged. */
export type PartRules = Readonly<Record<string, (part: Json) => Iterable<Finding>>>

/** A part that holds nothing but itself. */
export const plain = (): Iterable<Finding> => []

/** Judges a content: a text, a part, or a list of them. Parts have a type, by default `usual`. */
export function* partFindings(content: unknown, rules: PartRules, usual = ''): Generator<Finding> {
  for (const part of flat(content)) {
    if (!isObject(part)) continue
    const type = typeof part.type === 'string' ? part.type : usual
    if (Object.hasOwn(rules, type)) yield* rules[type]?.(part) ?? []
    else yield ofProvider(type, `has a part of type "${type}" in its messages, which bench does not let pass`)
  }
}

/** Judges the tools that a request offers. `isClients` says whether the program runs a tool itself; a `model` must be the agent's own. */
export function* toolFindings(
  tools: unknown,
  isClients: (tool: Json) => boolean | Iterable<Finding>,
  isOwnModel: (model: string) => boolean,
): Generator<Finding> {
  for (const tool of flat(tools)) {
    const name = nameOfTool(tool)
    if (isObject(tool) && tool.model != null && !(typeof tool.model === 'string' && isOwnModel(tool.model)))
      yield never(name, `offers the tool "${name}", which asks another model`)
    const judged = isObject(tool) && isClients(tool)
    if (judged === false) yield ofProvider(name, `offers the tool "${name}", which the provider runs`)
    else if (judged !== true) yield* judged
  }
}

function nameOfTool(tool: unknown): string {
  if (!isObject(tool)) return String(tool)
  const { type, name } = tool
  if (typeof type === 'string') return type
  return typeof name === 'string' ? name : Object.keys(tool).join('+')
}

/** The items of a list, also of lists in it; a single value is the only item. Null is none. */
export const flat = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : [value].flat(Number.POSITIVE_INFINITY as 10)

/** Ways to choose a tool, and the types of tools that a choice may name. */
const choices = new Set([
  ...['auto', 'any', 'none', 'required', 'tool', 'function', 'custom', 'allowed_tools', 'namespace'],
  ...['local_shell', 'shell', 'apply_patch'],
])

/** Judges which tool a request chooses, in the forms of Anthropic and OpenAI. */
export function* choiceFindings(choice: unknown): Generator<Finding> {
  for (const one of flat(choice).filter(isObject)) {
    const { type, tools, allowed_tools: allowed } = one
    if (typeof type === 'string' && !choices.has(type))
      yield ofProvider(type, `chooses the tool "${type}", which the provider runs`)
    yield* choiceFindings(tools)
    yield* choiceFindings(isObject(allowed) ? allowed.tools : undefined)
  }
}

/** Judges a file that stands in a part: as a URL of kind `data`, or where `isBare`, in base64 alone. */
export function* inlineFindings(value: unknown, what: string, isBare = false): Generator<Finding> {
  if (value === null || value === undefined) return
  const isInline =
    typeof value === 'string' && (/^data:/i.test(value) || (isBare && /^[\w+/=\s-]*$/.test(value)))
  if (!isInline) yield ofProvider(what, `has an ${what} that the provider would fetch`)
}
