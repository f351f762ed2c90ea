import { describe, expect, it } from 'vitest'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

/** Grades a solution by one test. Returns its score and how long that took; ms. */
async function judge(source: string, body: string, timeoutMs: number) {
  const graders = [{ kind: 'tests', runner: 'node-test', expectTests: 1, timeoutMs }]
  const text = `import test from 'node:test'
import assert from 'node:assert/strict'
import * as x from '../src/sum.mjs'
test('one', async () => { ${body} })`
  const task = codeTask({ tests: { 'a.test.mjs': text }, spec: { graders } })
  const started = performance.now()
  const { scores } = await gradeLeft(task, { files: { 'src/sum.mjs': source } })
  return { value: scores[0]?.value, reason: scores[0]?.reason ?? '', ms: performance.now() - started }
}

describe('a value without an end', { timeout: 60_000 }, () => {
  const late = 'still running after the limit of 2500 ms'
  it.each([
    ['a generator', 'export function* v() { for (;;) yield 1 }', 'for (const n of x.v());', late],
    [
      'a generator of long texts',
      `export function* v() { for (let n = 0; ; n++) yield n + 'x'.repeat(1e6) }`,
      'const all = []; for (const n of x.v()) all.push(n)',
      '',
    ],
    [
      'an end that never ends',
      'export function* v() { try { yield 1 } finally { for (;;); } }',
      'for (const n of x.v()) break',
      late,
    ],
    [
      'an asynchronous generator',
      'export async function* v() { for (;;) yield 1 }',
      'for await (const n of x.v());',
      late,
    ],
    [
      'a step that never ends',
      'export async function* v() { await new Promise(() => {}) }',
      'await x.v().next()',
      'one: never ended',
    ],
    ['many bytes', 'export const v = () => new Uint8Array(60e6)', 'assert.equal(x.v().length, 1)', ''],
    [
      'parameters',
      `export const v = () => new URLSearchParams('a=' + 'x'.repeat(40e6))`,
      'assert.equal(x.v().size, 2)',
      '',
    ],
    [
      'its own next',
      'export const v = { [Symbol.iterator]() { return this }, next: () => ({ done: false }) }',
      'for (const n of x.v);',
      late,
    ],
  ])('is ended by the limits: %s', async (_, source, body, reason) => {
    const result = await judge(source, body, 2500)
    expect(result.value).toBe(0)
    expect(result.reason).toContain(reason)
    // A machine that is busy needs more than the limit.
    expect(result.ms).toBeLessThan(20_000)
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'doesNot'))(
    'does not keep a right solution from passing: %s',
    async (_, source, body) => {
      expect((await judge(source, body, 40_000)).reason).toBe('1 of 1 tests passed')
    },
  )
})
