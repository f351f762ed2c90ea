import { expect, it } from 'vitest'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import type { Problem } from '../../../src/text/errors.ts'

it.each([
  ['A=baseline,A=retry', 'A=baseline,B=retry'],
  ['baseline,baseline', 'A=baseline,B=baseline'],
  ['A=baseline,B=retry,B=cascade', 'A=baseline,B=retry,C=cascade'],
  ['A=external:node a.mjs,A=external:node b.mjs', "'A=external:node a.mjs,B=external:node b.mjs'"],
  [
    "sequential[maxInner=5],external:node 'it,s',sequential[maxInner=5]",
    "'A=sequential[maxInner=5],external:node '\\''it,s'\\'',B=sequential[maxInner=5]'",
  ],
])(
  'of %s, which repeats a label, the whole list is told with others, as a shell takes it',
  async (methods, list) => {
    const problems: Problem[] = []
    await selectMethods({ methods }, undefined, problems)
    expect(problems.map(({ fix }) => fix)).toEqual([`Give each method its own label: ${list}.`])
  },
)
