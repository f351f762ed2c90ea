// Small vitest projects that fail, each in another way.

const good = (count, name = 'holds') =>
  `import { describe, expect, it } from 'vitest'
describe('numbers', () => {
  it.each(Array.from({ length: ${count} }, (_, i) => i))('${name} %i', (i) => expect(i + 1).toBeGreaterThan(i))
})
`

export const vitestProjects = {
  'vitest-assertions': {
    tool: 'vitest',
    files: {
      'test/good.test.mjs': good(57),
      'test/cart.test.mjs': `import { describe, expect, it } from 'vitest'
import { total } from '../src/cart.mjs'

describe('cart', () => {
  it('adds the prices', () => {
    expect(total([{ price: 2 }, { price: 3 }])).toBe(5)
  })
  it('is free when empty', () => {
    expect(total([])).toBe(0)
  })
  describe('with <discounts> & "codes"', () => {
    it('takes ten percent off', () => {
      expect(total([{ price: 10, discount: 0.1 }])).toEqual(9)
    })
  })
  it('rejects a price below 0', async () => {
    await expect(Promise.resolve(total([{ price: -1 }]))).rejects.toThrow('below 0')
  })
  it.skip('is not written yet', () => {})
})
`,
      'src/cart.mjs':
        'export const total = (items) => items.reduce((sum, item) => sum * 2 + item.price, 0)\n',
    },
  },
  'vitest-many': {
    tool: 'vitest',
    files: Object.fromEntries(
      [1, 2, 3].map((file) => [
        `test/many-${file}.test.mjs`,
        `import { expect, it } from 'vitest'
for (let i = 1; i <= 20; i++) it(\`case \${i} of ${file}\`, () => expect({ value: i, odd: i % 2 === 1 }).toEqual({ value: i, odd: false }))
`,
      ]),
    ),
  },
  'vitest-unicode': {
    tool: 'vitest',
    files: {
      'tests/größe/日本語 prüfung.test.mjs': `import { expect, it } from 'vitest'
it('rechnet mit Ü und 漢字 😀', () => {
  expect('größe').toBe('grösse')
})
it('besteht', () => expect('é'.normalize('NFD').length).toBe(2))
`,
      'tests/good.test.mjs': good(60, 'gültig ✓'),
    },
  },
  'vitest-parametrised': {
    tool: 'vitest',
    files: {
      'test/table.test.mjs': `import { expect, it, test } from 'vitest'
const rows = Array.from({ length: 60 }, (_, i) => [i, i * i, i === 41 ? 0 : i * i])
it.each(rows)('square of %i is %i', (i, _, expected) => {
  expect(i * i).toBe(expected)
})
test('ends in time', { timeout: 50 }, () => new Promise(() => {}))
it.fails('is known to fail', () => expect(1).toBe(2))
it('has the same name', () => {})
it('has the same name', () => expect([1, 2, 3]).toContain(4))
`,
    },
  },
  'vitest-crash': {
    tool: 'vitest',
    files: {
      'vitest.config.mjs': "export default { test: { pool: 'forks' } }\n",
      'test/crash.test.mjs': `import { it } from 'vitest'
it('passes before', () => {})
it('kills its worker', async () => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
})
`,
      'test/fails.test.mjs': `import { expect, it } from 'vitest'
it('fails as well', () => expect(1).toBe(2))
`,
      'test/good.test.mjs': good(5),
    },
  },
  'vitest-colours': {
    tool: 'vitest',
    env: { FORCE_COLOR: '1', NO_COLOR: undefined },
    files: {
      'test/colour.test.mjs': `import { expect, it } from 'vitest'
it('is red', () => {
  throw new Error('\\u001b[31mred\\u001b[39m and \\u0007 a bell, ]]> and <tag attr="1"> &amp; more')
})
it('differs', () => expect('one\\ntwo\\nthree').toBe('one\\n2\\nthree'))
it('throws a text', () => {
  throw 'only a text'
})
it('has no message', () => {
  throw new Error('')
})
`,
      'test/good.test.mjs': good(60),
    },
  },
}
