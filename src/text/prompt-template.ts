import { z } from 'zod'
import { sha256 } from './canonical-json.ts'
import { type Problem, UserError } from './errors.ts'
import { didYouMean } from './near-word.ts'

/** A template of a prompt. */
export const PromptTemplate = z.strictObject({
  /** SHA-256 of the text. */
  digest: z.string(),
  text: z.string(),
})
/** A template of a prompt. */
export type PromptTemplate = z.infer<typeof PromptTemplate>

const names = ['instruction', 'files'] as const
type Name = (typeof names)[number]

/** A placeholder. A backslash before it makes it plain text. */
const placeholder = /(\\?)\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu
const mostCharacters = 200_000

/** Reads a template. Throws `UserError` that names every placeholder which does not exist, and what the template lacks. */
export function readPromptTemplate(source: string, file: string): PromptTemplate {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const problems: Problem[] = []
  if (text.length > mostCharacters)
    problems.push({
      where: file,
      what: `has more than ${mostCharacters} characters`,
      fix: 'Make it shorter.',
    })
  const found = [...text.matchAll(placeholder)].filter(([, isText]) => isText === '')
  for (const { 2: name = '', index } of found)
    if (!isName(name))
      problems.push({
        where: `${file}:${text.slice(0, index).split('\n').length}`,
        what: `there is no placeholder {{${name}}}`,
        fix: [
          didYouMean(name, names),
          `Known: ${names.map((one) => `{{${one}}}`).join(', ')}. Write \\{{${name}}} for these characters as they are.`,
        ]
          .filter(Boolean)
          .join(' '),
      })
  if (!found.some(([, , name]) => name === 'instruction'))
    problems.push({
      where: file,
      what: 'has no {{instruction}}, so the agent would not learn its task',
      fix: 'Write {{instruction}} where the text of the task belongs.',
    })
  if (problems.length > 0) throw new UserError(problems)
  return { digest: sha256(text), text }
}

/** Fills in a template. What stands in a value is never read as a placeholder. */
export const fillPrompt = ({ text }: PromptTemplate, values: Readonly<Record<Name, string>>): string =>
  text.replace(placeholder, (whole, isText: string, name: string) =>
    isText === '' && isName(name) ? values[name] : whole.slice(isText.length),
  )

const isName = (name: string): name is Name => (names as readonly string[]).includes(name)
