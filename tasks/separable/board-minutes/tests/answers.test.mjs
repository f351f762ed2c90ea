import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "rowing": 3060,
  "chess": 1440,
  "garden": 5240,
  "choir": 2760,
  "theatre": 3780,
  "hiking": 720,
  "film": 4800,
  "cycling": 1600,
  "sailing": 3640,
  "pottery": 2440,
  "archery": 6560,
  "fencing": 2380,
  "radio": 6200,
  "judo": 5120,
  "beekeeping": 5720,
  "sketching": 2700
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
