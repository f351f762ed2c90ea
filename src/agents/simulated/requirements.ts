import { extractFacts } from './summary-text.ts'

/** Returns the lines of a plan: the facts of the prompt under ids, three per line. */
export function requirements(prompt: string): string[] {
  const facts = extractFacts(prompt).slice(0, 24)
  const lines: string[] = []
  for (let i = 0; i < Math.max(facts.length, 1); i += 3) {
    const named = facts.slice(i, i + 3).join(', ')
    lines.push(`R${lines.length + 1}. The work must do what the task says${named ? ` about ${named}` : ''}.`)
  }
  return lines
}
