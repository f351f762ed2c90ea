import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amendManifest } from '../../../src/loop/record/amendments.ts'
import type { Amendment, Change } from '../../../src/schema/run/amendment.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { nameTaskVersion, refOfVersion } from '../../../src/schema/run/task-version.ts'

const digest = (letter: string) => letter.repeat(64)
const first = {
  tasks: [
    { ref: 's/one', digest: digest('a') },
    { ref: 's/two', digest: digest('b') },
  ],
  methods: [{ label: 'own', strategy: 'own', digest: digest('c'), options: {} }],
  agentDigests: { 'scripted:x.mjs': digest('d') },
  trials: 4,
} as unknown as RunManifest

const amended = (...lists: Partial<Change>[][]) =>
  amendManifest(
    first,
    lists.map(
      (changes): Amendment => ({
        at: '2026-01-02T03:04:05.000Z',
        records: 1,
        planned: { before: 4, after: 5 },
        changes: changes.map((change) => ({ kind: 'task', name: 's/one', before: '', after: '', ...change })),
      }),
    ),
  )
const names = ({ tasks }: RunManifest) => tasks.map(({ ref }) => ref)

it('a run without amendments is as run.json says', () => {
  expect(amendManifest(first, [])).toBe(first)
})

it.each([
  ['a changed task', [[{ after: digest('e') }]], ['s/one@eeeeeeee', 's/two']],
  ['a task that was restored', [[{ after: digest('e') }], [{ after: digest('a') }]], ['s/one', 's/two']],
  ['a task that is gone', [[{ after: '' }]], ['s/two']],
  ['a task that was added', [[{ name: 's/new', after: digest('e') }]], ['s/one', 's/two', 's/new']],
  [
    'a task that was added and then changed',
    [[{ name: 's/new', after: digest('e') }], [{ name: 's/new', after: digest('f') }]],
    ['s/one', 's/two', 's/new@ffffffff'],
  ],
])('%s gets its name from its first and its present digest', (_, lists, expected) => {
  const manifest = amended(...lists)
  expect(names(manifest)).toEqual(expected)
  expect(manifest).toMatchObject({ trials: 5 })
  expect(manifest.earlierTasks).toEqual(expect.arrayContaining(first.tasks))
})

it('a changed task and an added one keep the properties that they state now', () => {
  const { tasks } = amended([
    { after: digest('e'), properties: { difficulty: 0.5 } },
    { name: 's/new', after: digest('f'), properties: { independentParts: 3 } },
  ])
  expect(tasks.map(({ properties }) => properties)).toEqual([
    { difficulty: 0.5 },
    undefined,
    { independentParts: 3 },
  ])
})

it.each([
  ['an agent', { kind: 'agent', name: 'scripted:x.mjs', after: digest('e') }],
  ['a method', { kind: 'method', name: 'own', after: digest('e') }],
] as const)('the change of %s gives every task another version', (_, change) => {
  const manifest = amended([change])
  for (const name of names(manifest)) expect(name).toMatch(/^s\/(one|two)@[0-9a-f]{8}$/)
  const back = amended([change], [{ ...change, after: change.kind === 'agent' ? digest('d') : digest('c') }])
  expect(names(back)).toEqual(['s/one', 's/two'])
})

it('the ref of a version is the ref that it was named for', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w.-]{1,9}\/[a-z0-9][\w.-]{0,9}$/),
      hex,
      hex,
      fc.array(hex),
      (ref, first, now, others) => {
        const name = nameTaskVersion(ref, { first, now, others })
        expect(refOfVersion(name)).toBe(ref)
        expect(name === ref).toBe(first === now && others.length === 0)
      },
    ),
  )
})
