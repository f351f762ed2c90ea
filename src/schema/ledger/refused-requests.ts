import { z } from 'zod'

/** Different requests beyond these are only counted. */
export const mostRefused = 20

/** Requests of an agent's program that the gateway did not let pass to its provider, since they are not those of an agent. */
export const RefusedRequests = z.object({
  total: z.int().positive(),
  /** The first ones, each with how often it came. */
  requests: z
    .array(z.object({ method: z.string(), path: z.string(), reason: z.string(), times: z.int().positive() }))
    .max(mostRefused),
})
/** What the gateway did in a call of a program; absent where there was nothing. */
export const GatewayFields = z.object({
  /** Requests that it did not let pass. */
  refused: RefusedRequests.optional(),
  /** What the provider may have run for the program, such as a search, by name (`--allow-provider-tools`). */
  providerTools: z.array(z.string()).optional(),
})
export type RefusedRequests = z.infer<typeof RefusedRequests>
