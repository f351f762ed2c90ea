import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

/** All texts of a run folder. */
const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

it('show prints the right answer beside the given one, from the task and not from the run; --no-answers leaves it out', {
  timeout: 600_000,
}, async () => {
  const cwd = folderOf({
    'q.csv': 'id,question,answer\none,How many?,4711\n',
    'wrong.mjs': "export default () => 'Answer: 12'\n",
  })
  const run = argv`run --tasks csv:q.csv --agents scripted:./wrong.mjs --methods baseline,self-consistency --quiet`
  await benchOk([...run, '--out', 'a'], { cwd })
  const before = textsIn(join(cwd, 'a'))
  expect(before).not.toContain('4711')
  const { trial } = JSON.parse(readFileSync(join(cwd, 'a/records.jsonl'), 'utf8').split('\n')[0] as string)
  const shown = [
    argv`show a ${trial}`,
    argv`show a --task one`,
    argv`show a --task one --methods baseline,self-consistency`,
  ]
  for (const command of shown) {
    expect(await benchOk(command, { cwd })).toMatch(
      /Right answer {3}from the task, stored in no run\n {2}\| 4711(?:\n|$)/,
    )
    expect(await benchOk([...command, '--no-answers'], { cwd })).not.toMatch(/4711|Right answer/)
  }
  expect(textsIn(join(cwd, 'a'))).toBe(before)
  // A task that changed says so, and shows what it has now.
  writeFileSync(join(cwd, 'q.csv'), 'id,question,answer\none,How many?,4712\n')
  expect(await benchOk(argv`show a ${trial}`, { cwd })).toMatch(
    /has changed since this run\n {2}\| 4712(?:\n|$)/,
  )
  await refused([...run, '--out', 'a'], ['already holds a run', 'write --out a-2', 'bench run --resume a'], {
    cwd,
  })
  await benchOk([...run, '--out', 'a-2'], { cwd })
  await refused([...run, '--out', 'a'], ['write --out a-3'], { cwd })

  // One section of the report alone.
  const methods = await benchOk(argv`report a --section methods`, { cwd })
  expect(methods).toContain('2 methods on 1 task')
  expect(methods).not.toContain('Price')
  const whole = await benchOk(argv`report a`, { cwd })
  expect(methods.split('\n').length).toBeLessThan(whole.split('\n').length)
  expect(await benchOk(argv`report a --section tasks --format markdown`, { cwd })).toContain('q/one')
  expect(await benchOk(argv`report a --section coordination`, { cwd })).toContain('verhead')
  await refused(argv`report a --section metods`, ['no section of the report', 'methods'], { cwd })
  await refused(argv`report a --section methods --format csv`, ['does not apply to csv'], { cwd })
  await refused(argv`report a --section methods --pairs`, ['each prints only one part'], { cwd })
})
