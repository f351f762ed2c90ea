/** The words of a command, or why it has none. */
type Words = { words: string[] } | { problem: string }

/** What a shell would act on. */
const shellSyntax = /[|&;<>()$`*?]/

/**
 * Splits a command into words, as a shell does: at spaces, with quotes and backslashes. Where no shell runs, what only a shell
 * understands is refused unless it is quoted; `isForShell` takes it as it is.
 */
export function splitCommand(text: string, isForShell = false): Words {
  const words: string[] = []
  let word: string | undefined
  const piece = /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([\s\S])/gy
  for (const match of text.matchAll(piece)) {
    const [whole, single, double, escaped, plain] = match
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    if (plain === "'" || plain === '"') return { problem: `has no closing ${plain}` }
    if (plain === '\\') return { problem: 'ends with a backslash' }
    if (!isForShell && plain !== undefined && shellSyntax.test(plain))
      return { problem: `has ${plain} outside of quotes, but no shell runs` }
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain)
  }
  if (word !== undefined) words.push(word)
  return words.length > 0 && words[0] !== '' ? { words } : { problem: 'is empty' }
}
