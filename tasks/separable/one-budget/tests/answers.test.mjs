import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const offers = {"pump":{"1":{"price":183,"weight":27,"weeks":7},"2":{"price":57,"weight":46,"weeks":6},"3":{"price":63,"weight":60,"weeks":3},"4":{"price":81,"weight":45,"weeks":8}},"motor":{"1":{"price":103,"weight":45,"weeks":8},"2":{"price":179,"weight":34,"weeks":4},"3":{"price":178,"weight":15,"weeks":9},"4":{"price":58,"weight":50,"weeks":4}},"frame":{"1":{"price":164,"weight":23,"weeks":4},"2":{"price":68,"weight":47,"weeks":8},"3":{"price":152,"weight":31,"weeks":5},"4":{"price":52,"weight":61,"weeks":3}},"tank":{"1":{"price":133,"weight":48,"weeks":3},"2":{"price":190,"weight":31,"weeks":5},"3":{"price":184,"weight":14,"weeks":6},"4":{"price":64,"weight":50,"weeks":7}},"filter":{"1":{"price":171,"weight":32,"weeks":8},"2":{"price":177,"weight":38,"weeks":1},"3":{"price":140,"weight":49,"weeks":1},"4":{"price":118,"weight":29,"weeks":8}},"valves":{"1":{"price":83,"weight":35,"weeks":8},"2":{"price":71,"weight":40,"weeks":8},"3":{"price":55,"weight":47,"weeks":8},"4":{"price":159,"weight":30,"weeks":5}},"pipes":{"1":{"price":156,"weight":17,"weeks":6},"2":{"price":122,"weight":51,"weeks":1},"3":{"price":75,"weight":42,"weeks":5},"4":{"price":187,"weight":13,"weeks":11}},"control":{"1":{"price":169,"weight":19,"weeks":9},"2":{"price":84,"weight":61,"weeks":1},"3":{"price":176,"weight":23,"weeks":6},"4":{"price":49,"weight":51,"weeks":7}},"sensors":{"1":{"price":134,"weight":45,"weeks":1},"2":{"price":54,"weight":52,"weeks":4},"3":{"price":77,"weight":47,"weeks":6},"4":{"price":49,"weight":50,"weeks":9}},"housing":{"1":{"price":117,"weight":51,"weeks":1},"2":{"price":188,"weight":35,"weeks":5},"3":{"price":151,"weight":30,"weeks":8},"4":{"price":170,"weight":41,"weeks":5}}}
const limits = {"price":1099,"weight":495,"weeks":23}

test('one choice keeps all limits', () => {
  const choice = JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))
  const parts = Object.keys(offers)
  const chosen = parts.map((part) => {
    assert.ok(Object.hasOwn(offers[part], String(choice[part])), 'no supplier for the ' + part)
    return offers[part][choice[part]]
  })
  for (const [name, most] of Object.entries(limits))
    assert.ok(chosen.reduce((sum, offer) => sum + offer[name], 0) <= most, 'too much ' + name)
  const counts = parts.map((part) => parts.filter((other) => choice[other] === choice[part]).length)
  assert.ok(Math.max(...counts) <= 3, 'too many parts of one supplier')
})
