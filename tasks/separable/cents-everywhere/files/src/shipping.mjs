const freeFrom = 50
const usual = 4.9

/** Returns what shipping costs for goods of this value. */
export function shippingOf(euros) {
  return euros >= freeFrom || euros === 0 ? 0 : usual
}
