import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billOf } from '../src/bill.mjs'
import { readCatalogue } from '../src/catalogue.mjs'
import { lineOf } from '../src/lines.mjs'

test('a bill of one product', () => {
  const tea = readCatalogue('tea;3.20;7').get('tea')
  assert.equal(billOf([lineOf(tea, 2)]).cents, 1130)
})
