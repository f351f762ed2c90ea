import { splitMethods } from './method-text.ts'

/**
 * Returns the label that a text names: an equal one, or for `NAME:DOCUMENT[…]` the one that says the same in brackets,
 * `NAME[option=DOCUMENT,…]`. Undefined unless exactly one label matches.
 */
export function findLabel(text: string, labels: readonly string[]): string | undefined {
  if (labels.includes(text)) return text
  const written = text.replace(/\s+/g, '')
  const [found, ...more] = new Set(labels.filter((label) => withColon(label) === written))
  return more.length === 0 ? found : undefined
}

/** Returns `NAME:DOCUMENT[…]` for `NAME[option=DOCUMENT,…]`, which may end in the name of a set of agents. */
function withColon(label: string): string | undefined {
  const [, name, options = '', set = ''] = /^([^[\]]+)\[(.*)\](@.*)?$/s.exec(label) ?? []
  const [first = '', ...others] = splitMethods(options)
  const [, document] = /^\w+=(.*)$/s.exec(first) ?? []
  if (name === undefined || document === undefined) return undefined
  return `${name}:${document}${others.length > 0 ? `[${others.join(',')}]` : ''}${set}`
}
