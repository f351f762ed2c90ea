import { splitMethods } from './method-text.ts'

/**
 * Returns the label that a text names: an equal one, or one that says the same in another form: `NAME:DOCUMENT[…]` for
 * `NAME[option=DOCUMENT,…]`, and `NAME=METHOD` for `NAME[match=METHOD]`. Undefined unless exactly one label matches.
 */
export function findLabel(text: string, labels: readonly string[]): string | undefined {
  if (labels.includes(text)) return text
  const written = text.replace(/\s+/g, '')
  const isSame = (label: string) => withColon(label) === written || shortLabel(label) === shortLabel(written)
  const [found, ...more] = new Set(labels.filter(isSame))
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

/**
 * Returns `NAME=METHOD[…]` for `NAME[match=METHOD,…]`, which may end in the name of a set of agents. Tokens are the usual unit
 * of a matched budget, so they are not named. Other labels stay as they are.
 */
export function shortLabel(label: string): string {
  const [, name, options = '', set = ''] = /^([^[\]]+)\[(.*)\](@.*)?$/s.exec(label) ?? []
  const parts = splitMethods(options)
  const match = parts.find((part) => part.startsWith('match='))
  if (name === undefined || match === undefined) return label.replace(/(=.*):tokens(?=@|$)/s, '$1')
  const others = parts.filter((part) => part !== match)
  const matched = match.slice('match='.length).replace(/:tokens$/, '')
  return `${name}=${matched}${others.length > 0 ? `[${others.join(',')}]` : ''}${set}`
}
