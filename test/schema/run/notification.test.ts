import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { Notification } from '../../../src/schema/run/notification.ts'

it('the guide shows a notification as its schema has it, and explains each field', () => {
  const guide = readFileSync(join(packageRoot(), 'docs/guides/ci.md'), 'utf8')
  const [, example = '', table = ''] = /```json\n(\{.*?\n)```(.*)/s.exec(guide) ?? []
  expect(Notification.parse(JSON.parse(example))).toEqual(JSON.parse(example))
  const fields = Object.keys(Notification.shape).filter((field) => field !== 'schemaVersion')
  expect(fields.filter((field) => !table.includes(`\`${field}\``))).toEqual([])
})
