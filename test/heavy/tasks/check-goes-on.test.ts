import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'
import { answer, type Texts, writeTexts, yaml } from '../../suites/native-texts.ts'

it('bench tasks check goes on after a task that cannot be graded, and says why', async () => {
  const folder = tempFolder()
  const graders = (spec: string) =>
    `output: files\neditable: ['*.mjs']\ngraders: [{ kind: tests, expectTests: 1, ${spec} }]\n`
  const texts = (id: string, spec: string): Texts => ({
    'task.yaml': yaml(id, graders(spec)),
    'instruction.md': 'Write it.',
    'solution/a.mjs': 'export {}\n',
    'tests/a.test.mjs': 'process.exit(0)\n',
  })
  writeTexts(folder, 'suite/a', texts('a', 'runner: command, command: [nosuchprogram]'))
  writeTexts(folder, 'suite/b', texts('b', 'runner: node-test'))
  writeTexts(folder, 'suite/riddle', answer)
  const { code, stdout } = await bench(['tasks', 'check', `native:${folder}/suite`, '--parallel', '1'])
  expect(code).toBe(1)
  // Long reasons are wrapped.
  const text = stdout.replace(/\s+/g, ' ')
  expect(text).toMatch(/FAILED suite\/a: it cannot be graded .*nosuchprogram/)
  expect(text).toContain('FAILED suite/b: its reference solution does not complete the hidden tests')
  expect(stdout).toMatch(/^ +suite\/riddle +passes +fails .*proved$/m)
  expect(text).toContain('1 of 3 tasks proved, 2 failed.')
})
