import { expect, it } from 'vitest'
import { readUsage } from '../../src/recorded/source-usage.ts'
import { tableOf } from '../helpers/house/tables.ts'

it.each(tableOf<[string, unknown, object, string][]>(import.meta.url, 'usages'))(
  'tokens are read from %s',
  (_, usage, tokens, unusual) => {
    const read = readUsage(usage)
    expect(read.tokens).toEqual(tokens)
    const found = [read.hasTexts && 'texts', read.wasBeside && 'beside'].filter(Boolean)
    expect(found.join(' ') || 'nothing').toBe(unusual)
  },
)
