import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../../cli/config-scenario.ts'
import { benchOk, recordsOf } from '../../helpers/runs/cli.ts'

it('`capture` changes what exports hold, and not a byte of the ledger', async () => {
  const run = (capture: string) => {
    const cwd = folderWith(
      'run: { tasks: ferry-morning, methods: [sequential, baseline] }',
      `capture: ${capture}`,
    )
    return benchOk(['--quiet', '--out', 'run'], { cwd }).then(() => cwd)
  }
  const all = await run('{ prompts: true, usage: true, outputs: true, summaries: true, previews: true }')
  const none = await run(
    '{ prompts: false, usage: false, outputs: false, summaries: false, previews: false }',
  )
  const ledger = (cwd: string) => readFileSync(join(cwd, 'run', 'steps.jsonl'))
  expect(ledger(none)).toEqual(ledger(all))

  const trial = recordsOf(join(none, 'run'))[0]?.trial ?? ''
  const prompt = '| # What to hand in'
  const left = 'left out: capture.prompts is false'
  expect(await benchOk(['show', 'run', trial], { cwd: all })).toContain(prompt)
  const shown = await benchOk(['show', 'run', trial], { cwd: none })
  expect(shown).toContain(left)
  expect(shown).not.toContain(prompt)
  expect(await benchOk(['show', 'run', trial, '--full'], { cwd: none })).toContain(prompt)
  const page = await benchOk(['report', 'run', '--format', 'html'], { cwd: none })
  expect(page).toContain(left)
  expect(page).not.toContain('What to hand in')
})
