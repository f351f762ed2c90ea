import { expect, it } from 'vitest'
import { findLabel, shortLabel } from '../../../src/loop/plan/method-text.ts'

it.each([
  ['self-consistency[match=sequential:tokens]', 'self-consistency=sequential'],
  ['self-consistency[match=sequential]', 'self-consistency=sequential'],
  ['self-consistency=sequential:tokens', 'self-consistency=sequential'],
  ['retry[match=A:calls]', 'retry=A:calls'],
  ['best-of[match=A:dollars,tools=read]@small', 'best-of=A:dollars[tools=read]@small'],
  ['best-of[match=sequential[maxOuter=2,parallel=3]]', 'best-of=sequential[maxOuter=2,parallel=3]'],
  ['best-of=sequential[maxOuter=2]', 'best-of=sequential[maxOuter=2]'],
  ['sequential[maxOuter=2]', 'sequential[maxOuter=2]'],
  ['baseline', 'baseline'],
])('shortLabel writes %s as %s', (long, short) => {
  expect(shortLabel(long)).toBe(short)
})

it.each([
  ['self-consistency[match=sequential]', 'self-consistency=sequential'],
  ['self-consistency[match=sequential:tokens]', 'self-consistency=sequential'],
  ['self-consistency=sequential:tokens', 'self-consistency=sequential'],
  ['retry[match=A:calls]', 'retry=A:calls'],
  // A run of an older bench.
  ['best-of=sequential', 'best-of[match=sequential:tokens]'],
  ['dag:planner_executor', 'dag[document=planner_executor]'],
])('findLabel takes %s for %s', (typed, label) => {
  const labels = [
    ...['baseline', 'self-consistency=sequential', 'retry=A:calls', 'best-of[match=sequential:tokens]'],
    ...['dag[document=planner_executor]', 'sequential'],
  ]
  expect(findLabel(typed, labels)).toBe(label)
  expect(findLabel('retry=A', labels)).toBeUndefined()
})
