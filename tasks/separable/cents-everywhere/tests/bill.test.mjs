import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billOf } from '../src/bill.mjs'
import { readCatalogue } from '../src/catalogue.mjs'
import { lineOf } from '../src/lines.mjs'
import { inParts } from '../src/parts.mjs'
import { shippingOf } from '../src/shipping.mjs'
import { taxesOf } from '../src/tax.mjs'
import { billText, moneyText } from '../src/text.mjs'
import { redeem } from '../src/voucher.mjs'

const products = () => readCatalogue('tea;3.20;7\nkettle;19.99;19\ncup;1.15;19\nrope;0.29;19')
const line = (name, count, discount) => lineOf(products().get(name), count, discount)

test('prices are read as whole cents', () => {
  assert.deepEqual([...products().values()].map(({ name, cents }) => [name, cents]), [
    ['tea', 320],
    ['kettle', 1999],
    ['cup', 115],
    ['rope', 29],
  ])
})
test('a discount is rounded where it arises', () => {
  assert.equal(line('cup', 1, 10).cents, 103)
  assert.equal(line('kettle', 3, 15).cents, 5097)
  assert.equal(line('rope', 50, 0).cents, 1450)
})
test('shipping is free from 50 euros on', () => {
  assert.deepEqual([4999, 5000, 0, 50].map((cents) => shippingOf(cents)), [490, 0, 0, 490])
})
test('taxes are whole cents of the sum of all lines', () => {
  assert.deepEqual({ ...taxesOf([line('tea', 3), line('cup', 1), line('rope', 1)]) }, { 7: 63, 19: 23 })
})
test('a voucher is used up before anything is paid', () => {
  const { cents, voucher } = redeem(700, { code: 'A', cents: 1000 })
  assert.deepEqual([cents, voucher.code, voucher.cents], [0, 'A', 300])
  const bill = billOf([line('kettle', 2), line('cup', 1)], { code: 'B', cents: 603 })
  assert.deepEqual([bill.version, bill.shipping, bill.cents, bill.voucher.cents], [2, 490, 4000, 0])
  assert.equal(JSON.stringify(bill).includes('euros'), false)
})
test('parts add up to the sum', () => {
  assert.deepEqual(inParts(1000, 3).map(({ month, cents }) => [month, cents]), [[1, 333], [2, 333], [3, 334]])
  assert.deepEqual(inParts(500, 8).map(({ cents }) => cents), [63, 63, 63, 63, 63, 63, 63, 59])
})
test('texts are in euros, and a whole bill says so', () => {
  assert.deepEqual([moneyText(1250), moneyText(-5), moneyText(0)], ['12.50 €', '-0.05 €', '0.00 €'])
  assert.equal(
    billText(billOf([line('tea', 2), line('kettle', 1, 50)])),
    '2 x tea: 6.40 €\n1 x kettle: 9.99 €\nshipping: 4.90 €\nto pay: 21.29 €',
  )
})
