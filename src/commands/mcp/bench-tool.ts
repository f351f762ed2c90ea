import { z } from 'zod'
import type { Printed } from './call-bench.ts'

/** A tool of the server: what a client may ask, and how it is answered. */
export interface BenchTool {
  name: string
  description: string
  input: z.ZodObject
  isReadOnly: boolean
  /** Throws `UserError` for what a client may not ask. */
  call(args: unknown, signal: AbortSignal): Promise<Printed>
}

/** What several tools ask for. */
export const run = z.string().describe('the name of a run folder, as list_runs gives it')
export const page = {
  offset: z.int().min(0).default(0),
  limit: z.int().positive().max(100).default(30),
}
export const text = (words: string) => z.string().optional().describe(words)

type Call<Shape extends z.ZodRawShape> = (
  args: z.infer<z.ZodObject<Shape>>,
  signal: AbortSignal,
) => Promise<Printed>

/** Defines a tool that changes nothing. */
export function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  call: Call<Shape>,
): BenchTool {
  const input = z.strictObject(shape)
  return {
    name,
    description,
    input,
    isReadOnly: true,
    call: async (args, signal) => call(input.parse(args) as never, signal),
  }
}

/** Defines a tool that changes something. */
export const changing = <Shape extends z.ZodRawShape>(
  ...parts: Parameters<typeof tool<Shape>>
): BenchTool => ({
  ...tool(...parts),
  isReadOnly: false,
})

/** Writes the options that have a value; of a switch that is on, its name. */
export const flags = (values: Record<string, string | boolean | undefined>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [value === true ? `--${name}` : `--${name}=${value}`],
  )

/** Returns a page of a list under a name, how many there are, and where the next page begins. */
export function pageOf(
  name: string,
  all: readonly unknown[],
  { offset, limit }: { offset: number; limit: number },
) {
  const end = offset + limit
  return {
    count: all.length,
    ...(end < all.length && { next_offset: end }),
    [name]: all.slice(offset, end),
  }
}
