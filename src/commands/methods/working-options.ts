import { z } from 'zod'
import type { Strategy } from '../../strategy.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * Returns single options with which a method would do what it cannot do with these, such as `until=checks`: words that an option may be, and
 * defaults. `works` tells whether it then does.
 */
export function workingOptions(
  { options: schema }: Pick<Strategy, 'options'>,
  options: Options,
  works: (options: Options) => boolean,
): string[] {
  const shape: Options = schema instanceof z.ZodObject ? schema.shape : {}
  return Object.entries(shape).flatMap(([name, type]) =>
    valuesOf(type).flatMap((value) => {
      if (value === options[name]) return []
      const { data } = schema.safeParse({ ...options, [name]: value })
      return data && works(data as Options) ? [`${name}=${String(value)}`] : []
    }),
  )
}

/** Returns the words that an option may be; of any other its default, if that is a number or a switch. */
function valuesOf(type: unknown): unknown[] {
  if (type instanceof z.ZodEnum) return [...type.options]
  if (!(type instanceof z.ZodDefault)) return []
  const inner = type.unwrap()
  if (inner instanceof z.ZodEnum) return [...inner.options]
  return ['number', 'boolean'].includes(typeof type.def.defaultValue) ? [type.def.defaultValue] : []
}
