import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'
import { suiteFixtures } from '../../helpers/suites/suite-fixtures.ts'
import { writeFiles } from '../../helpers/suites/write-suite.ts'
import { answer, writeTexts } from '../../suites/native-texts.ts'

it('mutants of a task are imported and then tried by bench tasks check', { timeout: 60_000 }, async () => {
  const cwd = tempFolder()
  writeTexts(cwd, 'mine/riddle', {
    ...answer,
    'mutants/a guess/answer.txt': '7',
    'mutants/none/answer.txt': '',
  })
  await benchOk(['tasks', 'import', 'native:mine', '--out', 'copy'], { cwd })
  const check = ['tasks', 'check', 'native:copy', '--mutants', '0']
  const [proof] = JSON.parse(await benchOk([...check, '--json'], { cwd }))
  expect(proof.mutants).toMatchObject({ 'a guess': { passed: [false, false] } })
  writeTexts(cwd, 'copy/riddle', { 'mutants/right/answer.txt': '**An egg**.' })
  const { code, stdout } = await bench(check, { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('FAILED  copy/riddle: its mutant right passes')
})

needs('python3').it(
  'the faulty program of QuixBugs is imported as a mutant',
  { timeout: 60_000 },
  async () => {
    const cwd = tempFolder()
    writeFiles(suiteFixtures.quixbugs?.files ?? {}, cwd)
    await benchOk(['tasks', 'import', 'quixbugs:.', '--out', 'copy'], { cwd })
    const [proof] = JSON.parse(await benchOk(['tasks', 'check', 'native:copy', '--quick', '--json'], { cwd }))
    expect(existsSync(join(cwd, 'copy', proof.task.split('/')[1], 'mutants/the faulty program'))).toBe(true)
    expect(proof).toMatchObject({ state: 'proved', mutants: { 'the faulty program': { passed: [false] } } })
  },
)
