import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fillShape, type ShapeContent, textPlace } from '../../../src/agents/simulated/shape-fill.ts'
import { GateVerdict } from '../../../src/schema/machine/decision.ts'

const schemaOf = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
const filling = (wanted: Partial<ShapeContent> = {}): ShapeContent => ({
  signal: 0.5,
  approved: false,
  items: 2,
  text: (i) => `text ${i}`,
  ...wanted,
})
const fill = (shape: z.ZodType, wanted?: Partial<ShapeContent>) => fillShape(schemaOf(shape), filling(wanted))

interface Tree {
  value: string
  children: Tree[]
  next: Tree | null
}
const Tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ value: z.string(), children: z.array(Tree), next: Tree.nullable() }),
)

const leaf = fc.oneof(
  fc.constantFrom<z.ZodType>(
    z.string(),
    z.string().min(30),
    z.string().max(3),
    z.string().length(8),
    z.email(),
    z.url(),
    z.uuid(),
    z.iso.date(),
    z.iso.datetime(),
    z.string().regex(/^[A-Z]\d$/),
    z.boolean(),
    z.null(),
    z.literal('x'),
    z.literal([1, 'b', null]),
    z.enum(['a', 'b']),
    z.enum(['pass', 'fail']),
    z.number(),
    z.int(),
    z.number().positive(),
    z.int().negative(),
    z.number().multipleOf(5).min(3),
    z.int().multipleOf(4).max(-2),
    z.unknown(),
    z.any(),
    z.number().gt(3).lt(4),
    z.int().gt(3).lt(5),
    z.string().optional(),
    z.number().default(3),
    Tree,
  ),
  fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 20 })).map(([low, width]) =>
    z
      .number()
      .min(low)
      .max(low + width),
  ),
  fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 20 })).map(([low, width]) =>
    z
      .int()
      .min(low)
      .max(low + width),
  ),
  fc.integer({ min: -20, max: 20 }).map((high) => z.number().max(high)),
)
const { shape } = fc.letrec<{ shape: z.ZodType }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .dictionary(fc.constantFrom('id', 'score', 'text', 'taskId', '__proto__', 'list'), tie('shape'), {
        maxKeys: 4,
        noNullPrototype: true,
      })
      .map((fields) => z.object(fields)),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('shape'), { maxKeys: 2 })
      .map((fields) => z.strictObject({ ...fields })),
    tie('shape').map((item) => z.array(item)),
    fc.tuple(tie('shape'), fc.integer({ min: 0, max: 3 })).map(([item, least]) =>
      z
        .array(item)
        .min(least)
        .max(least + 1),
    ),
    fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((items) => z.tuple(items as [z.ZodType])),
    tie('shape').map((value) => z.nullable(value)),
    tie('shape').map((value) => z.record(z.string(), value)),
    tie('shape').map((value) => z.record(z.enum(['p', 'q']), value)),
    fc.tuple(tie('shape'), tie('shape')).map(([a, b]) => z.union([a, b])),
    tie('shape').map((value) =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('x'), value }),
        z.object({ kind: z.literal('y') }),
      ]),
    ),
    tie('shape').map((value) => z.intersection(z.object({ left: value }), z.object({ right: value }))),
  ),
}))

it('fillShape fills any shape so that it parses, equally for equal input', () => {
  fc.assert(
    fc.property(
      shape,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      fc.nat(5),
      (shape, signal, approved, items) => {
        const value = fill(shape, { signal, approved, items })
        const parsed = shape.safeParse(JSON.parse(JSON.stringify(value)))
        expect(
          parsed.success,
          `${JSON.stringify(schemaOf(shape))} ${JSON.stringify(value)} ${parsed.error}`,
        ).toBe(true)
        expect(fill(shape, { signal, approved, items })).toEqual(value)
      },
    ),
    { numRuns: 500, seed: 3 },
  )
})

describe('a verdict in a shape', () => {
  const Audit = z.object({
    compliance: z.number().min(0).max(1),
    stars: z.int().min(1).max(5),
    approved: z.boolean(),
    status: z.enum(['rejected', 'accepted']),
    violations: z.array(z.object({ id: z.string(), text: z.string() })),
    note: z.string(),
  })

  it('rejects with low numbers and one item for each finding', () => {
    const findings = ['sum of none', 'negative limit']
    expect(
      fill(Audit, { signal: 0.25, approved: false, items: 2, text: (i) => findings[i] ?? 'see above' }),
    ).toEqual({
      compliance: 0.25,
      stars: 2,
      approved: false,
      status: 'rejected',
      violations: [
        { id: 'V1', text: `sum of none${textPlace}` },
        { id: 'V2', text: 'negative limit' },
      ],
      note: 'see above',
    })
  })

  it('approves with high numbers and no findings', () => {
    expect(fill(Audit, { signal: 1, approved: true, items: 0, text: () => 'fine' })).toEqual({
      compliance: 1,
      stars: 5,
      approved: true,
      status: 'accepted',
      violations: [],
      note: `fine${textPlace}`,
    })
  })

  it('uses the chosen value of an enum if the enum has it', () => {
    const shape = z.object({ next: z.enum(['auditor', 'finish']) })
    expect(fill(shape, { choose: () => 'finish' })).toEqual({ next: 'finish' })
    expect(fill(shape, { approved: true, choose: () => 'nobody' })).toEqual({ next: 'auditor' })
  })

  it('of a gate goes on with a high score, or sends back with guidance', () => {
    const passed = fill(GateVerdict, {
      signal: 0.9,
      approved: true,
      items: 0,
      text: () => 'Nothing is missing.',
    })
    expect(GateVerdict.parse(passed)).toMatchObject({ decision: 'proceed', quality_score: 9.1, issues: [] })
    const back = fill(GateVerdict, { signal: 0.3, approved: false, items: 1, text: () => 'No number.' })
    expect(GateVerdict.parse(back)).toMatchObject({ decision: 'retry', quality_score: 3.7 })
    expect(JSON.stringify(back)).toContain('"retry_guidance":"No number."')
  })

  it('rates every target by every criterion once', () => {
    const shape = z.object({
      text: z.string(),
      scores: z.array(
        z.object({
          target: z.enum(['a.md', 'b.md']),
          criterion: z.enum(['facts', 'voice']),
          score: z.number().min(1).max(10),
        }),
      ),
    })
    const { scores } = shape.parse(fill(shape, { signal: 1, items: 0 }))
    expect(scores.map(({ target, criterion, score }) => `${target} ${criterion} ${score}`)).toEqual([
      'a.md facts 10',
      'a.md voice 10',
      'b.md facts 10',
      'b.md voice 10',
    ])
  })
})
