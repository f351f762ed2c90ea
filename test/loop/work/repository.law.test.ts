import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyEdits, createState } from '../../../src/loop/branch/workspace.ts'
import { makeRepository } from '../../../src/loop/work/keeper.ts'
import { keptFiles } from '../../../src/loop/work/kept-files.ts'
import { findPathConflict, isWorkspacePath } from '../../../src/sandbox/folders/paths.ts'
import type { FileEdit } from '../../../src/strategy.ts'
import { type Fuzz, fuzzOf } from '../../helpers/fuzz/fuzz.ts'
import { level } from '../../helpers/house/level.ts'
import { gitSays, hashesOf, treeOf } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { answerTask } from '../../helpers/runs/trial.ts'

const names = [
  ...[
    'a',
    'b',
    '.git',
    '.GIT',
    'git~1',
    '.git ',
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    'HEAD',
    'objects',
    'refs',
  ],
  ...[
    '"',
    '"q"',
    ' ',
    ' a ',
    '-',
    '--',
    '#',
    'done',
    'é',
    'e\u0301',
    '🙂',
    '\u200d',
    '.g\u200cit',
    '.git::x',
    "it's",
    ':',
    '*',
    '$(x)',
    'CON',
  ],
]
const path = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...names) },
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    {
      ...{ minLength: 1, maxLength: 3 },
    },
  )
  .map((parts) => parts.join('/'))
  .filter(isWorkspacePath)
const text = fc.oneof(
  fc.constantFrom(
    '',
    '\n',
    'done\n',
    '\r\n',
    'data 3\n',
    '\0',
    'M 100644 inline x\n',
    '\ufeffx',
    '$Id$',
    '* text eol=crlf\n',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const files = fc
  .dictionary(path, text, { maxKeys: 8, noNullPrototype: true })
  .filter((files) => findPathConflict(Object.keys(files)) === undefined)

/** Declares the test that repositories of kept workspaces hold their files exactly, whatever these are. */
function fuzzKeptFiles(fuzz: Fuzz): void {
  it(`a kept repository holds the start and the graded files byte for byte, whatever their names and texts (${fuzz.times})`, async () => {
    const edits = fc.array(fc.tuple(path, fc.option(text)), { maxLength: 8 })
    const all = tempFolder()
    let made = 0
    await fuzz.check([fc.tuple(files, edits)], async ([start, changes]) => {
      const state = createState(start)
      for (const [path, content] of changes) tryEdit(state, { path, content })
      const kept = keptFiles(answerTask({ editable: ['**'] }, start), state, { secret: false })
      const folder = join(all, `${made++}`)
      await makeRepository(folder, kept, { branch: 'bench/x', message: 'a "b" é\n' })
      expect(treeOf(folder, 'start')).toEqual(hashesOf(kept.start))
      expect(treeOf(folder, 'bench/x')).toEqual(hashesOf(kept.graded))
      // Git refuses here what it would not check out.
      for (const branch of ['start', 'bench/x']) expect(gitSays(folder, 'read-tree', branch)).toBe('')
    })
  })
}

/** A method may not make such a file; a task may hold one. */
function tryEdit(state: Parameters<typeof applyEdits>[0], edit: FileEdit): void {
  try {
    applyEdits(state, [edit], 'reply')
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
  }
}

fuzzKeptFiles(fuzzOf(level(3, 400), 1))
