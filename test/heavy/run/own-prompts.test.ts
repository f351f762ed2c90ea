import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  recordLines,
  recordsOf,
  refused,
  root,
  shareProcess,
} from '../../helpers/runs/cli.ts'

shareProcess()

const guide = readFileSync(join(root, 'docs/guides/methods.md'), 'utf8')
const template = (name: string) =>
  new RegExp(`\`${name}\`:\\n\\n\`\`\`md ${name}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? ''
const methods = /--methods '([^']*)'/.exec(guide)?.[1] ?? ''

/** A folder with the two prompts of the guide. */
function prompts(): string {
  const cwd = tempFolder()
  for (const name of ['plain.md', 'careful.md']) writeFileSync(join(cwd, name), template(name))
  return cwd
}

it('the guide’s two prompts are two methods beside baseline; the run resumes without the files, and replays', async () => {
  const cwd = prompts()
  const plan = ['--tasks', 'lamp-paths', '--methods', methods]
  await benchOk([...plan, '--out', 'whole'], { cwd })
  expect((await bench([...plan, '--out', 'parts', '--max-calls', '2'], { cwd })).code).toBe(3)
  writeFileSync(join(cwd, 'careful.md'), 'Never mind. {{instruction}}')
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })
  expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
  await benchOk(['replay', 'whole'], { cwd })

  const shown = await benchOk(['show', 'whole'], { cwd })
  expect(shown).toMatch(/careful = baseline \{.*"prompt":"careful.md","template":"sha256 [0-9a-f]{12}"\}/)
  await benchOk([...plan, '--out', 'changed'], { cwd })
  const ids = (run: string, wanted: string) =>
    recordsOf(join(cwd, run)).flatMap(({ trial, method }) => (method === wanted ? [trial] : []))
  expect(ids('changed', 'plain').sort()).toEqual(ids('whole', 'plain').sort())
  expect(ids('changed', 'careful').filter((id) => ids('whole', 'careful').includes(id))).toEqual([])
})

it('a prompt with mistakes is refused before the run, with its place', async () => {
  const cwd = prompts()
  writeFileSync(join(cwd, 'wrong.md'), 'Do it.\n{{file}}')
  await refused(
    argv`--tasks lamp-paths --methods baseline[prompt=wrong.md]`,
    [/\[wrong\.md:2\] there is no placeholder \{\{file\}\}/, /\[wrong\.md\] has no \{\{instruction\}\}/],
    { cwd },
  )
})
