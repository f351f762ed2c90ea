import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formats } from '../../src/exports/registry.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { exported, published } from '../helpers/exports/export-run.ts'
import { richRecords, richRun } from '../helpers/exports/rich-run.ts'
import { importRun } from '../helpers/imports/import-run.ts'
import { root } from '../helpers/runs/cli.ts'

const importable = Object.entries(formats).filter(([, { shared }]) => Object.keys(shared).length > 0)

it.each(importable)(
  'an export as %s keeps each field that it shares, also when it is imported, exported and imported again',
  async (format, { shared }) => {
    const known = format === 'atif' ? richRecords : richRecords.filter(({ passed }) => passed !== null)
    const tell = (all: readonly TrialRecord[]) =>
      all
        .map((record) =>
          JSON.stringify(
            Object.fromEntries(Object.entries(shared).map(([name, field]) => [name, field(record) ?? null])),
          ),
        )
        .toSorted()
    const first = await importRun([(await exported(richRun(), { format })).out])
    expect(tell(first.records)).toEqual(tell(known))
    expect(first.manifest.imported?.differing).toEqual([])
    const second = await importRun([(await exported(first.out, { format })).out])
    expect(tell(second.records)).toEqual(tell(known))
    expect(second.manifest.methods.map(({ label }) => label)).toEqual(
      first.manifest.methods.map(({ label }) => label),
    )
  },
)

it.each(importable.map(([format]) => format))(
  'a simulated run that was exported as %s is not imported as results of a model',
  async (format) => {
    const { out } = await exported(published, { format })
    await expect(importRun([out])).rejects.toThrow('is a simulated trial of bench, not a result of a model')
    await expect(importRun([out], { skipInvalid: true })).rejects.toThrow('has no trials')
  },
)

it('the page says which fields an export shares', () => {
  const page = readFileSync(join(root, 'docs/reference/foreign-results.md'), 'utf8')
  const [, said = ''] = /It keeps of each trial: ([^.]*)\./.exec(page.replaceAll('\n', ' ')) ?? []
  for (const [, { shared }] of importable)
    for (const name of Object.keys(shared)) expect(said).toContain(name)
})
