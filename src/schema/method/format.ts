import { z } from 'zod'

/** The formats of data that agents pass to each other. */
export const Format = z.enum(['xml', 'json', 'markdown', 'plain'])
export type Format = z.infer<typeof Format>
