import { jsonrepair } from 'jsonrepair'

/** A value, with whether its text had to be mended. */
export type LenientJson = { json: unknown; mended: boolean } | { error: string }

/** Parses JSON, also with a missing or trailing comma or with comments, which some published files have. */
export function parseLenientJson(text: string): LenientJson {
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')), mended: false }
  } catch (error) {
    try {
      return { json: JSON.parse(jsonrepair(text)), mended: true }
    } catch {
      return { error: (error as Error).message }
    }
  }
}
