import { isolateWords } from '../words/isolate-text.ts'
import { safeText } from '../words/safe-text.ts'

/** Escapes text for elements and quoted attributes, so that no text of a task, method or model becomes markup. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes text for the content of elements, and isolates words that are written from right to left. */
export function textHtml(text: string): string {
  return isolateWords(escapeHtml(text), '<bdi>', '</bdi>')
}

/** Returns JSON for a `<script type="application/json">`, which no text in it can end. */
export function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
