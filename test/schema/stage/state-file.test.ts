import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { filesContext } from '../../../src/workflows/work-context.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { newState, writeFiles } from '../../helpers/stages/chained.ts'

const programs = join(packageRoot(), 'strategies/chained')
const load = (name: string) => import(join(programs, `${name}.mjs`))
const { stateProblem } = (await load('state-file')) as { stateProblem(state: unknown): string | undefined }
const context = (await load('work-context')) as { filesContext(folder: string): string }

const test_results = {
  success: false,
  summary: { total: 2, passed: 1, failed: 1, skipped: 0 },
  failures: [{ test_name: 'a', file: 'a.mjs', line: 1, error: 'b' }],
  raw: { reason: 'a', text: '' },
}
const build_results = {
  success: false,
  summary: { errors: 1, warnings: 0 },
  errors: [{ file: 'a.ts', line: 2, column: 0, code: 'TS1', message: 'a' }, { message: '' }],
}
const whole = newState({
  test_results,
  build_results,
  plan: '',
  answer: 'a',
  test_gen_results: {
    ...{ success: true, target: 'a', framework: 'vitest', test_file: 'b' },
    summary: { exports: 1, tests: 2 },
  },
  review: { verdict: 'revise', comments: '', blocking: ['a', ''] },
  documentation: 'a',
  ship: { branch: 'a', base: 'b', commit: 'c', tree: 'd', files: ['a'], patch: '' },
  stages: [
    { stage: 'plan', status: 'n/a' },
    { stage: 'x', status: 'failed', detail: '' },
  ],
  own: { any: [1, null, { deep: [true, 'a', -1.5] }], none: {} },
})

/** Every value that is reached by one change at one place of a state: a part left out, or replaced by something else. */
function* changed(value: unknown): Generator<unknown> {
  const others = [null, '', 'a', 0, -1, 1.5, 2 ** 60, 1e300, true, [], [null], {}, { extra: 1 }, 'approve']
  yield* others
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries())
      for (const other of changed(one)) yield value.with(index, other)
    return
  }
  yield { ...value, extra: 1 }
  for (const [name, one] of Object.entries(value)) {
    const { [name as keyof typeof value]: _, ...rest } = value
    yield rest
    for (const other of changed(one)) yield { ...value, [name]: other }
  }
}

describe('the state file of a chain', () => {
  it('is judged by the programs as by bench, for good states and for each with one part changed', () => {
    expect([newState(), whole].map(stateProblem)).toEqual([undefined, undefined])
    const states = [...changed(whole)].map((state) => JSON.parse(JSON.stringify(state)))
    const differing = states.filter(
      (state) => (stateProblem(state) === undefined) !== ChainState.safeParse(state).success,
    )
    expect(differing).toEqual([])
    const good = states.filter((state) => stateProblem(state) === undefined)
    expect(states.length).toBeGreaterThan(800)
    expect(good.length).toBeGreaterThan(100)
    expect(states.length - good.length).toBeGreaterThan(600)
  })

  it.each([
    '{"__proto__": {}}',
    JSON.stringify(newState()).replace('"round":1', '"round":1,"__proto__":{"plan":1}'),
    JSON.stringify(newState()).replace('"round":1', '"round":1,"constructor":1'),
    JSON.stringify(newState()).replace('"round":1', '"round":1,"own":{"__proto__":{"a":[1]}}'),
    JSON.stringify(newState()).replace('"round":1', '"round":1.0'),
    JSON.stringify(newState()).replace('"w1"', '"w1\\n"'),
    JSON.stringify(newState()).replace('"w1"', `"${'a'.repeat(64)}"`),
    JSON.stringify(newState()).replace('"w1"', `"${'a'.repeat(65)}"`),
    JSON.stringify(newState()).replace('"task"', '""'),
    JSON.stringify(newState()).replace('"task"', '"\\ud83d\\ude00"'),
  ])('is judged by the programs as by bench: %s', (text) => {
    const state = JSON.parse(text)
    expect(stateProblem(state) === undefined).toBe(ChainState.safeParse(state).success)
  })

  it('is refused with the place of what is wrong', () => {
    const wrong = { ...whole, stages: [{ stage: 'plan', status: 'good' }] }
    expect(stateProblem(wrong)).toBe('stages[0].status must be one of done, failed, n/a')
    expect(stateProblem([])).toBe('the state must be an object')
    expect(stateProblem({ ...whole, round: 0 })).toBe('round must be greater than 0')
  })
})

describe('the prompt of a stage', () => {
  it('shows files in the words of all methods', () => {
    const texts: Record<string, string> = {
      'a.md': 'A\n```js\n1\n```\n',
      'b/empty.txt': '',
      'b/no-end.txt': 'x',
      'b/ü.txt': '[[30000 tokens of detail]]',
      'c.txt': 'long '.repeat(20_000),
      'd.txt': 'long '.repeat(8000),
    }
    const folder = join(tempFolder(), 'work')
    writeFiles(folder, texts)
    const workspace = { list: () => Object.keys(texts), read: (path: string) => texts[path] }
    expect(context.filesContext(folder)).toBe(filesContext(workspace))
    expect(context.filesContext(folder)).toMatch(/Not shown, for lack of room: c\.txt \(about 25000 tokens\)/)
  })
})
