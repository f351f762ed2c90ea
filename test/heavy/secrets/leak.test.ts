import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, recordsOf, root, stepsOf, wholeLines } from '../../helpers/runs/cli.ts'

const task = join(root, 'tasks/code/money-split')
const files = ['steps.jsonl', 'events.jsonl', 'records.jsonl', 'run.json', 'summary.md']

/** Lines long enough to be told from chance, and found nowhere in what a method may see. */
function marks(part: 'tests' | 'solution'): string[] {
  const visible = ['files', 'checks', 'instruction.md'].map((name) => textOf(join(task, name))).join('\n')
  // A line that is in both tests and reference does not show where it came from.
  const other = textOf(join(task, part === 'tests' ? 'solution' : 'tests'))
  const lines = textOf(join(task, part))
    .split('\n')
    .map((line) => line.trim())
  return [...new Set(lines)].filter(
    (line) => line.length >= 25 && !visible.includes(line) && !other.includes(line),
  )
}

function textOf(path: string): string {
  if (!existsSync(path)) return ''
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
  return readdirSync(path)
    .map((name) => textOf(join(path, name)))
    .join('\n')
}

async function run(agent: string): Promise<string> {
  const folder = join(tempFolder(), 'run')
  const methods = 'baseline,sequential[parallel=2],integrated'
  const { code } = await bench([
    '--tasks',
    'money-split',
    '--methods',
    methods,
    '--epochs',
    '2',
    '--agents',
    agent,
    '--out',
    folder,
  ])
  expect([0, 1]).toContain(code)
  return folder
}

/** All texts in a folder, as they are and as JSON holds them. */
const holds = (text: string, line: string) =>
  text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1))

it('no line of the hidden tests gets into a prompt, a method’s step, a trace or a file', async () => {
  expect(marks('tests').length).toBeGreaterThan(5)
  for (const agent of ['simulated', 'oracle', 'no-op']) {
    const folder = await run(agent)
    // A grade may quote the assertion that failed; nothing that a method sees or does may.
    const steps = stepsOf(folder).filter(({ payer }) => payer !== 'grading')
    const records = recordsOf(folder).map(({ scores: _, ...rest }) => rest)
    const texts = [steps, records].map((lines) => JSON.stringify(lines))
    for (const text of [
      ...texts,
      ...['events.jsonl', 'run.json', 'blobs'].map((name) => textOf(join(folder, name))),
    ])
      for (const line of marks('tests')) expect(holds(text, line), `${agent}: ${line}`).toBe(false)
  }
})

it('the oracle’s replies are journaled by their hash only', async () => {
  expect(marks('solution').length).toBeGreaterThan(5)
  const folder = await run('oracle')
  for (const file of [...files, 'blobs']) {
    const text = textOf(join(folder, file))
    for (const line of marks('solution')) expect(holds(text, line), `${file}: ${line}`).toBe(false)
  }
  const asks = stepsOf(folder).filter((step) => step.kind === 'ask' && step.work === 'produce')
  expect(asks.length).toBeGreaterThan(0)
  for (const step of asks) {
    expect(step).toHaveProperty('replyHash')
    expect(step).not.toHaveProperty('reply')
  }
})

it('a method sees the reference only as an answer of the simulator', async () => {
  const folder = await run('simulated')
  const delivered = new Map<string, string>()
  for (const step of stepsOf(folder)) {
    if (step.kind !== 'ask') continue
    // Before a producing role of this trial has replied, no text may hold the reference; after that it is its work.
    const produced = delivered.get(step.trial) ?? ''
    for (const line of marks('solution'))
      if (holds(step.prompt, line)) expect(holds(produced, line), `${step.role}: ${line}`).toBe(true)
    if (step.work === 'produce') delivered.set(step.trial, `${produced}\n${step.reply ?? ''}`)
    else
      for (const line of marks('solution'))
        if (step.reply && holds(step.reply, line)) expect(holds(produced, line)).toBe(true)
  }
  const kept = wholeLines(join(folder, 'steps.jsonl')).join('\n')
  expect(
    marks('solution').some((line) => holds(kept, line)),
    'some candidate must be close to the reference',
  ).toBe(true)
})
