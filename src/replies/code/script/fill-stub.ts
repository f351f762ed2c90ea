/** Puts a body into the stub: between its braces, or after a brace that the prompt leaves open. */
export function fillBody(prompt: string, from: number, body: string): string {
  const open = bodyBrace(prompt, from)
  if (open === undefined) return `${prompt.trimEnd()}\n${body}\n`
  const close = matchingBrace(prompt, open)
  const closesItself = matchingBrace(`{${body}`, 0) !== undefined
  if (close === undefined) return `${prompt.trimEnd()}\n${body}${closesItself ? '' : '\n}'}\n`
  return `${prompt.slice(0, open + 1)}\n${body}\n${prompt.slice(close)}`
}

/** Returns the index of the brace that opens a function's body, after its parameters, whose types may contain braces. */
function bodyBrace(text: string, from: number): number | undefined {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if ('(['.includes(text[i] as string)) depth++
    if (')]'.includes(text[i] as string)) depth--
    if (depth === 0 && text[i] === '{' && /[\w\]>)}]\s*$/.test(text.slice(from, i))) return i
  }
  return undefined
}

/** Returns the index of the brace that closes the one at `open`. Skips strings and comments. */
function matchingBrace(text: string, open: number): number | undefined {
  const token = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[{}]/g
  token.lastIndex = open
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth++
    if (match[0] === '}' && --depth === 0) return match.index
  }
  return undefined
}
