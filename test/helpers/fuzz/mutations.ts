import fc from 'fast-check'

/** One way to damage a text. */
export type Mutation = (bytes: Buffer) => Buffer

const text =
  (change: (text: string) => string): Mutation =>
  (bytes) =>
    Buffer.from(change(bytes.toString()))
const lines = (change: (lines: string[]) => string[]): Mutation =>
  text((whole) => {
    const all = whole.split('\n')
    return [...change(all.slice(0, -1)), all.at(-1) ?? ''].join('\n')
  })
const at = <Item>(items: readonly Item[], place: number) => items[Math.floor(place * items.length)]

// What people, editors, tools and attackers leave in files.
const junk = fc.constantFrom(
  ...[
    '\0',
    '\ufeff',
    '\r',
    '\n',
    '\n\n',
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\\',
    '\t',
    '#',
    '&',
    '*',
    '!',
    '|',
    '>',
  ],
  ...[
    'null',
    'true',
    '-1',
    '1e999',
    '-0',
    '9007199254740993',
    '0x10',
    'NaN',
    '.inf',
    '{}',
    '[]',
    '""',
    '\\ud800',
    '\\u0000',
  ],
  ...[
    '"__proto__":{"a":1},',
    '"constructor":1,',
    '__proto__: {a: 1}\n',
    '<<: *a\n',
    '!!js/function ""',
    '"trial":"x",',
  ],
  '['.repeat(20_000),
  '{"a":'.repeat(5000),
  '- '.repeat(2000),
  'x'.repeat(100_000),
  `\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`).join('\n')}\n`,
)
const values = fc.constantFrom(
  ...[
    'null',
    'true',
    '-1',
    '0',
    '1e999',
    '1.5',
    '9007199254740993',
    '"text"',
    '""',
    '[]',
    '{}',
    '{"__proto__":1}',
    '"\\ud800"',
  ],
)
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.nat(7)).map(
      ([where, bit]): Mutation =>
        (bytes) => {
          const flipped = Buffer.from(bytes)
          const i = Math.floor(where * bytes.length)
          if (bytes.length > 0) flipped[i] = (flipped[i] as number) ^ (1 << bit)
          return flipped
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(place, fc.nat(200)).map(
      ([where, length]): Mutation =>
        (bytes) => {
          const start = Math.floor(where * bytes.length)
          return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)])
        },
    ),
  },
  place.map(
    (where): Mutation =>
      (bytes) =>
        bytes.subarray(0, Math.floor(where * bytes.length)),
  ),
  {
    weight: 3,
    arbitrary: fc.tuple(place, junk).map(([where, what]) =>
      text((whole) => {
        const i = Math.floor(where * whole.length)
        return whole.slice(0, i) + what + whole.slice(i)
      }),
    ),
  },
  {
    weight: 3,
    // A value of another type in the place of one.
    arbitrary: fc.tuple(place, values).map(([where, value]) =>
      text((whole) => {
        const found = [
          ...whole.matchAll(/(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null|[\w-]+$)/gm),
        ]
        const match = at(found, where)
        if (!match) return whole
        return whole.slice(0, match.index) + value + whole.slice(match.index + match[0].length)
      }),
    ),
  },
  fc.tuple(place, place).map(([from, to]) =>
    text((whole) => {
      // A field under another field's name. Looked for from where words begin: from each letter of 100,000 it takes a minute.
      const names = [
        ...new Set([...whole.matchAll(/"?\b([a-zA-Z]\w+)"?(?=\s*:)/g)].map((match) => match[1] as string)),
      ]
      const [one, other] = [at(names, from), at(names, to)]
      return one && other ? whole.replace(one, other) : whole
    }),
  ),
  place.map((where) =>
    lines((all) => all.flatMap((line, i) => (i === Math.floor(where * all.length) ? [line, line] : [line]))),
  ),
  place.map((where) => lines((all) => all.filter((_, i) => i !== Math.floor(where * all.length)))),
  fc.tuple(place, place).map(([from, to]) =>
    lines((all) => {
      const moved = [...all]
      const [line] = moved.splice(Math.floor(from * moved.length), 1)
      if (line !== undefined) moved.splice(Math.floor(to * (moved.length + 1)), 0, line)
      return moved
    }),
  ),
  fc.constant(text((whole) => whole.replaceAll('\n', '\r\n'))),
  fc.constant(text((whole) => `\ufeff${whole}`)),
)

/** One to three kinds of damage: flipped bits, cuts, junk, other types, swapped fields, lines lost, doubled or moved. */
export const damage: fc.Arbitrary<Mutation> = fc
  .array(mutation, { minLength: 1, maxLength: 3 })
  .map((mutations) => (bytes) => mutations.reduce((damaged, mutate) => mutate(damaged), bytes))
