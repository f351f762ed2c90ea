import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "ansel-lake": 2,
  "black-mere": 5,
  "cotter-pond": 3,
  "drift-bay": 5,
  "eel-water": 0,
  "fenn-lake": 1,
  "goose-reach": 7,
  "heron-pool": 0,
  "isle-water": 5,
  "kettle-mere": 3,
  "long-reed": 6,
  "moss-lake": 5,
  "otter-bend": 2,
  "pike-water": 2,
  "reed-end": 3,
  "swan-reach": 7
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
