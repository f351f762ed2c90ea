import { describe, expect, it } from 'vitest'
import { UserError } from '../../src/text/errors.ts'
import { findKeyInAddress, findKeysInWords, hideKeys, hideKeysInCommand } from '../../src/text/hide-keys.ts'

const random = 'QaW3'.repeat(6)
const key = `sk-proj-${random}`
const password = 'hunter2hunter2'

describe('in a command', () => {
  it.each([
    ['a key by its form', ['agent', key]],
    ['a key of Google with one letter more', ['agent', `AIza${'x9Y'.repeat(12)}`]],
    ['the word after an option named like a secret', ['agent', '--password', password]],
    ['the value of such an option', ['agent', `--api-key=${password}`]],
    ['the value of a setting', ['env', `apiToken=${password}`, 'agent']],
    ['an option inside of a script', ['sh', '-c', `agent --token ${password}`]],
    ['a random word after --key', ['agent', '--key', `${password}abcdefgh`]],
    ['a header', ['curl', '-H', `Authorization: Bearer ${password}`]],
    ['the user of an address', ['agent', `https://user:${password}@host/path`]],
    ['a user alone, where it is a token', ['agent', `--url=https://${password}@host`]],
    ['a password of another scheme', ['agent', `postgres://me:${password}@host/db`]],
    ['a parameter of an address', ['agent', `http://host/v1?api_key=${password}`]],
  ])('%s is a key, and hidden as words and as a text', (_, words) => {
    expect(findKeysInWords(words).filter(Boolean)).toHaveLength(1)
    for (const shown of [hideKeysInCommand(words), hideKeysInCommand(words.join(' '))]) {
      expect(shown).toContain('[hidden]')
      expect(shown).not.toContain(password)
      expect(shown).not.toContain(random)
      expect(shown).not.toContain('x9Y')
      expect(hideKeysInCommand(shown)).toBe(shown)
    }
  })

  it.each([
    ['a variable', ['agent', '--token', '$OWN_TOKEN', '--api-key', 'OPENAI_API_KEY']],
    ['a file', ['agent', '--credentials', '/etc/agent/login.json', '--token-file', './token.txt']],
    ['a placeholder', ['agent', '--token', '{baseUrl}']],
    ['a number of tokens', ['agent', '--max-token', '4096']],
    ['another option', ['agent', '--password', '--verbose-output']],
    ['a short word', ['agent', '--api-key', 'none']],
    ['the user of a repository', ['git', 'clone', 'ssh://git@github.com/a/b']],
    ['a plain parameter', ['agent', 'http://127.0.0.1:1/v1?api-version=2024-01-01&model=qwen3-coder']],
    ['a word after --key', ['agent', '--key', 'identifier']],
  ])('%s is none', (_, words) => {
    expect(findKeysInWords(words).filter(Boolean)).toEqual([])
    expect(hideKeysInCommand(words)).toBe(words.join(' '))
  })
})

it.each([
  `http://user:${password}@127.0.0.1:1/v1`,
  `http:user:${password}@127.0.0.1/v1`,
  `https://${password}@host`,
  `http://host/v1?api_key=${password}`,
  `http://host/v1?api%5Fkey=${password}`,
  `http://host/v1?key=${password}`,
  `http://host/v1#access_token=${password}`,
  `http://host/${key}/v1`,
])('an address with a key is known, and its host stays where it is hidden: %s', (address) => {
  expect(findKeyInAddress(address)).toBeDefined()
  expect(hideKeys(address)).toMatch(/^http.*(?:127\.0\.0\.1|host)/)
  expect(hideKeys(address)).not.toMatch(new RegExp(`${password}|${random}`))
})

it('a plain address has no key', () => {
  for (const address of ['http://127.0.0.1:8000/v1', 'https://host/openai?api-version=2024-10-21'])
    expect([findKeyInAddress(address), hideKeys(address)]).toEqual([undefined, address])
})

it('no mistake of a user repeats a key', () => {
  const { message, problems } = new UserError({ where: `--methods x:${key}`, what: key, fix: `Not ${key}.` })
  expect(message).toBe('[--methods x:[hidden]] [hidden]. Not [hidden].')
  expect(JSON.stringify(problems)).not.toContain(random)
})

it('a long text is read in a time that grows with its length', () => {
  const texts = ['http:', 'x-', 'a', '--a', '?a', 'token=', 'a=', 'bearer '].map((part) =>
    part.repeat(50_000),
  )
  for (const text of texts) expect(hideKeysInCommand(text).length).toBeGreaterThan(0)
})
