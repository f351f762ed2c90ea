import { z } from 'zod'

/** Whether a text can be the name of an environment variable. A key pasted in its place usually cannot. */
export const isVariableName = (text: string): boolean => pattern.test(text)

const pattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The problem of an invalid name. It does not quote the text, which may be a key. */
export const notVariableName = {
  what: 'is not the name of an environment variable',
  fix: 'Write the NAME of the variable that holds the key.',
}

/** Name of an environment variable. */
export const VariableName = z.string().regex(pattern, notVariableName.what)

/** Variables of a program's environment, by name; those of bench are its own. */
export const ProgramVariables = z.record(
  VariableName.refine((name) => !name.startsWith('BENCH_'), 'must not begin with BENCH_'),
  z.string(),
)
