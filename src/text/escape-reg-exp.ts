/** Returns the source of a regular expression that matches a text as it is, with every flag. Not for use within `[…]`. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
