import { expect, it } from 'vitest'
import { AgentError, formatProblem, UserError } from '../src/errors.ts'

it('takes no stack down for an ask that failed, and leaves those of other errors as deep as they were', () => {
  const depth = Error.stackTraceLimit
  const failed = new AgentError('timeout', 'no reply in 5 ms')
  expect(failed.stack).not.toContain('\n    at ')
  expect(failed).toMatchObject({ name: 'AgentError', reason: 'timeout', message: 'no reply in 5 ms' })
  expect(Error.stackTraceLimit).toBe(depth)
  expect(new Error('another').stack).toContain('\n    at ')
})

it('prints a value of 100,000 characters by its two ends, with place and remedy whole, and keeps all of it in the problem', () => {
  const what = `"{mod${'x'.repeat(100_000)}el}" stands for nothing`
  const problem = { where: 'bench.config.yaml:43 agents.own.program.command.3', what, fix: 'Write {model}.' }
  const printed = formatProblem(problem)
  expect(printed).toMatch(
    /^\[bench\.config\.yaml:43 agents\.own\.program\.command\.3\] "\{modx+ … x+el\}" stands for nothing\. Write \{model\}\.$/,
  )
  expect(printed.length).toBeLessThan(2200)
  const error = new UserError(problem)
  expect(error.message).toBe(printed)
  expect(error.problems).toEqual([problem])
})

it('prints a table of a hundred lines whole, and cuts no character in two', () => {
  const table = Array.from({ length: 100 }, (_, i) => `method ${i} ${'-'.repeat(80)}`).join('\n')
  expect(formatProblem({ where: 'run', what: table })).toBe(`[run] ${table}.`)
  for (const first of ['', 'x'])
    expect(formatProblem({ where: 'x', what: first + '😀'.repeat(5000) })).not.toMatch(/\p{Surrogate}/u)
})
