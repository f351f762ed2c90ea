import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "alder-brook": 67,
  "birch-hill": 66,
  "canal-street": 57,
  "dock-road": 73,
  "east-meadow": 48,
  "fountain-square": 59,
  "garden-row": 59,
  "harbour-view": 55,
  "iron-bridge": 64,
  "juniper-lane": 41,
  "kiln-yard": 47,
  "lime-walk": 36,
  "mill-pond": 12,
  "north-gate": 41,
  "old-orchard": 79,
  "park-terrace": 57,
  "quarry-end": 42,
  "rope-walk": 53,
  "station-green": 53,
  "tanner-street": 49,
  "upper-field": 56,
  "vine-court": 66,
  "west-common": 55,
  "yew-close": 80
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
