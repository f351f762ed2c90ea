import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "M-2101": 1720,
  "M-2108": 2060,
  "M-2115": 1650,
  "M-2122": 880,
  "M-2129": 2430,
  "M-2136": 2850,
  "M-2143": 1890,
  "M-2150": 940,
  "M-2157": 240,
  "M-2164": 2320,
  "M-2171": 0,
  "M-2178": 1300,
  "M-2185": 1740,
  "M-2192": 1390,
  "M-2199": 1520,
  "M-2206": 1400,
  "M-2213": 2680,
  "M-2220": 1080,
  "M-2227": 710,
  "M-2234": 1010,
  "M-2241": 840,
  "M-2248": 910,
  "M-2255": 700,
  "M-2262": 140,
  "M-2269": 1010,
  "M-2276": 800,
  "M-2283": 670,
  "M-2290": 1490,
  "M-2297": 840,
  "M-2304": 1420,
  "M-2311": 1320,
  "M-2318": 1190,
  "M-2325": 1240,
  "M-2332": 600,
  "M-2339": 460,
  "M-2346": 940
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
