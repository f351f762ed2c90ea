import { safeText } from '../words/safe-text.ts'

/** Escapes text for elements and quoted attributes, so that no text of a task, method or model becomes markup. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns JSON for a `<script type="application/json">`, which no text in it can end. */
export function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
