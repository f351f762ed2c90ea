import { type ModelName, readModelName } from './model-name.ts'

/**
 * Returns whether a server answered by another model than the one asked for. `asked` and `answered` are names as servers write them.
 * A more exact or a less exact name of the same model is not another: a date, a path, a file, a quantization, a router's suffix.
 * A name that asks for no certain model, such as `auto`, has no other.
 */
export function isOtherModel(asked: string, answered: string): boolean {
  if (asked === answered || asked === '' || answered === '') return false
  const [want, got] = [readModelName(asked), readModelName(answered)]
  if (want.isOpen || got.isOpen) return false
  return (
    hasOtherVersion(want, got) ||
    hasOtherDate(want, got) ||
    !(isIn(want.sizes, got.sizes) || isIn(got.sizes, want.sizes)) ||
    hasOtherVariant(want, got) ||
    hasOtherFamily(want, got)
  )
}

/** Returns the model of an agent's name in records, such as `LABEL=PROVIDER:MODEL`; empty if the name has none. */
export function modelOfAgent(agent: string): string {
  const colon = agent.indexOf(':')
  return colon < 0 ? '' : agent.slice(colon + 1)
}

interface AnsweredCall {
  model?: string | undefined
  models?: readonly { model?: string | undefined }[] | undefined
}

/** Returns the names of the models that answered a call. */
export const modelsOfCall = ({ model, models }: AnsweredCall): string[] =>
  (models ?? [{ model }]).flatMap((one) => one.model ?? [])

/** A name that does not tell its version may mean any. */
function hasOtherVersion({ versions: want }: ModelName, { versions: got }: ModelName): boolean {
  return want.length > 0 && got.length > 0 && want.join(' ') !== got.join(' ')
}

/** `0324` is the end of `20250324`. */
function hasOtherDate({ date: want }: ModelName, { date: got }: ModelName): boolean {
  return want !== undefined && got !== undefined && !want.includes(got) && !got.includes(want)
}

function hasOtherVariant(want: ModelName, got: ModelName): boolean {
  const isSized = want.sizes.size > 0 && got.sizes.size > 0
  const own = ({ variants }: ModelName) =>
    new Set([...variants].filter((word) => !(isSized && servings.has(word))))
  return !isIn(own(want), own(got)) || !isIn(own(got), own(want))
}

/** How a host serves a model of a known size. */
const servings = new Set(['turbo', 'lite', 'fast', 'instant'])

function hasOtherFamily(want: ModelName, got: ModelName): boolean {
  if (want.families.size > 0 && got.families.size > 0)
    return !isIn(want.families, got.families) || !isIn(got.families, want.families)
  const [own, others] = [wordsOf(want), wordsOf(got)]
  // A name such as `sonnet` has no word besides its variant.
  if (own.size === 0 || (others.size === 0 && got.variants.size > 0)) return false
  return others.size === 0 || (!isIn(own, others) && !isIn(others, own))
}

const wordsOf = ({ families, words }: ModelName) => new Set([...families, ...words])

const isIn = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...some].every((one) => others.has(one))
