/** Takes a voucher off a sum, to no less than 0. Returns the sum and what is left on the voucher. */
export function redeem(euros, voucher) {
  const used = Math.min(euros, voucher.euros)
  return { euros: euros - used, voucher: { ...voucher, euros: voucher.euros - used } }
}
