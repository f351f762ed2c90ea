import { z } from 'zod'

/** Whether a text can be the name of an environment variable: keys, pasted in its place, mostly cannot. */
export const isVariableName = (text: string): boolean => pattern.test(text)

const pattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** What is told of a text that can be none. It is not quoted: a key may stand there. */
export const notVariableName = {
  what: 'is not the name of an environment variable',
  fix: 'Write the NAME of the variable that holds the key.',
}

/** Name of an environment variable. */
export const VariableName = z.string().regex(pattern, notVariableName.what)
