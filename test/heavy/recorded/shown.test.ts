import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, shareProcess } from '../../helpers/runs/cli.ts'
import { recordedFolder, recordedTasks } from '../../helpers/runs/recorded-files.ts'

shareProcess()

it('no view shows a prompt that was not sent, or a time that nobody knows', async () => {
  const cwd = recordedFolder()
  const agents = 'recorded:qwen-2.5-7b@replies,recorded:llama-3.1-8b@replies'
  const { stdout } = await bench(
    argv`--tasks ${recordedTasks} --methods baseline --agents ${agents} --out run`,
    { cwd },
  )
  const [record] = recordsOf(join(cwd, 'run'))
  const trial = record?.trial ?? ''
  const story = await benchOk(argv`show run ${trial}`, { cwd })
  expect(story).toContain('numbers  recorded; their time is unknown')
  expect(story).toMatch(/^#0 {2}– {2}solver/m)
  expect(story).toMatch(/^grade#0 {2}– /m)
  expect(story).toContain(
    "  prompt   not recorded: that of kuk/simple-evals-ru, commit 5fb1507, not bench's; this is sample 1 to the task above\n",
  )
  expect(story).toMatch(/^Spent .*, time unknown$/m)
  const planned = await bench(argv`power run --epochs 2`, { cwd })
  expect(planned.stderr).toContain(
    '[--epochs 2] is more than the recorded replies have: 1 of a task at most. Plan for fewer epochs, and take more tasks.',
  )
  const json = await benchOk(argv`show run ${trial} --tokens --json`, { cwd })
  const [shown] = JSON.parse(json).trials
  expect(shown.tokens.calls.map(({ ms }: { ms: unknown }) => ms)).toEqual([null])
  const names = agents.split(',').map((agent) => `baseline@${agent}`)
  const pair = await benchOk(argv`show run --task mgsm-1 --methods ${names.join(',')}`, { cwd })
  expect(pair).toMatch(/ 277 {5}– {2}/)
  const overview = await benchOk(argv`show run`, { cwd })
  const together = await benchOk(argv`report run --coordination --format json`, { cwd })
  expect(together).toMatch(/"pathMs": null/)
  await benchOk(argv`report run --format html --out page.html`, { cwd })
  const texts = {
    ...{ stdout, story, pair, overview, together },
    text: await benchOk(argv`report run --coordination`, { cwd }),
    page: readFileSync(join(cwd, 'page.html'), 'utf8').replace(/<script>.*?<\/script>/gs, ''),
    summary: readFileSync(join(cwd, 'run/summary.md'), 'utf8'),
  }
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).not.toMatch(/\b0\.0 s\b|verbatim in|What to hand in|"(?:work|path)Ms": \d/)
    expect(text, name).not.toMatch(/"requestKept": \d/)
  }
})
