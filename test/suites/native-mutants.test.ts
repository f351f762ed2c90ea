import { expect, it } from 'vitest'
import { loadTaskFolder } from '../../src/suites/native.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { answer, code, type Texts, writeTexts } from './native-texts.ts'

const load = (texts: Texts) => loadTaskFolder(writeTexts(tempFolder(), 'suite/one', texts))
const named = (texts: Texts): Texts => ({
  ...texts,
  'task.yaml': (texts['task.yaml'] as string).replace(/^id: .*$/m, 'id: one'),
})

it('mutants are read by the name of their folder, and do not change the digest', () => {
  const { tasks, problems } = load({ ...named(code), 'mutants/adds-one/sum.mjs': 'wrong' })
  expect(problems).toEqual([])
  expect(tasks[0]?.hidden.mutants).toEqual({ 'adds-one': { files: { 'sum.mjs': 'wrong' } } })
  expect(tasks[0]?.digest).toBe(load(named(code)).tasks[0]?.digest)
})

it('a mutant of an answer is its answer.txt', () => {
  const { tasks } = load({ ...named(answer), 'mutants/hen/answer.txt': 'a hen\n' })
  expect(tasks[0]?.hidden.mutants).toEqual({ hen: { answer: 'a hen' } })
})

it.each([
  ['a file beside the folders', code, 'mutants/sum.mjs', 'is not a folder'],
  [
    'a file that may not change',
    code,
    'mutants/x/other.mjs',
    'does not allow the change of mutants/x/other.mjs',
  ],
  [
    'an answer of another name',
    answer,
    'mutants/x/text.txt',
    'does not allow the change of mutants/x/text.txt',
  ],
])('%s is refused', (_, texts, path, what) => {
  const { tasks, problems } = load({ ...named(texts), [path]: 'wrong' })
  expect(tasks).toEqual([])
  expect(problems.map((problem) => problem.what).join()).toContain(what)
})

it('a mutant that is the reference is refused', () => {
  const { problems } = load({ ...named(code), 'mutants/same/sum.mjs': code['solution/sum.mjs'] as string })
  expect(problems.map(({ what }) => what)).toEqual(['is the reference solution'])
})
