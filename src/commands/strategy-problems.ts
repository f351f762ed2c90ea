import { z } from 'zod'

const name = z
  .string('must be a text')
  .regex(/^[a-z][a-z0-9-]*$/, 'must be of small letters, digits and dashes, and begin with a letter')
const words = z.string('must be a text').regex(/\S/, 'says nothing')
const works = ['produce', 'judge', 'summarise', 'decide'] as const

/** What `defineStrategy` promises, for whoever wrote no types, or wrong ones. */
const Shape = z.object(
  {
    name,
    aliases: z.array(name, 'must be a list of names').optional(),
    summary: words,
    diagram: words,
    roles: z
      .record(z.string(), z.enum(works, `must be one of ${works.join(', ')}`), 'must be an object')
      .refine((roles) => Object.keys(roles).length > 0, 'names no role'),
    options: z.custom<z.ZodObject>((value) => value instanceof z.ZodObject, {
      error: "must be a zod object: import { z } from 'orchestration-bench', and write z.strictObject({ … })",
    }),
    run: z.custom((value) => typeof value === 'function', { error: 'must be a function' }),
  },
  'is no strategy',
)

/** All that is wrong with what a file exports as a strategy, each as `field: fact`; empty when it can be run. */
export function strategyProblems(value: unknown): string[] {
  const { data, error } = Shape.safeParse(value)
  if (error)
    return error.issues.map(
      ({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
    )
  const defaults = data.options.safeParse({})
  return (defaults.error?.issues ?? []).map(
    ({ path, message }) => `options.${path.join('.')}: needs a default (${message})`,
  )
}
