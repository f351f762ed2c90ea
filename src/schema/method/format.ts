import { z } from 'zod'

/** The formats in which agents hand on what they made. */
export const Format = z.enum(['xml', 'json', 'markdown', 'plain'])
export type Format = z.infer<typeof Format>
