import { expect, it } from 'vitest'
import { formatProblem, UserError } from '../../src/text/errors.ts'

it('a problem with a value of 100,000 characters is printed shortened, with place and remedy whole', () => {
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

it('a problem with a table of a hundred lines is printed whole, and no character is split', () => {
  const table = Array.from({ length: 100 }, (_, i) => `method ${i} ${'-'.repeat(80)}`).join('\n')
  expect(formatProblem({ where: 'run', what: table })).toBe(`[run] ${table}.`)
  for (const first of ['', 'x'])
    expect(formatProblem({ where: 'x', what: first + '😀'.repeat(5000) })).not.toMatch(/\p{Surrogate}/u)
})
