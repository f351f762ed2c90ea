import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentThatTakes, asking, shapes, type TextStep, times } from '../../helpers/graph/graphs.ts'
import { type AnyContext, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

/** Replaces a line of x.txt, if it says so, and gives the file that it began with. */
const editing = (
  id: string,
  after: string[],
  change?: [string, string],
  more: Partial<TextStep> = {},
): TextStep => ({
  ...asking(id, after),
  async run({ ask, workspace }) {
    const before = workspace.read('x.txt') ?? ''
    await ask('judge', `do ${id}`)
    if (change) workspace.apply([{ path: 'x.txt', content: before.replace(...change) }])
    return before
  },
  ...more,
})

/** The file that each step began with and the one at the end, in short, and the outcome. */
const play = async (
  steps: readonly TextStep[],
  conflict?: 'fail' | 'last' | 'merge',
  ms: (id: string) => number = () => 10,
) => {
  const seen: Record<string, string> = {}
  const short = (text: string) => text.trimEnd().split('\n').join(' ')
  const strategy = strategyOf(async (context: AnyContext) => {
    const results = await context.graph(steps, conflict ? { conflict } : {})
    for (const [id, result] of results)
      seen[id] = result.status === 'done' ? short(`${result.value}`) : result.status
    return { stopReason: 'done', answer: short(context.workspace.read('x.txt') ?? '') }
  })
  const task = answerTask({}, { 'x.txt': base })
  const { record } = await playTrial({ agent: agentThatTakes(ms), strategy, task })
  return { seen, end: record.answer, reason: record.outcome.reason }
}

const b = editing('b', [], ['one', 'B'])
const c = editing('c', [], ['one', 'C'])
const far = editing('c', [], ['five', 'C'])

describe('a conflict in a graph', () => {
  it('is settled for all steps behind the one that joined both, and at the end', async () => {
    const steps = [
      b,
      c,
      editing('d', ['b', 'c'], undefined, { conflict: 'last' }),
      editing('g', ['b']),
      editing('e', ['d', 'g']),
    ]
    const { seen, end, reason } = await play(steps)
    expect(reason).toBe('')
    expect(seen.e).toBe('C two three four five')
    expect(end).toBe('C two three four five')
  })

  it('is merged once for all steps behind', async () => {
    const steps = [
      b,
      far,
      editing('d', ['b', 'c'], undefined, { conflict: 'merge' }),
      editing('g', ['c'], ['three', 'G']),
      editing('e', ['d', 'g'], undefined, { conflict: 'merge' }),
    ]
    const { seen, reason } = await play(steps, 'merge')
    expect(reason).toBe('')
    expect(seen).toMatchObject({ d: 'B two three four C', g: 'one two three four C', e: 'B two G four C' })
  })

  it('is not settled by a step that the joining one does not depend on', async () => {
    const steps = [
      b,
      c,
      editing('d', ['b', 'c'], undefined, { conflict: 'last' }),
      editing('f', ['b', 'c'], undefined, { onFailure: 'continue' }),
      editing('h', ['f'], undefined, { conflict: 'last' }),
    ]
    const { seen, end } = await play(steps)
    // What is behind the failed join may settle the conflict itself.
    expect(seen).toMatchObject({ d: 'C two three four five', f: 'failed', h: 'C two three four five' })
    expect(end).toBe('C two three four five')
  })

  it('names the steps, the file and the remedy where nothing settles it', async () => {
    expect((await play([b, c])).reason).toContain(
      '[graph] the steps "b" and "c" both changed x.txt, and neither depends on the other. Let one depend on the other, or set conflict to last or merge.',
    )
    expect((await play([b, c], 'merge')).reason).toContain('both changed x.txt, and their changes overlap')
  })

  it('names the remedy that helps where a file would stand in the place of a folder', async () => {
    const making = (id: string, path: string): TextStep => ({
      ...asking(id, []),
      run: async ({ workspace }) => {
        workspace.apply([{ path, content: id }])
        return id
      },
    })
    for (const policy of ['fail', 'last', 'merge'] as const)
      expect((await play([making('b', 'new'), making('c', 'new/file')], policy)).reason).toMatch(
        /the steps "b" and "c" made a file and a folder of the same name: new\/file\. Let one depend on the other\.$/,
      )
  })

  it('is none where both steps wrote the same', async () => {
    expect(await play([b, editing('c', [], ['one', 'B'])])).toMatchObject({
      reason: '',
      end: 'B two three four five',
    })
  })

  it('is none between a change and the one that follows it', async () => {
    const steps = [b, editing('c', ['b'], ['two', 'C']), editing('d', ['b']), editing('e', ['c', 'd'])]
    expect(await play(steps)).toMatchObject({ reason: '', end: 'B C three four five' })
  })

  it('ends in the same files whatever the times of replies', async () => {
    const law = fc.asyncProperty(
      shapes,
      times,
      fc.constantFrom('last', 'merge'),
      async (shape, times, policy) => {
        const words = ['one', 'two', 'three', 'four', 'five']
        const steps = shape.map(({ id, after }, i) =>
          editing(id, [...after], [words[i % 5] as string, id], { onFailure: 'continue' }),
        )
        const one = await play(steps, policy, (id) => times[Number(id.slice(1))] ?? 0)
        expect(await play(steps, policy)).toEqual(one)
      },
    )
    await fc.assert(law, { numRuns: 25 })
  })

  it('of files that come, go, are empty or stand in the place of a folder ends the same at any times', async () => {
    const texts = [null, '', 'no end', 'one\r\ntwo\r\n', 'one\ntwo\n', 'zero\none\ntwo\n', 'one\ntwo\nthree']
    const edit = fc.record({
      path: fc.constantFrom('old', 'new', 'new/file', 'old/file'),
      content: fc.constantFrom(...texts),
    })
    const policies = fc.constantFrom('fail', 'last', 'merge')
    const law = fc.asyncProperty(
      fc.record({ shape: shapes, times, policy: policies, concurrency: fc.constantFrom(1, 2, 16) }),
      fc.array(fc.array(edit, { maxLength: 2 }), { minLength: 20, maxLength: 20 }),
      async ({ shape, times, policy, concurrency }, edits) => {
        const steps = shape.map(({ id, after }, i) =>
          asking(id, after, {
            onFailure: 'continue',
            async run({ ask, workspace }) {
              const before = workspace.list().map((path) => `${path}: ${workspace.read(path)}`)
              await ask('judge', `do ${id}`)
              workspace.apply(edits[i] ?? [])
              return before.join('\n')
            },
          }),
        )
        const play = async (concurrency: number, ms: (id: string) => number) => {
          const strategy = strategyOf(async ({ graph, workspace }: AnyContext) => {
            const [end, results] = await graph(steps, { concurrency, conflict: policy }).then(
              (results) => [
                '',
                [...results].map(([id, one]) => [id, one.status === 'done' ? one.value : one.status]),
              ],
              (error: Error) => [error.message, []],
            )
            const files = workspace.list().map((path) => [path, workspace.read(path)])
            return { stopReason: 'done', answer: '42', state: { end, results, files } }
          })
          const task = answerTask({}, { old: 'one\ntwo\n' })
          return (await playTrial({ agent: agentThatTakes(ms), strategy, task })).record.state
        }
        const one = await play(4, (id) => times[Number(id.slice(1))] ?? 0)
        expect(await play(concurrency, () => 1)).toEqual(one)
      },
    )
    await fc.assert(law, { numRuns: 20 })
  })
})
