import { z } from 'zod'

/**
 * `z.object`, whose fields are made when the schema is first used: of all that the files of all kinds of runs may hold, a
 * run reads little, and to make the rest took a twelfth of its start.
 */
export const lazyObject = <Shape extends z.core.$ZodLooseShape>(fields: () => Shape) =>
  new z.ZodObject(definition(fields)) as z.ZodObject<Shape>

/** `z.strictObject` in the same way. */
export const lazyStrictObject = <Shape extends z.core.$ZodLooseShape>(fields: () => Shape) =>
  new z.ZodObject(Object.assign(definition(fields), { catchall: z.never() })) as z.ZodObject<
    Shape,
    z.core.$strict
  >

function definition<Shape>(fields: () => Shape) {
  let made: Shape | undefined
  return {
    type: 'object' as const,
    get shape() {
      made ??= fields()
      return made
    },
  }
}
