import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addRunFlags } from '../../../src/commands/config/run-flags.ts'
import { flagOf, settings, settingsIn } from '../../../src/schema/settings/settings.ts'

it('each flag of bench run parses to the option of its name', () => {
  const { options } = addRunFlags(new Command())
  const names = options.map((option) => (option.negate ? 'noConfig' : option.attributeName()))
  expect(names).toEqual(Object.keys(settings))
})

it('a setting that only a resumed run has is not one that it keeps', () => {
  expect(
    settingsIn('fixed').filter((name) => settings[name].in.some((place) => place === 'resumed')),
  ).toEqual([])
  expect(settingsIn('resumed').map(flagOf)).toContain('--retry-errors')
})
