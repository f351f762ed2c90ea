import { Command } from 'commander'
import { expect, it } from 'vitest'
import { fixedOptionProblems, resumeOnlyProblems } from '../../../src/commands/config/merge-options.ts'
import { addRunFlags } from '../../../src/commands/config/run-flags.ts'
import { settings } from '../../../src/schema/settings/settings.ts'

it('each flag of bench run parses to the option of its name', () => {
  const { options } = addRunFlags(new Command())
  const names = options.map((option) => (option.negate ? 'noConfig' : option.attributeName()))
  expect(names.sort()).toEqual(Object.keys(settings).sort())
})

it('a resumed run refuses a setting that it keeps, and a new run one that only a resumed run has', () => {
  const given = { margin: '5', retryErrors: true, secret: [], include: ['a'] }
  expect(fixedOptionProblems(given).map(({ where }) => where)).toEqual(['--margin', '--include'])
  expect(resumeOnlyProblems(given).map(({ where }) => where)).toEqual(['--retry-errors'])
  expect(resumeOnlyProblems({ ...given, resume: 'latest' })).toEqual([])
})
