import type { z } from 'zod'

/**
 * Parses the data of a reply: the whole text, a fenced block, or the outermost braces or brackets. Where none has the shape, the
 * problem is that of the first which is JSON: brackets inside it are only a part.
 */
export function readData<Reply>(
  text: string,
  shape: z.ZodType<Reply>,
): { data: Reply } | { problem: string } {
  let problem = 'it holds no JSON.'
  let isJson = false
  for (const part of findJson(text)) {
    let value: unknown
    try {
      value = JSON.parse(part)
    } catch {
      // Node's own message differs between versions, and this text goes into a prompt.
      if (!isJson) problem = 'it is not valid JSON.'
      continue
    }
    const parsed = shape.safeParse(value)
    if (parsed.success) return { data: parsed.data }
    if (isJson) continue
    isJson = true
    problem = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || 'the value'}: ${issue.message}`)
      .join('; ')
  }
  return { problem }
}

function* findJson(text: string): Generator<string> {
  const trimmed = text.trim()
  if (trimmed === '') return
  yield trimmed
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1]
  if (fenced !== undefined) yield fenced
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const start = text.indexOf(open)
    const end = text.lastIndexOf(close)
    if (start > 0 && end > start) yield text.slice(start, end + 1)
  }
}
