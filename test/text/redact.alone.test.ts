import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, type Redactor, secretsOf } from '../../src/text/redact.ts'

const key = 'sk-ant-Ab9/+=?&"x^$.*'
const redactorOf = (environment: Record<string, string>, further?: string[]) =>
  createRedactor(secretsOf(environment, further).secrets) as Redactor

describe('the variables with secrets', () => {
  it('are those named like keys, tokens, secrets and passwords, and no others', () => {
    const value = 'a-value-of-its-own'
    const secret = [
      ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENROUTER_API_KEY'],
      ...[
        'MISTRAL_API_KEY',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
        'AWS_SESSION_TOKEN',
        'GITHUB_TOKEN',
      ],
      ...[
        'GH_TOKEN',
        'NPM_TOKEN',
        'HF_TOKEN',
        'ANTHROPIC_AUTH_TOKEN',
        'SLACK_SECRET',
        'PGPASSWORD',
        'my_password',
      ],
      ...['TLS_PRIVATE_KEY', 'npm_config_//registry.example.org/:_authToken'],
    ]
    const plain = [
      'PATH',
      'HOME',
      'AWS_REGION',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'SSH_AUTH_SOCK',
      'TOKENIZER',
      'KEY_FILE',
    ]
    const environment = Object.fromEntries([...secret, ...plain].map((name) => [name, value]))
    expect(secretsOf(environment).secrets.map(({ name }) => name)).toEqual([...secret].sort())
  })

  it('include further names, exclude empty values, and list values that are too short or common', () => {
    const environment = {
      DATABASE: 'postgres://me:pass@host',
      EMPTY_TOKEN: ' ',
      SHORT_TOKEN: '1234567',
      ODD_PASSWORD: 'redacted',
      SOME_PASSWORD: 'PASSWORD',
    }
    const { secrets, unsuitable } = secretsOf(environment, ['DATABASE', 'NOT_SET'])
    expect(secrets.map(({ name }) => name)).toEqual(['DATABASE'])
    expect(unsuitable).toEqual(['ODD_PASSWORD', 'SHORT_TOKEN', 'SOME_PASSWORD'])
  })
})

describe('a redactor', () => {
  it('does not exist without secrets', () => {
    expect(createRedactor([])).toBeUndefined()
  })

  it.each([
    ['as it is', key],
    ['in JSON', JSON.stringify(key).slice(1, -1)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(key))],
    ['in a URL', encodeURIComponent(key)],
    ['in a form', new URLSearchParams({ key }).toString()],
    ['in HTML', key.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in hexadecimal', Buffer.from(key).toString('hex')],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 for URLs', Buffer.from(key).toString('base64url')],
    ['as basic authentication', `Authorization: Basic ${Buffer.from(`user:${key}`).toString('base64')}`],
    ['in base64 after one byte', Buffer.from(`x${key}yz`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`xx${key}y`).toString('base64')],
  ])('finds a secret %s', (_, form) => {
    const text = redactorOf({ MY_API_KEY: key }).text(`before ${form} after`)
    expect(text).toContain('[redacted MY_API_KEY]')
    expect(text).toMatch(/^before .* after$/)
    expect(text).not.toContain(form)
  })

  const spelled: [string, (value: string) => string][] = [
    ['by encodeURI', (value) => encodeURI(value.replaceAll('%', '%25'))],
    ['by URL.href, in a query', (value) => new URL(`https://h/?k=${encodeURI(value)}`).href],
    ['by the quote of Python', (value) => encodeURIComponent(value).replaceAll('%2F', '/')],
    ['with every byte percent-encoded', (value) => percent(value)],
    ['percent-encoded twice', (value) => encodeURIComponent(percent(value))],
    [
      'percent-encoded in mixed case',
      (value) => percent(value).replace(/%2f/gi, '%2f').replace(/%3D/i, '%3d'),
    ],
    ['as decimal entities', (value) => [...value].map((c) => `&#${c.codePointAt(0)};`).join('')],
    [
      'as hexadecimal entities',
      (value) => [...value].map((c) => `&#x00${c.codePointAt(0)?.toString(16)};`).join(''),
    ],
    [
      'as HTML that quotes only what it must',
      (value) => value.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
    ],
    ['as HTML within HTML', (value) => value.replaceAll('&', '&amp;amp;').replaceAll("'", '&amp;apos;')],
    ['as JSON whose slashes are escaped', (value) => JSON.stringify(value).replaceAll('/', '\\/')],
    [
      'as JSON for a script element',
      (value) => JSON.stringify(value).replace(/[<>&']/g, (c) => `\\u00${hex(c)}`),
    ],
    ['as JSON in JSON in JSON', (value) => JSON.stringify(JSON.stringify(JSON.stringify(value)))],
    ['as escapes of JavaScript', (value) => [...value].map((c) => `\\u{${hex(c)}}`).join('')],
    [
      'as bytes of Python',
      (value) => [...Buffer.from(value)].map((b) => `\\x${b.toString(16).padStart(2, '0')}`).join(''),
    ],
    [
      'as octal escapes',
      (value) => [...Buffer.from(value)].map((b) => `\\${b.toString(8).padStart(3, '0')}`).join(''),
    ],
    ['quoted by Python', (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`],
    ['quoted for a shell', (value) => `'${value.replaceAll("'", `'\\''`)}'`],
    ['quoted for a shell with double quotes', (value) => `'${value.replaceAll("'", `'"'"'`)}'`],
    ['quoted by YAML', (value) => `'${value.replaceAll("'", "''")}'`],
    ['quoted in CSV', (value) => `"${value.replaceAll('"', '""')}"`],
    ['escaped for a regular expression', (value) => value.replace(/\W/gu, '\\$&')],
    ['in UTF-16', (value) => [...value].join('\0')],
    ['in decomposed Unicode', (value) => value.normalize('NFD')],
    [
      'in base64 with line breaks',
      (value) => Buffer.from(value).toString('base64').replace(/.{5}/g, '$&\r\n'),
    ],
    [
      'in base64 with escaped line breaks',
      (value) => Buffer.from(`ab${value}`).toString('base64').replace(/.{7}/g, '$&\\n'),
    ],
    ['in hexadecimal with spaces', (value) => hexOf(value).replace(/../g, '$& ')],
    [
      'in hexadecimal with colons',
      (value) =>
        hexOf(value)
          .toUpperCase()
          .replace(/..(?!$)/g, '$&:'),
    ],
    ['as a list of bytes', (value) => hexOf(value).replace(/../g, '0x$&, ')],
  ]
  const percent = (value: string) => hexOf(value).replace(/../g, (byte) => `%${byte.toUpperCase()}`)
  const hexOf = (value: string) => Buffer.from(value).toString('hex')
  const hex = (c: string) => (c.codePointAt(0) ?? 0).toString(16)

  describe.each([
    'sk-Zq9/+x=Ab12Cd&34"<Ef',
    'p@ss:w0rd/with?chars#1',
    "it's (a) pass!word*9",
    'plainAlphaNumeric123',
    'pässwörd-ünicode-9',
    'C:\\new\\table 100%25',
    '\u00e9\u{1f511}key-12345',
  ])('of the secret %j', (value) => {
    it.each(spelled)('finds a secret %s', (_, spell) => {
      const { text } = redactorOf({ MY_API_KEY: value })
      const redacted = text(`before ${spell(value)} after`)
      expect(redacted).toContain('[redacted MY_API_KEY]')
      expect(redacted).toMatch(/^before .* after$/s)
      for (let at = 0; at + 6 <= value.length; at++) expect(redacted).not.toContain(value.slice(at, at + 6))
    })
  })

  it('handles long texts of special characters without catastrophic backtracking', () => {
    const { text } = redactorOf({ A_TOKEN: 'abcdefgh12345', B_PASSWORD: "it's (a) pass!word*9" })
    for (const sign of ['\\', '%25', '&amp;', "''", ' ', '%5C'])
      expect(text(sign.repeat(200_000))).toBe(sign.repeat(200_000))
  })

  it('finds the token after Bearer, and each line of a key with several', () => {
    const { text } = redactorOf({
      AUTH_TOKEN: 'Bearer abcdef123456',
      TLS_PRIVATE_KEY:
        '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEA\n-----END KEY-----\n',
    })
    expect(text('x abcdef123456 y')).toBe('x [redacted AUTH_TOKEN] y')
    expect(text('> MIIEvQIBADANBgkqhkiG9w0')).toBe('> [redacted TLS_PRIVATE_KEY]')
    expect(text('-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----')
  })

  it('prefers the longer of two secrets with an equal beginning, and leaves no rest of overlapping ones', () => {
    const { text } = redactorOf({ A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefghijkl', C_TOKEN: 'ghijklmnopqrst' })
    expect(text('1 abcdefghijkl 2 abcdefgh 3')).toBe('1 [redacted B_TOKEN] 2 [redacted A_TOKEN] 3')
    expect(text('1 abcdefghijklmnopqrst 2')).toBe('1 [redacted C_TOKEN] 2')
  })

  it('redacts plain data, names of fields included, and copies only what it changes', () => {
    const redactor = redactorOf({ A_TOKEN: 'abcdefgh' })
    const clean = { list: [1, null, true, 'text'], deep: { more: 'x' } }
    expect(redactor.data(clean)).toBe(clean)
    expect(redactor.data({ ...clean, abcdefgh: ['abcdefgh'] })).toEqual({
      ...clean,
      '[redacted A_TOKEN]': ['[redacted A_TOKEN]'],
    })
  })

  describe.each([
    ['plain', 'sk-0123456789abcdefXYZ'],
    ['awkward', key],
  ])('where a text with a %s secret was cut', (_, value) => {
    const { cut, text } = redactorOf({ MY_API_KEY: value })
    const pieces = Array.from({ length: value.length - 5 }, (_, i) => value.slice(i, i + 6))
    const expectNone = (text: string) => expect(pieces.filter((piece) => text.includes(piece))).toEqual([])

    it.each([
      ['in the middle', (text: string, at: number) => `${text.slice(0, at)} … ${text.slice(at)}`],
      ['at its end', (text: string, at: number) => `"${text.slice(0, at)}…`],
      ['at its beginning', (text: string, at: number) => `…${text.slice(at)}`],
      ['and cut again', (text: string, at: number) => `${text.slice(0, at)} …  … ${text.slice(at + 1)}`],
      ['on both sides', (text: string, at: number) => `…${text.slice(at, at + 9)}… and`],
      ['and made ASCII', (text: string, at: number) => `${text.slice(0, at)}\\u2026${text.slice(at)}`],
    ])('%s, leaves no part of the secret', (_, cutAt) => {
      const whole = `before: ${value}, after`
      for (let at = 0; at <= whole.length; at++) expectNone(cut(cutAt(whole, at)))
    })

    it("leaves no part of a secret's JSON, and keeps the rest of the text", () => {
      const whole = JSON.stringify(`a text ${value} more`)
      for (let at = 0; at <= whole.length; at++) expectNone(cut(`${whole.slice(0, at)}…`))
      expect(cut(`a … b ${value.slice(0, 7)}… c … ${value.slice(-8)} d`)).toMatchSnapshot()
      expect(cut(`${value.slice(0, 5)}… ${value.slice(0, 9)} …`)).toContain(`${value.slice(0, 5)}… `)
      expect(text(`${value.slice(0, 9)}…`)).toBe(`${value.slice(0, 9)}…`)
    })
  })

  it('leaves no secret in any text, changes nothing else, and nothing the second time', () => {
    const value = fc.string({
      minLength: 8,
      maxLength: 20,
      unit: fc.constantFrom(...'ab+/.*$^\\?(|)"&% é\n'),
    })
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(fc.nat(3), fc.string({ unit: fc.constantFrom(...'xyz{}:,;0123') })), {
          maxLength: 8,
        }),
        (values, parts) => {
          const environment = Object.fromEntries(values.map((value, i) => [`V${i}_TOKEN`, value]))
          const { secrets } = secretsOf(environment)
          const redactor = createRedactor(secrets)
          if (!redactor) return
          const text = parts
            .map((part) => (typeof part === 'number' ? values[part % values.length] : part))
            .join('')
          const redacted = redactor.text(text)
          for (const { value } of secrets) expect(redacted).not.toContain(value)
          expect(redactor.text(redacted)).toBe(redacted)
          const plain = parts.filter((part) => typeof part === 'string').join('')
          expect(redactor.text(plain)).toBe(plain)
        },
      ),
      { numRuns: 500 },
    )
  })
})
