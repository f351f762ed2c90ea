import { expect, it } from 'vitest'
import { z } from 'zod'
import { lazyObject, lazyStrictObject } from '../../src/schema/lazy-object.ts'
import { knownFields } from '../../src/schema-fields.ts'

/** Fields that count how often they are made. */
function counted() {
  const made = { times: 0 }
  const fields = () => {
    made.times++
    return { name: z.string(), size: z.int().optional() }
  }
  return { made, fields }
}

it('makes no fields while schemas are put together, and each once however often it is used', () => {
  const { made, fields } = counted()
  const Part = lazyObject(fields)
  const Strict = lazyStrictObject(fields).superRefine(() => {})
  const whole = z.object({
    part: Part.optional(),
    parts: z.array(Strict).min(1),
    either: z.union([Part, Strict]),
  })
  const outer = lazyObject(() => ({ ...Part.shape, inner: Part }))
  expect(made.times).toBe(0)

  const part = { name: 'a' }
  const value = { part, parts: [part, part], either: part }
  expect(whole.parse(value)).toEqual(value)
  expect(outer.parse({ name: 'b', inner: part })).toEqual({ name: 'b', inner: part })
  expect(made.times).toBe(2)
})

it('is otherwise what zod makes of the same fields', () => {
  const { fields } = counted()
  const values = [{ name: 'a', size: 1 }, { name: 'a', more: true }, { size: 1.5 }, [], null, { name: 1 }]
  for (const [ours, theirs] of [
    [lazyObject(fields), z.object(fields())],
    [lazyStrictObject(fields), z.strictObject(fields())],
  ] as const) {
    for (const value of values) {
      const [own, plain] = [ours.safeParse(value), theirs.safeParse(value)]
      expect(own.data).toEqual(plain.data)
      expect(own.error?.issues).toEqual(plain.error?.issues)
    }
    expect(z.toJSONSchema(ours)).toEqual(z.toJSONSchema(theirs))
    expect(knownFields(ours, [], {})).toEqual(['name', 'size'])
    expect(ours.partial().parse({})).toEqual({})
    expect(ours.omit({ size: true }).shape).toEqual({ name: ours.shape.name })
    expect(ours.extend({ more: z.boolean() }).parse({ name: 'a', more: true })).toEqual({
      name: 'a',
      more: true,
    })
  }
})

it('tells two forms of a line apart by a field that neither has made yet', () => {
  const Line = z.discriminatedUnion('kind', [
    lazyObject(() => ({ kind: z.literal('a'), one: z.string() })),
    lazyObject(() => ({ kind: z.literal('b'), two: z.int() })),
  ])
  expect(Line.parse({ kind: 'b', two: 2 })).toEqual({ kind: 'b', two: 2 })
  expect(Line.safeParse({ kind: 'c' }).error?.issues[0]?.path).toEqual(['kind'])
})
