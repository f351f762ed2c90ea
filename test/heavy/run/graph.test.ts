import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, root, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const strategy = join(root, 'fixtures/strategies/graph-of-steps.ts')
const events = (folder: string) => join(folder, 'events.jsonl')

it('bench show draws the timeline of a graph, and bench replay finds a trace that breaks the rules', async () => {
  const folder = join(tempFolder(), 'run')
  await benchOk(['--tasks', 'answers', '--methods', strategy, '--out', folder, '--quiet'])
  const [record] = recordsOf(folder)
  const story = await benchOk(['show', folder, `${record?.trial}`])
  expect(story).toMatch(/graph of 7 steps, at most 8 at the same time/)
  expect(story).toMatch(/Timeline of graph {2}8 steps, .*\n {2}a-draft +█+/)
  expect(recordsOf(folder).every(({ fidelity }) => fidelity.status === 'kept')).toBe(true)
  expect(await benchOk(['methods', strategy])).toContain('a-review: reviewer after a-draft')
  expect((await bench(['replay', folder])).code).toBe(0)

  const lines = readFileSync(events(folder), 'utf8')
  writeFileSync(
    events(folder),
    lines.replace(/("type":"StepStart"[^\n]*"step":"last","at":)\d+(\.\d+)?/, '$11'),
  )
  const replayed = await bench(['replay', folder])
  expect(replayed.code).not.toBe(0)
  expect(replayed.stdout + replayed.stderr).toMatch(
    /graph graph, events\.jsonl\] step "last" began at 1 ms; "a-review"/,
  )
  writeFileSync(
    events(folder),
    lines.replace(/("type":"StepEnd"[^\n]*)"simulated":true/, '$1"simulated":false'),
  )
  const again = await bench(['replay', folder])
  expect(again.code).toBe(1)
  expect(again.stdout + again.stderr).toMatch(
    /events\.jsonl\] step ".+", StepEnd: simulated was false, now true/,
  )
})
