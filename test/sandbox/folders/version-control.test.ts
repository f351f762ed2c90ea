import { expect, it } from 'vitest'
import { isVersionControlPath } from '../../../src/sandbox/folders/paths.ts'

it.each([
  '.git',
  '.git/config',
  'a/.git/hooks/pre-commit',
  '.GIT/HEAD',
  '.gIt',
  '.git./x',
  '.git /x',
  '.git . ./x',
  '.git::$INDEX_ALLOCATION/config',
  '.git:x',
  'git~1/config',
  'GIT~1',
  'a/git~2/x',
  '.g\u200cit/config',
  '.\u200dgit',
  '\ufeff.git/x',
  '.gi\u206at/x',
  '.gi\u00adt/x',
  '.git\u2060',
  '.git\u200b./x',
  '.ｇｉｔ/x',
  '.hg/hgrc',
  '.HG/hgrc',
  'hg~1/x',
  '.svn/wc.db',
  '.\u017fvn/x',
  'deep/er/.Svn/x',
  '.bzr/x',
  '.jj/x',
  '_darcs/x',
])('%j belongs to a version control tool', (path) => {
  expect(isVersionControlPath(path)).toBe(true)
})

it.each([
  '.gitignore',
  '.gitattributes',
  '.github/workflows/ci.yml',
  'git/config',
  'a.git/x',
  'x.git',
  '.gitx/y',
  '.git-hooks/x',
  '..git/x',
  'git~/x',
  'digit~1',
  '.hgignore',
  'src/svn/x',
  'HEAD',
  '.config/git/config',
])('%j does not belong to a version control tool', (path) => {
  expect(isVersionControlPath(path)).toBe(false)
})
