import { z } from 'zod'

/** What a name must be, as problems say it. */
export const nameRule = 'must be a name of letters, digits, dashes and underscores, and begin with a letter'

/** The name of a state or an agent. */
export const StateName = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, nameRule)
  .max(64, 'has more than 64 characters')
