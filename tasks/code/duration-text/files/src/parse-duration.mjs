/** Seconds of a duration such as `1h30m` or `1:02:03`; null for anything else. */
export function parseDuration(text) {
  throw new Error('not implemented')
}
