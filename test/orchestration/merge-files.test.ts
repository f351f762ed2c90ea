import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeFiles } from '../../src/orchestration/merge-files.ts'
import type { FileEdit } from '../../src/strategy.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../helpers/runs/trial.ts'

const base = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }

type Merge = (...edits: FileEdit[][]) => { files: Record<string, string>; conflicts: string[] }

/** Gives what merges copies of a real workspace, each changed by some edits, into another copy of it. */
async function withMerge(use: (merge: Merge) => void): Promise<void> {
  const strategy = strategyOf(async ({ workspace }) => {
    use((...edits) => {
      const copies = edits.map((changes) => {
        const copy = workspace.fork()
        copy.apply(changes)
        return copy
      })
      const target = workspace.fork()
      const conflicts = mergeFiles(target, copies)
      return {
        files: Object.fromEntries(target.list().map((path) => [path, target.read(path) ?? ''])),
        conflicts,
      }
    })
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: agentOf(() => ''), strategy, task: answerTask({}, base) })
  // What failed inside is the method's failure; its reason is the test's.
  expect(record.outcome).toEqual({ status: 'completed', reason: '' })
}

async function merged(...edits: FileEdit[][]): Promise<ReturnType<Merge>> {
  let found: ReturnType<Merge> | undefined
  await withMerge((merge) => {
    found = merge(...edits)
  })
  return found as ReturnType<Merge>
}

const edit = (path: string, content: string | null): FileEdit => ({ path, content })

describe('what several copies changed', () => {
  it('is taken over from all of them: files changed, added and deleted', async () => {
    expect(await merged([edit('a.txt', 'A')], [edit('b.txt', null), edit('d.txt', 'd')])).toEqual({
      files: { 'a.txt': 'A', 'c.txt': 'c', 'd.txt': 'd' },
      conflicts: [],
    })
  })

  it('is the later one’s where two changed one file, whose path is told once', async () => {
    expect(
      await merged(
        [edit('a.txt', 'first'), edit('b.txt', 'B')],
        [edit('a.txt', 'second')],
        [edit('a.txt', 'third')],
      ),
    ).toEqual({ files: { 'a.txt': 'third', 'b.txt': 'B', 'c.txt': 'c' }, conflicts: ['a.txt'] })
  })

  it('is no conflict where both made the same of a file', async () => {
    const same = [edit('a.txt', 'A'), edit('b.txt', null)]
    expect(await merged(same, same)).toEqual({ files: { 'a.txt': 'A', 'c.txt': 'c' }, conflicts: [] })
  })

  it('is a conflict where one deletes what the other changed, whoever comes first', async () => {
    const changed = [edit('a.txt', 'A')]
    const deleted = [edit('a.txt', null)]
    expect(await merged(changed, deleted)).toEqual({
      files: { 'b.txt': 'b', 'c.txt': 'c' },
      conflicts: ['a.txt'],
    })
    expect(await merged(deleted, changed)).toEqual({
      files: { 'a.txt': 'A', 'b.txt': 'b', 'c.txt': 'c' },
      conflicts: ['a.txt'],
    })
  })

  it('is nothing where there is no copy, or none that changed anything', async () => {
    expect(await merged()).toEqual({ files: base, conflicts: [] })
    expect(await merged([], [])).toEqual({ files: base, conflicts: [] })
  })

  it('loses no change but those of the conflicts that it names, and keeps none that nobody made', async () => {
    const paths = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
    const edits = fc.uniqueArray(
      fc.record({ path: fc.constantFrom(...paths), content: fc.constantFrom('x', 'y', 'a', null) }),
      { selector: ({ path }) => path, maxLength: 4 },
    )
    await withMerge((merge) =>
      fc.assert(
        fc.property(fc.array(edits, { maxLength: 4 }), (copies) => {
          const { files, conflicts } = merge(...copies)
          const before: Record<string, string> = base
          for (const path of paths) {
            const made = copies.flatMap((copy) =>
              copy.filter((one) => one.path === path && one.content !== (before[path] ?? null)),
            )
            expect(files[path] ?? null).toBe(made.at(-1) ? made.at(-1)?.content : (before[path] ?? null))
            expect(conflicts.filter((one) => one === path)).toHaveLength(
              new Set(made.map(({ content }) => content)).size > 1 ? 1 : 0,
            )
          }
        }),
      ),
    )
  })
})
