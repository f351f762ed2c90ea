import { safeText } from '../words/safe-text.ts'

/** Text as a page shows it, in elements and in quoted attributes: whatever a task, a method or a model wrote stays text. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Data inside a `<script type="application/json">`: no text in it can end the element. */
export function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
