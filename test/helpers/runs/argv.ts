type Value = string | number | readonly string[]

/** The words of a command, as a person types it: each `${…}` is a part of one word, and a list alone is its words. */
export function argv(texts: TemplateStringsArray, ...values: readonly Value[]): string[] {
  const typed = texts.reduce((line, text, at) => `${line}\0${at - 1}\0${text}`)
  return typed
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const alone = values[Number(/^\0(\d+)\0$/.exec(word)?.[1] ?? -1)]
      if (typeof alone === 'object') return alone
      return word.replace(/\0(\d+)\0/g, (_, at) => String(values[Number(at)]))
    })
}
