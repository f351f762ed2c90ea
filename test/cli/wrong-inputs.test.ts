import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { checkRemedy, fillFolder, type WrongInput } from '../helpers/guides/wrong-inputs.ts'
import { tableOf } from '../helpers/house/tables.ts'

let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'bench-test-'))
  await fillFolder(cwd)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

describe.each(['paper', 'spreadsheet', 'request', 'CI', 'method'])(
  'a mistake on the road %s is told, and its remedy works',
  (road) => {
    it.each(tableOf<WrongInput[]>(import.meta.url, road))('%s', (...row) => checkRemedy(cwd, row))
  },
)
