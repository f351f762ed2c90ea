import { expect, it } from 'vitest'
import { isVersionControlPath } from '../../../src/sandbox/folders/paths.ts'
import { tableOf } from '../../helpers/house/tables.ts'

it.each(tableOf<string[]>(import.meta.url, 'belongsVersion'))(
  '%j belongs to a version control tool',
  (path) => {
    expect(isVersionControlPath(path)).toBe(true)
  },
)

it.each(tableOf<string[]>(import.meta.url, 'doesNot'))(
  '%j does not belong to a version control tool',
  (path) => {
    expect(isVersionControlPath(path)).toBe(false)
  },
)
