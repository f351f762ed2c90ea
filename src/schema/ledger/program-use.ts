import { z } from 'zod'
import { Tokens } from '../tokens.ts'

const ModelUse = z.object({
  /** Its name in the replies; absent for replies that name none. */
  model: z.string().optional(),
  requests: z.int().positive(),
  tokens: Tokens,
  costUsd: z.number().nonnegative().nullable(),
})

/**
 * The use of a whole call as limits count it: what was reported, and for the rest an estimate by the size of the request and the most
 * output that it allows. `requests` is the number of requests that are estimated.
 */
const EstimatedUse = z.object({
  requests: z.int().positive(),
  tokens: z.number().nonnegative(),
  /** US dollars; null where no price is known. */
  costUsd: z.number().nonnegative().nullable(),
})

/** What an agent program adds to a reply. */
export const ProgramUse = z.object({
  /** What each model used, if more than one answered; `model` is then absent. */
  models: z.array(ModelUse).min(2).optional(),
  /** Requests that it sent to its model in this call. A limit in calls counts each. */
  requests: z.int().nonnegative().optional(),
  /** What limits count for this call, since the bills of some of its requests could not be read. */
  estimated: EstimatedUse.optional(),
})
export type ProgramUse = z.infer<typeof ProgramUse>

/** The limit that refused a request of an agent program: whose limit, its name, and how much is used. */
export const StoppedBy = z.object({
  scope: z.enum(['ask', 'trial', 'method', 'run']),
  limit: z.string(),
  reason: z.string(),
})
export type StoppedBy = z.infer<typeof StoppedBy>

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
export type RefusedRequests = z.infer<typeof RefusedRequests>

/** What the gateway did in a call of a program; absent where there was nothing. */
export const GatewayFields = z.object({
  /** Requests that it did not let pass. */
  refused: RefusedRequests.optional(),
  /** What the provider may have run for the program, such as a search, by name (`--allow-provider-tools`). */
  providerTools: z.array(z.string()).optional(),
})
