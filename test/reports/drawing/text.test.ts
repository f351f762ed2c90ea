import { expect, it } from 'vitest'
import { planText } from '../../../src/reports/drawing/plan-text.ts'
import { drawnPlan, mixedPlan, writerStep } from '../../helpers/runs/drawn-plans.ts'

const rowOf = (text: string, id: string) => text.split('\n').find((line) => line.includes(`  ${id} `)) ?? ''

it('a plan as text says what holds for all steps', () => {
  const text = planText({ ...mixedPlan(), input: 'Some\nwords.', seed: 7, conflict: 'merge' })
  expect(text).toMatch(/^Plan of example, workflow main\n/)
  for (const line of [
    /^ {2}Digest +(?:d1){32}$/m,
    /^ {2}Seed +7$/m,
    /^ {2}Concurrency +at most 4 steps at the same time$/m,
    /^ {2}Conflicts +merge/m,
    /^ {2}Input +11 characters: "Some\\nwords\."$/m,
    /^ {2}Answer +the reply of choose$/m,
    /^ {2}Providers +fast: local_ollama llama3\.2$/m,
    /^ +far: http_remote m at http:\/\/127\.0\.0\.1:9\/v1$/m,
    /^ +any: bench_agent simulated$/m,
    /16 steps on at most 18 levels, and at most 13 more at run time/,
  ])
    expect(text).toMatch(line)
})

it('a plan as text has a row for each step, with its needs as numbers of rows', () => {
  const text = planText(mixedPlan())
  expect(rowOf(text, 'draft')).toMatch(
    /^ +1 +1 +draft +write +writer +produce +the run's agent +- +fail +timeout 30\.0 s; 2 retries; tools files$/,
  )
  expect(rowOf(text, 'p::f::left.talk::bob::r2')).toMatch(
    / 6 +3 .* debater@fast +produce +fast +2-4 +fail +fork_join > debate round 2$/,
  )
  expect(rowOf(text, 'p::f::right::check')).toMatch(/summarise .* continue +fork_join$/)
  expect(rowOf(text, 'p::f::join')).toMatch(/ 8-9 +fail +fork_join joins; conflict merge$/)
  expect(rowOf(text, 'choose')).toMatch(/ 1, 15 +fail +answer; names one of first, last$/)
})

it('a plan as text shows the steps that are added at run time with their maximum, and counts them for the levels', () => {
  const text = planText(mixedPlan())
  expect(rowOf(text, 'p::work::execute::01 … 05')).toMatch(
    /^ +\+ .* executor .* 11 .* up to 5, one after another$/,
  )
  expect(rowOf(text, 'p::lead::coder::r1_1 … r1_4')).toMatch(/ up to 4, counted with the other workers$/)
  expect(rowOf(text, 'p::work::plan')).toMatch(/^ +11 +6 /)
  expect(rowOf(text, 'p::work::finish')).toMatch(/^ +12 +12 /)
})

it('a plan of 200 steps has a line for each, and one long id does not widen the others', () => {
  const ids = Array.from({ length: 200 }, (_, i) => `step${i + 1}`)
  const long = 'x'.repeat(300)
  const steps = ids.map((id, i) => writerStep(id, ids.slice(Math.max(0, i - 50), i)))
  const lines = planText(drawnPlan([...steps, writerStep(long, ids)])).split('\n')
  const table = lines.slice(lines.findIndex((line) => line.includes('on failure')) + 1, -1)
  expect(table).toHaveLength(201)
  expect(Math.max(...table.slice(0, 200).map(({ length }) => length))).toBeLessThan(100)
  expect(table[199]).toMatch(/200 +200 +step200 .* 150-199 /)
  expect(table[200]).toContain(` ${long} `)
})

it('a plan as text shows no control characters, and leaves out columns without content', () => {
  const text = planText(drawnPlan([writerStep('a')], { name: 'x\u001b[2J\n\u202ey', workflow: 'w\r' }))
  expect(text).toContain('Plan of x\\x1b[2J\\n\\u202ey, workflow w\\x0d')
  expect(text).not.toMatch(/provider|notes|at run time/i)
})
