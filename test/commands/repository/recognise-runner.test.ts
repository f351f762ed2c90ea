import { describe, expect, it } from 'vitest'
import { recogniseRunner } from '../../../src/commands/repository/recognise-runner.ts'
import { tableOf } from '../../helpers/house/tables.ts'

interface Case {
  command: string
  scripts?: Record<string, string>
  jest?: object
  config?: string
  takes: string
  leftOut?: string[]
}

const files = {
  'src/a.ts': '',
  'src/a.test.ts': '',
  'test/b.spec.ts': '',
  'test/c.js': '',
  'dist/d.test.js': '',
  'node_modules/e/e.test.js': '',
}

describe('a command for tests is recognised by what it starts', () => {
  it.each(tableOf<Case[]>(import.meta.url, 'commands'))(
    '$command, $scripts',
    ({ command, scripts = {}, jest, config = '', takes, leftOut = [] }) => {
      const text = JSON.stringify({ scripts, ...(jest && { jest }) })
      const found = recogniseRunner(command, { ...files, 'package.json': text, 'own.config.ts': config })
      const setup = found?.setup.length ? `, after ${found.setup.join(' ')}` : ''
      expect(found ? `${found.runner} ${found.files.join(' ')}${setup}` : 'nothing').toBe(takes)
      expect(found?.leftOut ?? []).toEqual(leftOut)
    },
  )
})
