import { z } from 'zod'

/**
 * Why a reply ended. `stop`: the model was done. `length`: the output limit cut it off. `tool-call`: the model called a tool.
 * `refusal`: the model, or a filter around it, refused. `thoughts`: it gave thoughts alone, and no answer.
 */
export const Finish = z.enum(['stop', 'length', 'tool-call', 'refusal', 'thoughts'])
export type Finish = z.infer<typeof Finish>
