/** A text of each format of JSON Schema. */
export const formats: Readonly<Record<string, string>> = {
  email: 'agent@example.org',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  time: '12:00:00',
  'date-time': '2026-01-01T12:00:00Z',
  duration: 'PT1H',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

/** Texts that match the patterns which people write. */
export const guesses = [
  'R1',
  'V1',
  'REQ-1',
  'a',
  '1',
  'A',
  'ok',
  'done',
  '1.0.0',
  '2026-01-01',
  'a-b',
  'a/b',
  'file.txt',
  '',
]

/** Returns a pattern, or one that matches everything for a pattern that JavaScript cannot read. */
export function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return /(?:)/
  }
}
