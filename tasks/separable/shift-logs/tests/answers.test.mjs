import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "press-1": 457,
  "press-2": 356,
  "mill-1": 388,
  "mill-2": 335,
  "saw": 467,
  "lathe": 426,
  "kiln": 417,
  "mixer": 343,
  "packer": 365,
  "labeller": 350,
  "grinder": 338,
  "bender": 281,
  "welder": 442,
  "loom": 426,
  "dryer": 403,
  "sorter": 316
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
