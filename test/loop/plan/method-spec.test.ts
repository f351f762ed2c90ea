import { expect, it } from 'vitest'
import { z } from 'zod'
import { parseMethod } from '../../../src/loop/plan/method-spec.ts'
import { splitMethods } from '../../../src/loop/plan/method-text.ts'
import { unknownName } from '../../../src/loop/plan/unknown-name.ts'
import { defineStrategy } from '../../../src/strategy.ts'

const strategy = defineStrategy({
  name: 'sequential',
  aliases: ['adc-sequential'],
  summary: '',
  roles: { solver: 'produce' },
  options: z.strictObject({
    maxInner: z.int().positive().default(10),
    compliance: z.number().min(0).max(1).default(0.8),
    adaptive: z.boolean().default(false),
    summariser: z.enum(['agent', 'extractive']).default('agent'),
  }),
  run: async () => ({ stopReason: 'done' }),
})
const known = [{ strategy, digest: 'd' }]
const parse = (text: string) => parseMethod(text, known)

it('splitMethods splits at the commas outside brackets', () => {
  expect(splitMethods('a[x=1,y=2], B=b ,c')).toEqual(['a[x=1,y=2]', 'B=b', 'c'])
  expect(splitMethods('a[x=1,match=b[c=2,d=3]],e')).toEqual(['a[x=1,match=b[c=2,d=3]]', 'e'])
  expect(splitMethods('a],b[x=1,y=2],c')).toEqual(['a]', 'b[x=1,y=2]', 'c'])
  expect(splitMethods('x=1,match=b[c=2,d=3]:calls')).toEqual(['x=1', 'match=b[c=2,d=3]:calls'])
})

it('parseMethod reads options by the types of the strategy, and fills in defaults', () => {
  expect(parse('sequential[maxInner=5,compliance=0.9,adaptive=true,summariser=extractive]')).toMatchSnapshot()
})

it('parseMethod refuses an option that is set twice', () => {
  for (const text of ['sequential[maxInner=2,maxInner=3]', 'sequential[maxInner=2, maxInner=2]'])
    expect(parse(text)).toMatchObject({ problems: [{ what: 'sets option "maxInner" twice' }] })
})

it('parseMethod accepts labels and aliases', () => {
  expect(parse('A=sequential')).toMatchObject({ method: { label: 'A', strategy: 'sequential' } })
  expect(parse('adc-sequential')).toMatchObject({ method: { label: 'sequential', strategy: 'sequential' } })
})

it('parseMethod reports all wrong options together, with suggestions', () => {
  const result = parse('sequential[maxInner=0,complience=1,adaptive]')
  expect('problems' in result && result.problems.map(({ what, fix }) => `${what}. ${fix}`)).toEqual([
    'there is no option "complience". Did you mean "compliance"?',
    'option "adaptive" has no value. Write adaptive=VALUE.',
    expect.stringContaining('option "maxInner"'),
  ])
})

it('parseMethod suggests a name for a misspelt method', () => {
  expect(parse('sequental')).toMatchObject({
    problems: [{ what: 'there is no method "sequental"', fix: 'Did you mean "sequential"?' }],
  })
})

it('unknownName lists at most twelve known names, and the number of the others', () => {
  const known = Array.from({ length: 15 }, (_, i) => `name-${i}`)
  expect(unknownName('x', 'task', 'quite another', known, 'bench tasks').fix).toMatchSnapshot()
  expect(unknownName('x', 'task', 'quite another', ['a', 'b'], 'bench tasks').fix).toBe(
    'Known: a, b. See bench tasks.',
  )
})

it('parseMethod reads the matched method with its options, and lists match among the options of a strategy that accepts it', () => {
  const sampling = {
    ...strategy,
    name: 'sampling',
    attempts: 'n',
    options: z.strictObject({ n: z.int().default(5) }),
  }
  const parse = (text: string) => parseMethod(text, [{ strategy: sampling, digest: 'd' }])
  expect(parse('sampling[match=sequential[maxOuter=2, parallel=3]:calls]')).toMatchObject({
    method: {
      label: 'sampling=sequential[maxOuter=2,parallel=3]:calls',
      match: { method: 'sequential[maxOuter=2,parallel=3]', unit: 'calls' },
    },
  })
  expect(parse('sampling[match=sequential]')).toMatchObject({ method: { label: 'sampling=sequential' } })
  expect(parse('sampling[match=sequential:tokens,tools=read]')).toMatchObject({
    method: { label: 'sampling=sequential[tools=read]' },
  })
  expect(parse('sampling[budget=3]')).toMatchObject({
    problems: [
      { what: 'there is no option "budget"', fix: 'Known: n, match, tools. See bench methods sampling.' },
    ],
  })
})

it('parseMethod refuses the name of a control as the label of another strategy, which would read like a match', () => {
  const sampling = { ...strategy, name: 'sampling', aliases: [], attempts: 'maxInner' }
  const both = [...known, { strategy: sampling, digest: 'd' }]
  expect(parseMethod('sampling=sequential', both)).toMatchObject({
    problems: [
      {
        what: '"sampling" is another strategy, and here it would be the label of sequential',
        fix: expect.stringContaining('Write sampling[match=sequential]'),
      },
    ],
  })
  expect(parseMethod('sampling=sampling[maxInner=2]', both)).toMatchObject({ method: { label: 'sampling' } })
})
