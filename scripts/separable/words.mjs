/** Names, places and helpers of sentences that the texts share. */
export const firstNames =
  'Ada Bela Carl Dora Edda Finn Greta Hugo Ines Jonas Kira Lena Milan Nora Otto Paula Ruben Selma Tomas Ute Vera Willem Yara Zeno Anneke Bruno Celia Dirk Elsa Frida'.split(
    ' ',
  )
export const lastNames =
  'Abbing Boersma Castell Dreyer Eklund Farrell Grimm Haldane Iversen Jansson Kessler Lindqvist Moreau Novak Oosten Pereira Quist Rademaker Sandoval Tillmann Ullman Verhoeven Wexler Ystad Zander Amsel Brandt Corvin Delacroix Engel'.split(
    ' ',
  )
export const places =
  'Alder Brook,Birch Hill,Canal Street,Dock Road,East Meadow,Fountain Square,Garden Row,Harbour View,Iron Bridge,Juniper Lane,Kiln Yard,Lime Walk,Mill Pond,North Gate,Old Orchard,Park Terrace,Quarry End,Rope Walk,Station Green,Tanner Street,Upper Field,Vine Court,West Common,Yew Close'.split(
    ',',
  )
export const months =
  'January February March April May June July August September October November December'.split(' ')

const numberWords = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Returns a small number as a word. */
export const word = (number) => numberWords[number] ?? String(number)

/** Returns a number with its noun: `one crack`, `two cracks`. */
export const count = (number, noun, plural = `${noun}s`) => `${word(number)} ${number === 1 ? noun : plural}`

/** Returns the same sentence with a capital letter at its beginning. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1)

/** Breaks a text into lines of at most 100 characters. */
export function wrap(text, width = 100) {
  const lines = ['']
  for (const part of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== '' && line.length + 1 + part.length > width) lines.push(part)
    else lines[lines.length - 1] = line === '' ? part : `${line} ${part}`
  }
  return lines.join('\n')
}

/** Joins paragraphs into a text that ends with a newline. */
export const page = (...paragraphs) =>
  `${paragraphs.map((one) => (one.includes('\n') ? one : wrap(one))).join('\n\n')}\n`

/** Returns a time of day in minutes as `07:05`. */
export const clock = (minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
