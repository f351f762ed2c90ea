import { z } from 'zod'

const maxIdLength = 100

/** The id of a step or of a primitive. */
export const Id = z
  .string()
  .max(maxIdLength, `must have at most ${maxIdLength} characters`)
  .regex(
    /^[A-Za-z0-9][\w.-]*$/,
    'must be a name of letters, digits, dots, dashes and underscores, and begin with a letter or digit',
  )

/** The id of a pattern, or of a branch of one. It has no dots, since dots join the ids of nested patterns. */
export const PatternId = z
  .string()
  .max(maxIdLength, `must have at most ${maxIdLength} characters`)
  .regex(
    /^[A-Za-z0-9][\w-]*$/,
    'must be a name of letters, digits, dashes and underscores, and begin with a letter or digit',
  )
