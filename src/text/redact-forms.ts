import { type FindSpellings, spacedDigits, spellingsOf } from './redact-spellings.ts'

/** Shorter values stand in texts by chance: redacting them would shred every prompt. */
export const shortest = 8

/** Finds a value in other spellings than those of `formsOf`, which are many: character by character, and digits with breaks between them. */
export function findersOf(value: string): FindSpellings[] {
  return partsOf(value).flatMap((part) => {
    const bytes = Buffer.from(part)
    const hex = bytes.toString('hex').match(/../g) ?? []
    const upper = hex.map((digits) => digits.toUpperCase())
    const base64 = base64Of(bytes).map((digits) => spacedDigits([...digits]))
    return [spellingsOf(part), spacedDigits(hex), spacedDigits(upper), ...base64].filter(
      (one) => one !== undefined,
    )
  })
}

/** A value as it appears in practice: raw, in JSON, URLs, HTML, base64 (anywhere in a longer text) and hexadecimal. */
export function formsOf(value: string): Set<string> {
  const forms = new Set<string>()
  for (const part of partsOf(value)) {
    const json = JSON.stringify(part).slice(1, -1)
    const url = orNothing(() => encodeURIComponent(part))
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
      if (form.length >= shortest) forms.add(form)
  }
  return forms
}

/** The value; of a header like `Bearer …` what follows; of one with several lines (a private key) its long lines, too. */
function partsOf(value: string): string[] {
  const header = /^(?:bearer|basic|token|bot)\s+(\S.*)$/i.exec(value)?.[1]
  const lines = value.includes('\n')
    ? value
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line.length >= 2 * shortest && !line.startsWith('-----'))
    : []
  return [value, ...(header && header.length >= shortest ? [header] : []), ...lines]
}

/** What base64 makes of bytes wherever they stand in a longer text: three ways, without the digits shared with others. */
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

/** A lone surrogate has no form in a URL. */
function orNothing(encode: () => string): string {
  try {
    return encode()
  } catch {
    return ''
  }
}
