import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = {
  "Ada Farrell": 157,
  "Ada Iversen": 152,
  "Ada Moreau": 124,
  "Ada Tillmann": 159,
  "Bela Haldane": 114,
  "Bela Jansson": 168,
  "Bela Wexler": 122,
  "Bruno Amsel": 144,
  "Carl Eklund": 104,
  "Carl Farrell": 140,
  "Celia Corvin": 118,
  "Dirk Brandt": 125,
  "Dirk Moreau": 164,
  "Dora Verhoeven": 147,
  "Edda Tillmann": 174,
  "Finn Engel": 111,
  "Frida Jansson": 142,
  "Greta Boersma": 109,
  "Greta Castell": 172,
  "Hugo Rademaker": 169,
  "Ines Amsel": 126,
  "Ines Grimm": 170,
  "Kira Oosten": 106,
  "Lena Haldane": 128,
  "Lena Oosten": 151,
  "Milan Rademaker": 108,
  "Nora Verhoeven": 116,
  "Otto Brandt": 154,
  "Paula Verhoeven": 150,
  "Selma Brandt": 175,
  "Selma Engel": 176,
  "Tomas Eklund": 121,
  "Tomas Quist": 156,
  "Tomas Wexler": 146,
  "Ute Delacroix": 119,
  "Willem Kessler": 148,
  "Willem Sandoval": 129,
  "Yara Brandt": 160,
  "Yara Corvin": 112,
  "Yara Delacroix": 101,
  "Yara Farrell": 162,
  "Zeno Tillmann": 166
}

test('the register is right as a whole', () => {
  const given = JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))
  const plain = Object.fromEntries(Object.entries(given).map(([name, number]) => [name.trim(), Number(number)]))
  assert.deepEqual(plain, expected)
})
