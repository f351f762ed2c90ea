/** Takes a voucher off a sum, to no less than 0. Returns the sum and what is left on the voucher. */
export function redeem(cents, voucher) {
  const used = Math.min(cents, voucher.cents)
  return { cents: cents - used, voucher: { ...voucher, cents: voucher.cents - used } }
}
