import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "abbing": 149990,
  "boersma": 42720,
  "castell": 216840,
  "dreyer": 100440,
  "eklund": 145920,
  "farrell": 39840,
  "grimm": 68800,
  "haldane": 242160,
  "iversen": 190080,
  "jansson": 136060,
  "kessler": 87840,
  "lindqvist": 157980,
  "moreau": 62940,
  "novak": 89720,
  "oosten": 76320,
  "pereira": 165380,
  "quist": 118530,
  "rademaker": 114760,
  "sandoval": 138300,
  "tillmann": 190910,
  "ullman": 253200,
  "verhoeven": 181640
}

/** Reads the answers in each test, so that a file that is no JSON fails every one of them. */
const given = (key) => JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))[key]

/** A number in quotes counts as this number. */
const plain = (value) =>
  typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value

for (const [key, value] of Object.entries(expected))
  test(key, () => assert.deepEqual(plain(given(key)), value))
