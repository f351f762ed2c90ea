import { z } from 'zod'

/** The name of a state or an agent. */
export const StateName = z
  .string()
  .regex(
    /^[A-Za-z][\w-]*$/,
    'must be a name of letters, digits, dashes and underscores, and begin with a letter',
  )
