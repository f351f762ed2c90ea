import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileEdit } from '../../src/strategy.ts'
import { mergeFiles } from '../../src/workflows/work-context.ts'
import { type AnyContext, agentOf, answerTask, playTrial, strategyOf } from '../helpers/runs/trial.ts'

const base = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }

interface Merged {
  files: Record<string, string>
  conflicts: string[]
}
type Merge = (...edits: FileEdit[][]) => Promise<Merged>

/** Passes a function that merges branches of a real trial, each of which made some edits, into a branch above them. */
async function withMerge(use: (merge: Merge) => Promise<void>): Promise<void> {
  const strategy = strategyOf(async ({ branch }) => {
    await use((...edits) =>
      branch('merge', async ({ branch, workspace }: AnyContext): Promise<Merged> => {
        const change = (changes: FileEdit[], place: number) =>
          branch(`copy-${place}`, async ({ workspace }: AnyContext) => {
            workspace.apply(changes)
            return workspace
          })
        const conflicts = mergeFiles(workspace, await Promise.all(edits.map(change)))
        const files = workspace.list().map((path): [string, string] => [path, workspace.read(path) ?? ''])
        return { files: Object.fromEntries(files), conflicts }
      }),
    )
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: agentOf(() => ''), strategy, task: answerTask({}, base) })
  // A failed assertion inside fails the method, with the assertion as its reason.
  expect(record.outcome).toEqual({ status: 'completed', reason: '' })
}

async function merged(...edits: FileEdit[][]): Promise<Merged> {
  let found: Merged | undefined
  await withMerge(async (merge) => {
    found = await merge(...edits)
  })
  return found as Merged
}

const edit = (path: string, content: string | null): FileEdit => ({ path, content })

describe('mergeFiles', () => {
  it('takes over files that branches changed, added and deleted', async () => {
    expect(await merged([edit('a.txt', 'A')], [edit('b.txt', null), edit('d.txt', 'd')])).toEqual({
      files: { 'a.txt': 'A', 'c.txt': 'c', 'd.txt': 'd' },
      conflicts: [],
    })
  })

  it('keeps the later content of a file that two branches changed, and returns its path once', async () => {
    expect(
      await merged(
        [edit('a.txt', 'first'), edit('b.txt', 'B')],
        [edit('a.txt', 'second')],
        [edit('a.txt', 'third')],
      ),
    ).toEqual({ files: { 'a.txt': 'third', 'b.txt': 'B', 'c.txt': 'c' }, conflicts: ['a.txt'] })
  })

  it('finds no conflict when both branches gave a file the same content', async () => {
    const same = [edit('a.txt', 'A'), edit('b.txt', null)]
    expect(await merged(same, same)).toEqual({ files: { 'a.txt': 'A', 'c.txt': 'c' }, conflicts: [] })
  })

  it('finds a conflict when one branch deletes what the other changed, in any order', async () => {
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

  it('changes nothing without branches, or without changes', async () => {
    expect(await merged()).toEqual({ files: base, conflicts: [] })
    expect(await merged([], [])).toEqual({ files: base, conflicts: [] })
  })

  it('loses no change except in the conflicts that it returns, and adds none', async () => {
    const paths = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
    const edits = fc.uniqueArray(
      fc.record({ path: fc.constantFrom(...paths), content: fc.constantFrom('x', 'y', 'a', null) }),
      { selector: ({ path }) => path, maxLength: 4 },
    )
    await withMerge((merge) =>
      fc.assert(
        fc.asyncProperty(fc.array(edits, { maxLength: 4 }), async (copies) => {
          const { files, conflicts } = await merge(...copies)
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
