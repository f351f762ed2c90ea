const freeFrom = 5000
const usual = 490

/** Returns what shipping costs for goods of this value. */
export function shippingOf(cents) {
  return cents >= freeFrom || cents === 0 ? 0 : usual
}
