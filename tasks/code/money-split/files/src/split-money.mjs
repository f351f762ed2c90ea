/** Splits `cents` in proportion to `weights`; the shares add up exactly. */
export function splitMoney(cents, weights) {
  throw new Error('not implemented')
}
