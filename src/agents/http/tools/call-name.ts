/**
 * Returns the name of a call as it goes back. Vendors refuse a history with other names than tools may have, and a model may call
 * what is no tool, such as `functions.read`.
 */
export function callName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name
  return `_${name.replace(/[^a-zA-Z0-9_-]/g, '_')}`.slice(0, 64)
}
