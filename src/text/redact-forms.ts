import { createDigitFinder, createSpellingFinder, type FindSpellings } from './redact-spellings.ts'

/** Shorter values occur in texts by chance: redacting them would damage prompts. */
export const minSecretLength = 8

/** Creates finders for the spellings of a value that are too many to list: each character encoded its own way, and digits with breaks between them. */
export function createSpellingFinders(value: string): FindSpellings[] {
  return partsOf(value).flatMap((part) => {
    const bytes = Buffer.from(part)
    const hex = bytes.toString('hex').match(/../g) ?? []
    const upper = hex.map((digits) => digits.toUpperCase())
    const base64 = base64Of(bytes).map((digits) => createDigitFinder([...digits]))
    return [createSpellingFinder(part), createDigitFinder(hex), createDigitFinder(upper), ...base64].filter(
      (one) => one !== undefined,
    )
  })
}

/** Returns the usual encodings of a value: raw, in JSON, URLs, HTML, base64 (anywhere in a longer text) and hexadecimal. */
export function encodedForms(value: string): Set<string> {
  const forms = new Set<string>()
  for (const part of partsOf(value)) {
    const json = JSON.stringify(part).slice(1, -1)
    const url = tryEncode(() => encodeURIComponent(part))
    const bytes = Buffer.from(part)
    for (const form of [
      part,
      json,
      JSON.stringify(json).slice(1, -1),
      json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      url,
      url.replace(/%20/g, '+'),
      url.replace(/%../g, (code) => code.toLowerCase()),
      url.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
      part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      ...base64Of(bytes),
    ])
      if (form.length >= minSecretLength) forms.add(form)
  }
  return forms
}

/** Returns the value; for a header like `Bearer …` also the token; for several lines (a private key) also the long lines. */
function partsOf(value: string): string[] {
  const header = /^(?:bearer|basic|token|bot)\s+(\S.*)$/i.exec(value)?.[1]
  const lines = value.includes('\n')
    ? value
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line.length >= 2 * minSecretLength && !line.startsWith('-----'))
    : []
  return [value, ...(header && header.length >= minSecretLength ? [header] : []), ...lines]
}

/** Returns the base64 of bytes at each of the three offsets in a longer text, without the digits shared with neighbours. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shared = Math.ceil((shift * 8) / 6)
    const whole = Math.floor(((shift + bytes.length) * 8) / 6)
    const digits = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shared, whole)
    return [digits, digits.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Returns '' for a lone surrogate, which cannot be encoded in a URL. */
function tryEncode(encode: () => string): string {
  try {
    return encode()
  } catch {
    return ''
  }
}
