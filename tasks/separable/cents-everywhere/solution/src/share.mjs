/** Returns `sum * part / whole` in whole cents, halves away from 0. */
export function share(sum, part, whole) {
  const exact = (sum * part) / whole
  return Math.sign(exact) * Math.round(Math.abs(exact))
}
