import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'

/** Sequences that move the cursor, write the clipboard, make a link, recolour, or change the direction of text. */
const escapes = [
  ...[
    '\u001b[31m',
    '\u001b]52;c;aGFja2Vk\u0007',
    '\u001b]8;;http://evil\u001b\\',
    '\u009b31m',
    '\u0090q\u009c',
  ],
  ...['\b\b', 'over\rwritten', '\u202eRTL', '\u2066iso', '\u061c', '\u200f', '\u2028'],
].join('x')
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

const cwd = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** Writes a suite, an agent and a strategy with such sequences in all of their texts. */
function writeEvil(): void {
  const task = join(cwd, 'suite/evil')
  mkdirSync(join(task, 'solution'), { recursive: true })
  writeFileSync(join(task, 'instruction.md'), `Do it ${escapes}`)
  writeFileSync(join(task, 'solution/answer.txt'), '42')
  const said = JSON.stringify(escapes).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  writeFileSync(
    join(task, 'task.yaml'),
    `id: evil\nversion: 1\ntitle: ${said}\noutput: answer\ngraders: [{ kind: exact, answer: "42" }]
licence: MIT\nsource: ${said}\nproperties: { difficulty: 0.1 }\nknownIssues: [${said}]\n`,
  )
  writeFileSync(
    join(cwd, 'agent.mjs'),
    `export default ({ trial }) => trial.epoch === 2
      ? { error: { reason: 'exit', message: ${said} } } : ${said} + '\\nAnswer: 41' + ${said}`,
  )
  writeFileSync(
    join(cwd, 'strategy.mjs'),
    `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'evil', summary: ${said}, roles: { worker: 'produce' }, options: z.strictObject({}),
  async run({ ask, checkpoint, note, approve }) {
    await checkpoint({ said: ${said} }); note({ type: 'own', said: ${said} }); await approve(${said})
    const answer = await ask('worker', ${said}, { system: ${said} })
    return { answer, stopReason: 'done', detail: ${said} } } })`,
  )
}

it('bench run prints no raw escape, control character or mark of direction', async () => {
  writeEvil()
  const run = await bench(
    argv`run --tasks native:suite/evil --methods ./strategy.mjs,baseline --agents scripted:./agent.mjs
      --epochs 2 --retries 0 --out run`,
    { cwd },
  )
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('run folder')])
  expect(run.stdout + run.stderr).not.toMatch(raw)
})

it.each([
  ['tasks', 'native:suite/evil'],
  ['tasks', 'native:suite'],
  ['tasks', 'native:suite/evil', '--json'],
  ['tasks', 'check', 'native:suite/evil'],
  ['methods', './strategy.mjs'],
  ['methods', './strategy.mjs', '--json'],
  ['show', 'run'],
  ['state', 'run'],
  ['report', 'run', '--tasks'],
  ['report', 'run', '--format', 'markdown'],
  ['report', 'run', '--format', 'csv'],
  ['report', 'run', '--format', 'json'],
  ['report', 'run', '--format', 'latex'],
  ['report', 'run', '--coordination'],
  ['replay', 'run'],
  ['runs', '.'],
  ['tasks', `native:no${escapes}`],
  ['show', `no${escapes}`],
])('bench %s %s prints no raw escape, control character or mark of direction', async (...args) => {
  const { stdout, stderr } = await bench(args, { cwd })
  expect(stdout.length + stderr.length).toBeGreaterThan(0)
  expect(stdout + stderr).not.toMatch(raw)
})

it('bench show TRIAL --full prints no raw escape, and JSON output stays JSON', async () => {
  const states = (await benchOk(['state', 'run'], { cwd })).trim().split('\n')
  for (const line of states) {
    const { trial, state } = JSON.parse(line) as { trial: string; state: { said: string } }
    expect(state.said).toBe(escapes)
    expect(await benchOk(['show', 'run', trial, '--full'], { cwd })).not.toMatch(raw)
    expect(await benchOk(['state', 'run', trial], { cwd })).not.toMatch(raw)
  }
  const [task] = JSON.parse(await benchOk(['tasks', 'native:suite/evil', '--json'], { cwd })) as {
    spec: { title: string }
  }[]
  expect(JSON.stringify(task)).toContain('31m')
})
