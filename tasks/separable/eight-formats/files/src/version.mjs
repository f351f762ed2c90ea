/** See docs/version.md. */
export function compareVersions(a, b) {
  throw new Error('not written yet')
}
